use bolts_kernel::{BetId, UserId};
use serde::{Deserialize, Serialize};

/// Something that a user's open pages should fetch again. It carries no data: pages ask for what they may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hint {
    /// Whose pages.
    pub user: UserId,
    /// What changed.
    pub about: About,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A notification came.
    Notification,
    /// A balance moved.
    Balance,
    /// A bet of the user's changed.
    Bet(BetId),
    /// Sessions of the user ended: open streams look whether theirs was one.
    Sessions,
}

/// Carries hints to the pages that are open, on every process.
///
/// Must not block. May lose a hint and may repeat one: pages fetch again every 30 seconds anyway.
pub trait Fanout: Send + Sync {
    /// Sends these hints on their way.
    fn publish(&self, hints: &[Hint]);
}
