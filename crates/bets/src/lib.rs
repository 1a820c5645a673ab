//! The bet: its terms, its sides, its statuses and the transitions that need no rule about who may resolve it.
//!
//! A transition takes the bet by value and gives back a [`Change`]: the bet as it is afterwards, the event to
//! record, what happens to the escrow, and whom to tell. The rules of `docs/domain-rules.md` that decide who may
//! end, propose, answer, dispute and rule are in the crate `resolution`, which uses this one.

mod bet;
mod change;
mod state;
mod terms;
mod text;

pub use bet::{Bet, Marks, NewBet, Party};
pub use change::{By, Change, EscrowEffect, Event, EventKind, Notice, NoticeKind, Recipient, Refusal};
pub use state::{
    CancelReason, Challenge, Deletion, Dispute, Negotiation, Proposal, Rejections, SettledBy, Settlement,
    State, Status,
};
pub use terms::{
    Category, Method, MethodPolicy, Outcome, ShareToken, Side, Terms, TermsDraft, Visibility, Waits,
    stake_limits,
};
pub use text::{SourceUrl, Text, trimmed_length_error};
