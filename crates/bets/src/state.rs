use std::fmt;

use bolts_kernel::{ProposalId, Timestamp, UserId};

use crate::terms::{Outcome, Side};

/// Where a bet stands, with what is known only there (decisions, section 5). 'Expired' is a matter of the clock,
/// not a status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Waits for a challenger; the creator's stake is in escrow.
    Pending,
    /// Both stakes are in escrow.
    Accepted(Challenge),
    /// Both stakes are in escrow and the parties are finding the outcome.
    AwaitingResolution(Negotiation),
    /// Both stakes went to the winner.
    Resolved {
        /// How it came to the outcome.
        negotiation: Negotiation,
        /// The side that won.
        winning: Side,
        /// When and by what.
        settlement: Settlement,
    },
    /// Every stake went back to its owner.
    Cancelled {
        /// What the parties had done; `None` where nobody had accepted.
        negotiation: Option<Negotiation>,
        /// Why.
        reason: CancelReason,
        /// When.
        at: Timestamp,
        /// By what it was settled, where the reason is an outcome of `void`.
        settled_by: Option<SettledBy>,
    },
}

/// The name of a [`State`], without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// AWAITING CHALLENGER.
    Pending,
    /// LIVE.
    Accepted,
    /// AWAITING RESOLUTION.
    AwaitingResolution,
    /// SETTLED.
    Resolved,
    /// CANCELLED.
    Cancelled,
}

/// Gives a plain enum its stored names: `ALL`, `as_str`, `parse`, `Display`.
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name that the API and the database use.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The value of that name, if there is one.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == name)
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use named;

named!(Status {
    Pending = "pending",
    Accepted = "accepted",
    AwaitingResolution = "awaiting_resolution",
    Resolved = "resolved",
    Cancelled = "cancelled",
});

/// Who took the other side, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The user on the side that the creator did not pick.
    pub acceptor: UserId,
    /// When the bet was accepted.
    pub accepted_at: Timestamp,
}

/// What the parties have said about the outcome so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiation {
    /// Who bets against the creator.
    pub challenge: Challenge,
    /// The proposal that waits for an answer.
    pub standing: Option<Proposal>,
    /// When the last proposal was made, standing or not.
    pub last_proposed_at: Option<Timestamp>,
    /// Proposals that were turned down.
    pub rejections: Rejections,
    /// The dispute, once one was raised; it stays after the ruling.
    pub dispute: Option<Dispute>,
}

impl Negotiation {
    /// Nothing said yet.
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

/// How often proposals were rejected, and when last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    /// How many.
    pub count: u32,
    /// When last.
    pub last_at: Option<Timestamp>,
}

/// An outcome that one party named and the other may accept or reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Names this very proposal, so that an answer to an older one is told apart.
    pub id: ProposalId,
    /// What is proposed.
    pub outcome: Outcome,
    /// Who proposed it.
    pub by: UserId,
    /// When.
    pub at: Timestamp,
}

/// A disagreement that waits for an admin's ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// Who raised it.
    pub by: UserId,
    /// When.
    pub at: Timestamp,
    /// Why, in the words of whoever raised it.
    pub reason: String,
}

/// When a bet was settled, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// When.
    pub at: Timestamp,
    /// By what.
    pub by: SettledBy,
}

/// What settled a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettledBy {
    /// The other party accepted the proposal.
    Agreement,
    /// A declaration under Manual Verification.
    Declaration,
    /// An admin's ruling.
    Ruling,
    /// Silence: a proposal stood unanswered.
    Stand,
    /// The clock, on a dispute that nobody ruled on.
    DisputeLapse,
}

named!(SettledBy {
    Agreement = "agreement",
    Declaration = "declaration",
    Ruling = "ruling",
    Stand = "stand",
    DisputeLapse = "dispute_lapse",
});

/// Why the stakes went back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelReason {
    /// Nobody accepted before the expiry.
    Expired,
    /// Its creator, or an admin, deleted it.
    Deleted,
    /// It was settled as `void`.
    Void,
    /// Nobody settled it in time.
    Lapsed,
    /// An admin refunded it.
    Refunded,
}

named!(CancelReason {
    Expired = "expired",
    Deleted = "deleted",
    Void = "void",
    Lapsed = "lapsed",
    Refunded = "refunded",
});

/// Who took a bet off every list and page, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// When.
    pub at: Timestamp,
    /// The creator or an admin.
    pub by: UserId,
}

impl State {
    /// The status's name.
    pub const fn status(&self) -> Status {
        match self {
            Self::Pending => Status::Pending,
            Self::Accepted(_) => Status::Accepted,
            Self::AwaitingResolution(_) => Status::AwaitingResolution,
            Self::Resolved { .. } => Status::Resolved,
            Self::Cancelled { .. } => Status::Cancelled,
        }
    }

    /// Who accepted, in every status in which somebody had.
    pub const fn challenge(&self) -> Option<Challenge> {
        match self {
            Self::Pending | Self::Cancelled { negotiation: None, .. } => None,
            Self::Accepted(challenge) => Some(*challenge),
            Self::AwaitingResolution(n)
            | Self::Resolved { negotiation: n, .. }
            | Self::Cancelled { negotiation: Some(n), .. } => Some(n.challenge),
        }
    }

    /// What the parties said, in every status in which they could have.
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
