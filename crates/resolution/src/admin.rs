//! The actions of admins on bets. The caller has checked that the user is an admin.

use bolts_bets::{
    Bet, By, CancelReason, Change, Deletion, EventKind, Negotiation, NoticeKind, Outcome, Refusal, SettledBy,
    State,
};
use bolts_kernel::{Timestamp, UserId};

use crate::{disputed, settle, to_rule_on};

/// Refuses an admin who is a party of the bet, because admins must not decide about their own money.
pub(crate) fn refuse_parties(bet: &Bet, admin: UserId) -> Result<(), Refusal> {
    if bet.party(admin).is_some() { Err(Refusal::ConflictOfInterest) } else { Ok(()) }
}

/// Refuses to decide a dispute for which the arbiter still has time.
fn refuse_before_arbiter(bet: &Bet) -> Result<(), Refusal> {
    let is_with_arbiter = disputed(bet).is_some() && bet.ruling_arbiter().is_some();
    if is_with_arbiter { Err(Refusal::ArbiterRules) } else { Ok(()) }
}

/// Checks that the admin may rule on the bet. Returns the negotiation to settle.
pub(crate) fn check_rule(bet: &Bet, admin: UserId) -> Result<Negotiation, Refusal> {
    refuse_parties(bet, admin)?;
    let negotiation = to_rule_on(bet)?;
    refuse_before_arbiter(bet)?;
    Ok(negotiation.clone())
}

/// Rules on a dispute. The ruling settles the bet.
///
/// # Errors
/// The admin is a party of the bet, the bet is not disputed, the bet is already resolved or cancelled, or the arbiter
/// still has time to rule.
pub fn rule(
    bet: Bet,
    admin: UserId,
    outcome: Outcome,
    note: &str,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let negotiation = check_rule(&bet, admin)?;
    let change = settle(bet, negotiation, outcome, SettledBy::Ruling, now);
    let change = change.recorded(EventKind::Ruled, By::Admin(admin)).detailed(crate::ruling(outcome, note));
    Ok(change.telling_both(NoticeKind::BetRuled, Some(outcome), None))
}

/// Checks that the admin may refund the bet.
pub(crate) fn check_refund(bet: &Bet, admin: UserId) -> Result<(), Refusal> {
    refuse_parties(bet, admin)?;
    match &bet.state {
        State::Resolved { .. } => Err(Refusal::AlreadyResolved),
        State::Cancelled { .. } => Err(Refusal::Cancelled),
        State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => refuse_before_arbiter(bet),
    }
}

/// Cancels a bet and gives every stake back.
///
/// # Errors
/// The admin is a party of the bet, the bet is already resolved or cancelled, or a dispute waits for the arbiter, who
/// still has time to rule.
pub fn refund(bet: Bet, admin: UserId, now: Timestamp) -> Result<Change, Refusal> {
    check_refund(&bet, admin)?;
    let change = bet.cancelled(CancelReason::Refunded, now);
    let change = change.recorded(EventKind::Refunded, By::Admin(admin));
    Ok(change.telling_both(NoticeKind::BetRefunded, None, None))
}

/// Removes a bet from all lists and pages. Stakes in escrow go back to their owners. A payout stays with the
/// winner.
///
/// # Errors
/// The admin is a party of the bet.
pub fn admin_delete(mut bet: Bet, admin: UserId, now: Timestamp) -> Result<Change, Refusal> {
    refuse_parties(&bet, admin)?;
    bet.deletion = Some(Deletion { at: now, by: admin });
    let change = match &bet.state {
        State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => {
            bet.cancelled(CancelReason::Deleted, now)
        }
        State::Resolved { .. } | State::Cancelled { .. } => {
            bet.updated_at = now;
            Change::silent(bet)
        }
    };
    let change = change.recorded(EventKind::AdminDeleted, By::Admin(admin));
    Ok(change.telling_both(NoticeKind::BetRemoved, None, None))
}
