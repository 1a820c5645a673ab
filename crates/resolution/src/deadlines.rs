//! The steps of the clock: the changes to a bet at its deadlines if nobody acts
//! (`docs/domain-rules.md#the-clock`). The deadlines have two purposes: no bet holds money for ever, and a
//! loser cannot delay the payout for ever.

use std::borrow::Cow;
use std::time::Duration;

use bolts_bets::{
    Bet, By, CancelReason, Change, EventKind, Marks, Negotiation, NoticeKind, Outcome, Party, Proposal,
    SettledBy, State,
};
use bolts_kernel::{Timestamp, named};

use crate::{arbiter, settle};

/// The length of the grace period. A deadline that passed during an outage moves to the end of the outage
/// plus this time.
pub const PUT_OFF: Duration = Duration::from_hours(24);

/// Only an outage of more than this time gives deadlines a grace period.
const OUTAGE: Duration = Duration::from_hours(1);

/// A step that the clock takes on a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A pending bet expires. The clock cancels the bet, and the stake goes back.
    Expire,
    /// An accepted bet expires. Both parties get a notification.
    Due,
    /// Both parties get a reminder of the next deadline.
    Remind,
    /// Nobody answered the proposal in time. The clock settles the bet as proposed.
    Stand,
    /// Nobody settled the bet in time. The clock cancels the bet, and both stakes go back.
    Lapse,
    /// No admin ruled on the dispute in time. The clock settles the bet.
    DisputeLapse,
    /// The arbiter did not rule in time. The dispute goes to the admins.
    HandOver,
}

named!(Step {
    Expire = "expire",
    Due = "due",
    Remind = "remind",
    Stand = "stand",
    Lapse = "lapse",
    DisputeLapse = "dispute_lapse",
    HandOver = "hand_over",
});

impl Step {
    /// The steps that end a bet.
    pub const ENDS: [Self; 4] = [Self::Expire, Self::Stand, Self::Lapse, Self::DisputeLapse];
}

/// A step of the clock and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The time from which the step is due.
    pub at: Timestamp,
    /// The step that is due.
    pub step: Step,
}

/// A step that ends a bet, with the data that it needs.
#[derive(Clone, Copy)]
enum End<'a> {
    /// See [`Step::Expire`].
    Expire,
    /// See [`Step::Stand`]. The bet is settled with this outcome.
    Stand(&'a Negotiation, Outcome),
    /// See [`Step::Lapse`].
    Lapse,
    /// See [`Step::DisputeLapse`].
    DisputeLapse(&'a Negotiation),
}

impl End<'_> {
    const fn step(self) -> Step {
        match self {
            Self::Expire => Step::Expire,
            Self::Stand(..) => Step::Stand,
            Self::Lapse => Step::Lapse,
            Self::DisputeLapse(_) => Step::DisputeLapse,
        }
    }
}

/// The end of the bet if nobody acts, and its time. `None` for a bet that has ended.
fn end(bet: &Bet) -> Option<(Timestamp, End<'_>)> {
    let (at, end) = match &bet.state {
        State::Pending => return Some((bet.terms.expires_at, End::Expire)),
        State::Accepted(_) => (lapse_at(bet, None), End::Lapse),
        State::AwaitingResolution(negotiation) => match (&negotiation.dispute, binding_proposal(negotiation))
        {
            (Some(dispute), _) => (dispute.at.after(bet.waits.dispute_lapse), End::DisputeLapse(negotiation)),
            (None, Some(proposal)) => {
                let from = proposal.at.max(bet.terms.expires_at);
                (from.after(bet.waits.stand), End::Stand(negotiation, proposal.outcome))
            }
            (None, None) => (lapse_at(bet, Some(negotiation)), End::Lapse),
        },
        State::Resolved { .. } | State::Cancelled { .. } => return None,
    };
    Some((deferred(bet, at), end))
}

/// The step that ends the bet if nobody acts: expire, stand, lapse or dispute lapse. `None` for a bet that
/// has ended.
pub fn decision(bet: &Bet) -> Option<Deadline> {
    end(bet).map(|(at, end)| Deadline { at, step: end.step() })
}

/// The time of a deadline with the grace period.
fn deferred(bet: &Bet, at: Timestamp) -> Timestamp {
    bet.marks.deferred_until.map_or(at, |until| at.max(until))
}

/// The time from which the arbiter may no longer rule on the dispute. `None` if no dispute waits for the arbiter.
pub fn arbiter_deadline(bet: &Bet) -> Option<Timestamp> {
    arbiter::rules_until(bet).map(|at| deferred(bet, at))
}

/// The step whose reminder comes next: the end of the arbiter's time, otherwise the decision.
fn reminded(bet: &Bet, decision: Deadline) -> Deadline {
    arbiter_deadline(bet).map_or(decision, |at| Deadline { at, step: Step::HandOver })
}

/// The proposal that waits for an answer, if the clock may settle the bet as proposed. The clock never settles a bet by
/// an unanswered proposal of `void`.
fn binding_proposal(negotiation: &Negotiation) -> Option<Proposal> {
    negotiation.standing.filter(|proposal| proposal.outcome != Outcome::Void)
}

/// The time of the lapse, counted from the latest of the expiry, the last proposal and the last rejection.
fn lapse_at(bet: &Bet, negotiation: Option<&Negotiation>) -> Timestamp {
    let proposed = negotiation.and_then(|n| n.last_proposed_at);
    let rejected = negotiation.and_then(|n| n.rejections.last_at);
    let from = [proposed, rejected].into_iter().flatten().fold(bet.terms.expires_at, Timestamp::max);
    from.after(bet.waits.lapse)
}

/// The next step of any kind, notifications and reminders included. `None` for a bet that has ended.
pub fn next(bet: &Bet) -> Option<Deadline> {
    let decision = decision(bet)?;
    let due = (matches!(bet.state, State::Accepted(_)) && !bet.marks.due_told)
        .then_some(Deadline { at: bet.terms.expires_at, step: Step::Due });
    let reminded = reminded(bet, decision);
    let reminder = reminder_at(bet, reminded).map(|at| Deadline { at, step: Step::Remind });
    [due, reminder, Some(reminded), Some(decision)].into_iter().flatten().min_by_key(|deadline| deadline.at)
}

/// The time of the reminder of this deadline. `None` if the deadline has no reminder, or if the users already got the
/// reminder.
fn reminder_at(bet: &Bet, deadline: Deadline) -> Option<Timestamp> {
    let wait = match deadline.step {
        Step::Stand => bet.waits.stand,
        Step::Lapse => bet.waits.lapse,
        Step::HandOver => bet.waits.arbiter,
        Step::Expire | Step::Due | Step::Remind | Step::DisputeLapse => return None,
    };
    // If the waiting time is not longer than the time between reminder and deadline, the reminder would be due
    // at the start of the waiting time. So no reminder is sent.
    let wanted = wait > bet.waits.reminder && bet.marks.reminded_of != Some(deadline.at);
    wanted.then(|| deadline.at.before(bet.waits.reminder))
}

/// Whether a step of the clock is due. A due step must be applied before any action on the bet.
pub fn is_overdue(bet: &Bet, now: Timestamp) -> bool {
    next(bet).is_some_and(|deadline| now >= deadline.at)
}

/// Applies the next step that is due at `now`. `None` if no step is due.
///
/// More than one step may be due, so the caller repeats the call with the changed bet.
pub fn due(bet: &Bet, now: Timestamp) -> Option<Change> {
    let next = next(bet).filter(|deadline| now >= deadline.at)?;
    // If a deadline is due, a reminder of it is useless. The hand-over comes before the end, because it may give the admins time.
    if arbiter_deadline(bet).is_some_and(|at| now >= at) {
        return Some(arbiter::hand_over(bet.clone(), now));
    }
    let (at, end) = end(bet)?;
    if now >= at {
        return Some(apply(end, bet, now));
    }
    let reminded = reminded(bet, Deadline { at, step: end.step() });
    Some(notify(bet.clone(), next.step, reminded, now))
}

/// The bet after all steps that are due at `now`.
pub fn caught_up(bet: &Bet, now: Timestamp) -> Cow<'_, Bet> {
    let mut bet = Cow::Borrowed(bet);
    while let Some(change) = due(&bet, now) {
        bet = Cow::Owned(change.bet);
    }
    bet
}

fn apply(end: End<'_>, bet: &Bet, now: Timestamp) -> Change {
    let cancelled = |reason| bet.clone().cancelled(reason, now);
    match end {
        End::Expire => {
            let change = cancelled(CancelReason::Expired).recorded(EventKind::Expired, By::Clock);
            change.telling(Party::Creator, NoticeKind::BetExpired)
        }
        End::Stand(negotiation, outcome) => {
            let change = settle(bet.clone(), negotiation.clone(), outcome, SettledBy::Stand, now);
            let change = change.recorded(EventKind::Stood, By::Clock).detailed(outcome.as_str());
            change.telling_both(NoticeKind::ProposalStood, Some(outcome), None)
        }
        End::Lapse => {
            let change = cancelled(CancelReason::Lapsed).recorded(EventKind::Lapsed, By::Clock);
            change.telling_both(NoticeKind::BetLapsed, None, None)
        }
        End::DisputeLapse(negotiation) => {
            let outcome = unruled_outcome(bet, negotiation);
            let change = settle(bet.clone(), negotiation.clone(), outcome, SettledBy::DisputeLapse, now);
            let change = change.recorded(EventKind::DisputeLapsed, By::Clock).detailed(outcome.as_str());
            let change = change.telling_both(NoticeKind::DisputeLapsed, Some(outcome), None);
            change.telling_admins(NoticeKind::DisputeLapsed)
        }
    }
}

/// The outcome of a dispute that no admin ruled on in time.
///
/// The outcome is the proposed one if the proposal favours the party who did not make it. Otherwise the
/// outcome is `void`. So a party cannot win with their own proposal if the admins do nothing.
fn unruled_outcome(bet: &Bet, negotiation: &Negotiation) -> Outcome {
    let Some(proposal) = negotiation.standing else { return Outcome::Void };
    let winner = proposal.outcome.winning_side().map(|side| crate::winner_on(bet, negotiation, side));
    match winner {
        Some(winner) if winner != proposal.by => proposal.outcome,
        Some(_) | None => Outcome::Void,
    }
}

/// Applies a step that moves no money: notifies the parties or the arbiter of the deadline, and marks the step as done,
/// so that it happens once.
fn notify(mut bet: Bet, step: Step, deadline: Deadline, now: Timestamp) -> Change {
    if step == Step::Due {
        bet.marks.due_told = true;
        let change = bet.changed(now, EventKind::Due, By::Clock);
        return change.telling_both(NoticeKind::BetDue, None, Some(deadline.at));
    }
    bet.marks.reminded_of = Some(deadline.at);
    let outcome = bet.state.negotiation().and_then(|n| n.standing).map(|p| p.outcome);
    let change = Change::silent(bet);
    match deadline.step {
        Step::HandOver => change.telling_arbiter(NoticeKind::ArbiterReminder, Some(deadline.at)),
        Step::Stand => change.telling_both(NoticeKind::StandReminder, outcome, Some(deadline.at)),
        Step::Expire | Step::Due | Step::Remind | Step::Lapse | Step::DisputeLapse => {
            change.telling_both(NoticeKind::LapseReminder, outcome, Some(deadline.at))
        }
    }
}

/// Whether a time without a server is so long that it gives deadlines a grace period: more than an hour.
pub fn is_outage(from: Timestamp, to: Timestamp) -> bool {
    to.since(from) > OUTAGE
}

/// Applies the grace period to a deadline that passed during an outage, when the users could not act. A dispute of the
/// arbiter has two deadlines: the end of the arbiter's time, and the decision.
///
/// The outage lasted from `from` (included) to `to` (excluded). The deadline moves to [`PUT_OFF`] after `to`.
/// The result is `None` if the deadline does not move. Reasons: the time was no [outage](is_outage), the
/// deadline did not pass during the outage, the deadline has moved before, or the deadline is an expiry. The
/// grace period does not apply to an expiry, because an expiry only gives the stake back to its owner.
pub fn put_off(mut bet: Bet, from: Timestamp, to: Timestamp) -> Option<Bet> {
    let decision = decision(&bet)?;
    let fell_at = |at: Timestamp| at >= from && at < to && is_outage(from, to);
    let fell = fell_at(reminded(&bet, decision).at) || fell_at(decision.at);
    if decision.step == Step::Expire || !fell || bet.marks.deferred_until.is_some() {
        return None;
    }
    bet.marks = Marks { deferred_until: Some(to.after(PUT_OFF)), ..bet.marks };
    Some(bet)
}

/// Corrects the times that only a clock that was ahead can have written. A grace period ends at most [`PUT_OFF`] after `now`.
/// Deadlines count from a proposal, a rejection or a dispute that is not later than `now`. `None` if all times of the bet are
/// right.
pub fn shortened(bet: &Bet, now: Timestamp) -> Option<Bet> {
    let mut right = bet.clone();
    let marks = &mut right.marks;
    marks.deferred_until = marks.deferred_until.map(|until| until.min(now.after(PUT_OFF)));
    // Parties who were told of the expiry before it are told again.
    marks.due_told &= now >= bet.terms.expires_at;
    if let State::AwaitingResolution(negotiation) = &mut right.state {
        let times = [
            negotiation.standing.as_mut().map(|proposal| &mut proposal.at),
            negotiation.last_proposed_at.as_mut(),
            negotiation.rejections.last_at.as_mut(),
            negotiation.dispute.as_mut().map(|dispute| &mut dispute.at),
        ];
        times.into_iter().flatten().for_each(|at| *at = now.min(*at));
    }
    (right != *bet).then_some(right)
}
