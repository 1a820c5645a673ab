//! Hints that tell open pages to fetch data again.

use bolts_kernel::{BetId, UserId};
use serde::{Deserialize, Serialize};

/// A message that tells the open pages of a user to fetch data again. The hint contains no data. The pages send
/// ordinary requests, whose answers contain only what the user may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hint {
    /// The user whose pages get the hint.
    pub user: UserId,
    /// The kind of change.
    pub about: About,
}

/// The kind of change that a hint reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A new notification.
    Notification,
    /// A balance changed.
    Balance,
    /// One of the user's bets changed.
    Bet(BetId),
    /// Some sessions of the user ended. Each open stream of the user checks whether its own session has ended.
    Sessions,
}

/// Sends hints to the open pages on all server processes.
///
/// The call must not block. It may lose or repeat a hint, because pages fetch their data every 30 seconds anyway.
pub trait Fanout: Send + Sync {
    /// Starts to send these hints, and returns at once.
    fn publish(&self, hints: &[Hint]);
}
