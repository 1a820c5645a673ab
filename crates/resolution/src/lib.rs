//! The rules of the resolution of a bet (`docs/domain-rules.md`): the users who may end a bet, propose an
//! outcome, answer a proposal, dispute or rule, and the steps of the clock.
//!
//! Each action takes a bet, a user and the current time. It returns a [`bolts_bets::Change`] or the reason for
//! a refusal. Before a use case calls an action, it must apply all steps of the clock that are due
//! ([`deadlines::due`]).

mod actions;
mod admin;
mod arbiter;
pub mod deadlines;
mod parties;
mod turns;

pub use actions::actions;
pub use admin::{admin_delete, refund, rule};
pub use arbiter::{answer_invitation, rule_as_arbiter};
pub use parties::{Answer, acceptor_may_propose_at, dispute, end_early, propose, respond};
pub use turns::{Task, Turns, turns};

use bolts_bets::{
    Bet, CancelReason, Change, Dispute, EscrowEffect, Negotiation, Outcome, Refusal, SettledBy, Settlement,
    Side, State,
};
use bolts_kernel::Timestamp;

/// Settles a bet that has both stakes in escrow. The winner gets both stakes. If the outcome is `void`, each
/// party gets their own stake back.
fn settle(
    mut bet: Bet,
    mut negotiation: Negotiation,
    outcome: Outcome,
    by: SettledBy,
    now: Timestamp,
) -> Change {
    negotiation.standing = None;
    bet.updated_at = now;
    let (state, escrow) = match outcome.winning_side() {
        Some(winning) => {
            let winner = winner_on(&bet, &negotiation, winning);
            let settlement = Settlement { at: now, by };
            (State::Resolved { negotiation, winning, settlement }, EscrowEffect::PayOut(winner))
        }
        None => {
            let (negotiation, reason) = (Some(negotiation), CancelReason::Void);
            (State::Cancelled { negotiation, reason, at: now, settled_by: Some(by) }, EscrowEffect::Refund)
        }
    };
    bet.state = state;
    Change::silent(bet).with_escrow(escrow)
}

/// The dispute that waits for a ruling.
fn disputed(bet: &Bet) -> Option<&Dispute> {
    match &bet.state {
        State::AwaitingResolution(negotiation) => negotiation.dispute.as_ref(),
        State::Pending | State::Accepted(_) | State::Resolved { .. } | State::Cancelled { .. } => None,
    }
}

/// The negotiation of a bet whose dispute waits for a ruling.
fn to_rule_on(bet: &Bet) -> Result<&Negotiation, Refusal> {
    match &bet.state {
        State::Pending | State::Accepted(_) | State::Cancelled { .. } => Err(Refusal::NotAwaitingResolution),
        State::Resolved { .. } => Err(Refusal::AlreadyResolved),
        State::AwaitingResolution(negotiation) if negotiation.dispute.is_none() => Err(Refusal::NotDisputed),
        State::AwaitingResolution(negotiation) => Ok(negotiation),
    }
}

/// A ruling in words, for the event and for the list of the admins' actions. The note may be empty.
pub fn ruling(outcome: Outcome, note: &str) -> String {
    if note.is_empty() { outcome.to_string() } else { format!("{outcome}: {note}") }
}

fn winner_on(bet: &Bet, negotiation: &Negotiation, side: Side) -> bolts_kernel::UserId {
    if side == bet.creator_side { bet.creator } else { negotiation.challenge.acceptor }
}
