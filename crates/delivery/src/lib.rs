//! The rules of notifications outside of the site: which of them a user gets by which channel, when the digest comes, and
//! when a failed attempt is repeated. In words: `docs/product.md#notifications-outside-of-the-site`.

mod breaker;
mod channel;
mod digest;
mod preferences;
mod retry;
mod topic;

pub use breaker::{Breaker, Permit};
pub use channel::Channel;
pub use digest::Digest;
pub use preferences::{Preferences, Wants};
pub use retry::{
    LINK_ATTEMPTS_FOR, NOTICE_ATTEMPTS_FOR, RECEIVER_ATTEMPTS_FOR, retry_after, wait_for_other_version,
};
pub use topic::Topic;
