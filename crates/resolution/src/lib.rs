//! Who may end a bet, propose its outcome, answer, dispute and rule, and what the clock settles (decisions,
//! section 5). Pure: the bet, the actor and `now` come in, a [`bolts_bets::Change`] or a refusal comes out.
//!
//! Every function here expects a bet on which the clock's due steps were applied ([`clock::due`]); the use cases
//! see to that before they ask.

mod admin;
pub mod clock;
mod parties;

pub use admin::{admin_delete, refund, rule};
pub use parties::{Answer, acceptor_may_propose_at, dispute, end_early, propose, respond};

use bolts_bets::{
    Bet, CancelReason, Change, EscrowEffect, Negotiation, Outcome, SettledBy, Settlement, Side, State,
};
use bolts_kernel::Timestamp;

/// Settles a bet with both stakes in escrow: the winner takes them, or `void` gives them back.
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
    Change { bet, event: None, escrow, notices: Vec::new() }
}

fn winner_on(bet: &Bet, negotiation: &Negotiation, side: Side) -> bolts_kernel::UserId {
    if side == bet.creator_side { bet.creator } else { negotiation.challenge.acceptor }
}
