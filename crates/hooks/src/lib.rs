//! The adapter that sends notifications to servers that users name. `docs/operations.md#webhooks` lists the outgoing
//! connections.

mod post;
mod webhook;

pub use post::{BadOption, ReceiverOptions};
pub use webhook::SignedWebhooks;
