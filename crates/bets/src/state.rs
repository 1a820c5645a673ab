//! The status of a bet and the data that exists only in that status.

use std::fmt;

use bolts_kernel::{ProposalId, Timestamp, UserId, named};

use crate::terms::{Outcome, Side};

/// The status of a bet, with the data that exists only in this status (`docs/product.md#the-bet`). 'Expired' is
/// not a status. The word means that the expiry of the bet has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The bet waits for a challenger. The creator's stake is in escrow.
    Pending,
    /// The bet is live. Both stakes are in escrow.
    Accepted(Challenge),
    /// The parties decide the outcome. Both stakes are in escrow.
    AwaitingResolution(Negotiation),
    /// Both stakes went to the winner.
    Resolved {
        /// The proposals, rejections and dispute before the settlement.
        negotiation: Negotiation,
        /// The side that won.
        winning: Side,
        /// The time and the cause of the settlement.
        settlement: Settlement,
    },
    /// Every stake went back to its owner.
    Cancelled {
        /// The proposals, rejections and dispute before the cancellation. `None` if nobody had accepted the
        /// bet.
        negotiation: Option<Negotiation>,
        /// The reason for the cancellation.
        reason: CancelReason,
        /// The time of the cancellation.
        at: Timestamp,
        /// The cause of the settlement if the bet was settled as `void`, otherwise `None`.
        settled_by: Option<SettledBy>,
    },
}

/// The name of a [`State`], without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The pages show this status as 'AWAITING CHALLENGER'.
    Pending,
    /// The pages show this status as 'LIVE'.
    Accepted,
    /// The pages show this status as 'AWAITING RESOLUTION'.
    AwaitingResolution,
    /// The pages show this status as 'SETTLED'.
    Resolved,
    /// The pages show this status as 'CANCELLED'.
    Cancelled,
}

named!(Status {
    Pending = "pending",
    Accepted = "accepted",
    AwaitingResolution = "awaiting_resolution",
    Resolved = "resolved",
    Cancelled = "cancelled",
});

impl Status {
    /// Whether a bet with this status has ended. Then it stays as it is.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        match self {
            Self::Pending | Self::Accepted | Self::AwaitingResolution => false,
            Self::Resolved | Self::Cancelled => true,
        }
    }
}

/// The acceptance of a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The user who took the side that the creator did not take.
    pub acceptor: UserId,
    /// The time of the acceptance.
    pub accepted_at: Timestamp,
}

/// The proposals, the rejections and the dispute about the outcome of a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiation {
    /// The acceptance of the bet.
    pub challenge: Challenge,
    /// The proposal that waits for an answer.
    pub standing: Option<Proposal>,
    /// The time of the last proposal, even if it no longer waits for an answer.
    pub last_proposed_at: Option<Timestamp>,
    /// The rejected proposals.
    pub rejections: Rejections,
    /// The dispute, if a party raised a dispute. The value stays after the ruling.
    pub dispute: Option<Dispute>,
}

impl Negotiation {
    /// A negotiation without proposals, rejections or a dispute.
    pub const fn new(challenge: Challenge) -> Self {
        Self {
            challenge,
            standing: None,
            last_proposed_at: None,
            rejections: Rejections { count: 0, last_at: None },
            dispute: None,
        }
    }
}

/// The number of rejected proposals, and the time of the last rejection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    /// The number of rejected proposals.
    pub count: u32,
    /// The time of the last rejection.
    pub last_at: Option<Timestamp>,
}

/// An outcome that one party proposed. The other party may accept or reject the proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The id of the proposal. An answer that names an older proposal is refused.
    pub id: ProposalId,
    /// The proposed outcome.
    pub outcome: Outcome,
    /// The user who made the proposal.
    pub by: UserId,
    /// The time of the proposal.
    pub at: Timestamp,
}

/// A dispute about the outcome of a bet, on which the arbiter or an admin rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The user who raised the dispute.
    pub by: UserId,
    /// The time of the dispute.
    pub at: Timestamp,
    /// The reason, as the user wrote it.
    pub reason: String,
}

/// The time and the cause of a settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// The time of the settlement.
    pub at: Timestamp,
    /// The cause of the settlement.
    pub by: SettledBy,
}

/// The cause of a settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettledBy {
    /// The other party accepted the proposal.
    Agreement,
    /// A party declared the outcome (Manual Verification).
    Declaration,
    /// An admin ruled on the dispute.
    Ruling,
    /// The arbiter ruled on the dispute.
    ArbiterRuling,
    /// Nobody answered a proposal in time, so the proposal stands.
    Stand,
    /// No admin ruled on the dispute in time.
    DisputeLapse,
}

named!(SettledBy {
    Agreement = "agreement",
    Declaration = "declaration",
    Ruling = "ruling",
    ArbiterRuling = "arbiter_ruling",
    Stand = "stand",
    DisputeLapse = "dispute_lapse",
});

/// The reason why a bet was cancelled and the stakes went back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelReason {
    /// Nobody accepted the bet before its expiry.
    Expired,
    /// The creator or an admin deleted the bet.
    Deleted,
    /// The bet was settled as `void`.
    Void,
    /// Nobody settled the bet in time.
    Lapsed,
    /// An admin refunded the bet.
    Refunded,
}

named!(CancelReason {
    Expired = "expired",
    Deleted = "deleted",
    Void = "void",
    Lapsed = "lapsed",
    Refunded = "refunded",
});

/// The deletion of a bet or of a message on a bet. No list and no page shows a deleted bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// The time of the deletion.
    pub at: Timestamp,
    /// The user who deleted it: its creator or author, or an admin.
    pub by: UserId,
}

impl State {
    /// The status without its data.
    pub const fn status(&self) -> Status {
        match self {
            Self::Pending => Status::Pending,
            Self::Accepted(_) => Status::Accepted,
            Self::AwaitingResolution(_) => Status::AwaitingResolution,
            Self::Resolved { .. } => Status::Resolved,
            Self::Cancelled { .. } => Status::Cancelled,
        }
    }

    /// The acceptance, or `None` if nobody accepted the bet.
    pub const fn challenge(&self) -> Option<Challenge> {
        match self {
            Self::Pending | Self::Cancelled { negotiation: None, .. } => None,
            Self::Accepted(challenge) => Some(*challenge),
            Self::AwaitingResolution(n)
            | Self::Resolved { negotiation: n, .. }
            | Self::Cancelled { negotiation: Some(n), .. } => Some(n.challenge),
        }
    }

    /// The negotiation. `None` for a bet that is pending or accepted, or that was cancelled before anybody
    /// accepted it.
    pub const fn negotiation(&self) -> Option<&Negotiation> {
        match self {
            Self::Pending | Self::Accepted(_) | Self::Cancelled { negotiation: None, .. } => None,
            Self::AwaitingResolution(n)
            | Self::Resolved { negotiation: n, .. }
            | Self::Cancelled { negotiation: Some(n), .. } => Some(n),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.status().as_str())
    }
}
