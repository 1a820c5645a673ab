//! The rules about the arbiter of a bet (`docs/domain-rules.md#the-arbiter`): the answer to the invitation, the ruling,
//! and the hand-over of a dispute to the admins.

use bolts_bets::{
    Arbiter, ArbiterStatus, Bet, By, Change, EventKind, Negotiation, NoticeKind, Outcome, Refusal, SettledBy,
    State,
};
use bolts_kernel::{Timestamp, UserId};

use crate::deadlines::PUT_OFF;
use crate::{disputed, settle, to_rule_on};

/// Checks that the named arbiter may give this answer. Returns the new status, or `None` if the answer changes nothing.
pub(crate) fn check_answer(bet: &Bet, user: UserId, accept: bool) -> Result<Option<ArbiterStatus>, Refusal> {
    let arbiter = bet.arbiter_named(user).ok_or(Refusal::NotArbiter)?;
    match &bet.state {
        State::Resolved { .. } => return Err(Refusal::AlreadyResolved),
        State::Cancelled { .. } => return Err(Refusal::Cancelled),
        State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => {}
    }
    match (arbiter.status, accept) {
        // The dispute is already with the admins, and an arbiter who comes later must not take it from them.
        (ArbiterStatus::Invited, true) if disputed(bet).is_some() => Err(Refusal::Disputed),
        (ArbiterStatus::Invited, true) => Ok(Some(ArbiterStatus::Accepted)),
        (ArbiterStatus::Invited, false) => Ok(Some(ArbiterStatus::Declined)),
        (ArbiterStatus::Accepted, false) => Ok(Some(ArbiterStatus::Resigned)),
        (ArbiterStatus::Accepted, true) | (ArbiterStatus::Declined | ArbiterStatus::Resigned, false) => {
            Ok(None)
        }
        (ArbiterStatus::Declined | ArbiterStatus::Resigned, true) => Err(Refusal::ArbiterGone),
        (ArbiterStatus::OutOfTime, _) => Err(Refusal::ArbiterOutOfTime),
    }
}

/// The named arbiter accepts or declines the invitation. After an acceptance, `accept = false` gives the task up. If a
/// dispute waits for the arbiter, it goes to the admins then. A repeated answer changes nothing.
///
/// # Errors
/// The creator named another user or nobody, the bet has ended, the user gave the task up before, the arbiter's time
/// to rule is over, or the bet is disputed and the user would accept.
pub fn answer_invitation(
    mut bet: Bet,
    user: UserId,
    accept: bool,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let Some(status) = check_answer(&bet, user, accept)? else {
        return Ok(Change::silent(bet));
    };
    let waits = status == ArbiterStatus::Resigned && disputed(&bet).is_some();
    bet.arbiter = Some(Arbiter { user, status });
    if waits {
        end_grace_period(&mut bet, now);
    }
    let (event, notice) = match status {
        ArbiterStatus::Accepted => (EventKind::ArbiterAccepted, NoticeKind::ArbiterAccepted),
        ArbiterStatus::Resigned => (EventKind::ArbiterResigned, NoticeKind::ArbiterResigned),
        ArbiterStatus::Invited | ArbiterStatus::Declined | ArbiterStatus::OutOfTime => {
            (EventKind::ArbiterDeclined, NoticeKind::ArbiterDeclined)
        }
    };
    let change = bet.changed(now, event, By::Arbiter).telling_both(notice, None, None);
    Ok(if waits { change.telling_admins(NoticeKind::DisputeToRule) } else { change })
}

/// Checks that the user may rule as the arbiter. Returns the negotiation to settle.
pub(crate) fn check_ruling(bet: &Bet, user: UserId) -> Result<Negotiation, Refusal> {
    let arbiter = bet.arbiter_named(user).filter(|arbiter| arbiter.takes_part());
    let arbiter = arbiter.ok_or(Refusal::NotArbiter)?;
    let negotiation = to_rule_on(bet)?;
    match arbiter.status {
        ArbiterStatus::Accepted => Ok(negotiation.clone()),
        ArbiterStatus::OutOfTime => Err(Refusal::ArbiterOutOfTime),
        ArbiterStatus::Invited | ArbiterStatus::Declined | ArbiterStatus::Resigned => {
            Err(Refusal::NotAllowed)
        }
    }
}

/// The arbiter rules on a dispute. The ruling settles the bet.
///
/// # Errors
/// The user is not the arbiter or has not accepted the invitation, the bet is not disputed or has ended, or the
/// arbiter's time to rule is over.
pub fn rule_as_arbiter(
    bet: Bet,
    user: UserId,
    outcome: Outcome,
    note: &str,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let negotiation = check_ruling(&bet, user)?;
    let change = settle(bet, negotiation, outcome, SettledBy::ArbiterRuling, now);
    let change = change.recorded(EventKind::Ruled, By::Arbiter).detailed(crate::ruling(outcome, note));
    Ok(change.telling_both(NoticeKind::ArbiterRuled, Some(outcome), None))
}

/// The time from which the arbiter may no longer rule, without a grace period. `None` if no dispute waits for the
/// arbiter.
pub(crate) fn rules_until(bet: &Bet) -> Option<Timestamp> {
    bet.ruling_arbiter()?;
    disputed(bet).map(|dispute| dispute.at.after(bet.waits.arbiter))
}

/// Ends the grace period when a dispute goes from the arbiter to the admins. The grace period was for the arbiter, and the next
/// deadline can get its own. If it has left the admins less than [`PUT_OFF`], the admins get this time.
fn end_grace_period(bet: &mut Bet, now: Timestamp) {
    let least = now.after(PUT_OFF);
    let lapses_at = disputed(bet).map(|dispute| dispute.at.after(bet.waits.dispute_lapse));
    let is_short = bet.marks.deferred_until.is_some() && lapses_at.is_some_and(|at| at < least);
    bet.marks.deferred_until = is_short.then_some(least);
}

/// The step of the clock after the arbiter's time: the dispute goes to the admins.
pub(crate) fn hand_over(mut bet: Bet, now: Timestamp) -> Change {
    bet.arbiter = bet.arbiter.map(|arbiter| Arbiter { status: ArbiterStatus::OutOfTime, ..arbiter });
    end_grace_period(&mut bet, now);
    let change = bet.changed(now, EventKind::HandedOver, By::Clock);
    let change = change.telling_both(NoticeKind::DisputeHandedOver, None, None);
    let change = change.telling_arbiter(NoticeKind::DisputeHandedOver, None);
    change.telling_admins(NoticeKind::DisputeToRule)
}
