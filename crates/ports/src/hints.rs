//! Hints that tell open pages to fetch data again.

use bolts_kernel::{BetId, UserId};
use serde::{Deserialize, Serialize};

/// Tells the open pages of a user to fetch something again. A hint carries no data: the pages then ask for
/// what the user may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hint {
    /// The user whose pages get the hint.
    pub user: UserId,
    /// What changed.
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
    /// Some sessions of the user ended. Each open stream of the user checks whether its own session is one of
    /// them.
    Sessions,
}

/// Sends hints to the open pages on every process.
///
/// Must not block. May lose or repeat a hint, because pages fetch again every 30 seconds anyway.
pub trait Fanout: Send + Sync {
    /// Starts to send these hints, and returns at once.
    fn publish(&self, hints: &[Hint]);
}
