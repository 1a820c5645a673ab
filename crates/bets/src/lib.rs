//! A bet: its terms, sides and statuses, and the actions 'create', 'accept' and 'delete'.
//!
//! Each action takes the bet by value and returns a [`Change`]: the new bet, the event to record, the effect on
//! the escrow, and the notifications to send. The crate `bolts-resolution` builds on this crate. That crate
//! contains the other rules of `docs/domain-rules.md`: how users end a bet, propose, answer, dispute and rule.

mod action;
mod arbiter;
mod bet;
mod change;
mod contribution;
mod odds;
mod state;
mod terms;
mod text;

pub use action::Action;
pub use arbiter::{Arbiter, ArbiterStatus};
pub use bet::{Bet, Marks, NewBet, Party};
pub use change::{By, Change, EscrowEffect, Event, EventKind, Notice, NoticeKind, Recipient, Refusal};
pub use contribution::Contribution;
pub use odds::{MAX_RATIO, Odds, opponent_stakes};
pub use state::{
    CancelReason, Challenge, Deletion, Dispute, Negotiation, Proposal, Rejections, SettledBy, Settlement,
    State, Status,
};
pub use terms::{
    Category, Method, MethodPolicy, Outcome, ShareToken, Side, Terms, TermsDraft, Visibility, Waits,
};
pub use text::{SourceUrl, Text};
