//! The adapters that send notifications to servers that users name: webhooks, and the push services of browsers.
//! `docs/operations.md#webhooks` lists the outgoing connections.

mod post;
mod push;
mod vapid;
mod webhook;

pub use post::{BadOption, ReceiverOptions};
pub use push::EncryptedPushes;
pub use vapid::{PushKey, PushKeyError};
pub use webhook::SignedWebhooks;
