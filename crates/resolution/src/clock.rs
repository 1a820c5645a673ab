//! What happens to a bet when nobody acts (decisions, section 5): no bet may hold money for ever, nor a loser
//! keep a winner waiting.

use std::time::Duration;

use bolts_bets::{
    Bet, By, CancelReason, Change, EscrowEffect, EventKind, Marks, Negotiation, NoticeKind, Outcome, Party,
    SettledBy, State,
};
use bolts_kernel::Timestamp;

use crate::settle;

/// By how much deadlines are put off that fell while no server ran.
pub const PUT_OFF: Duration = Duration::from_secs(24 * 3_600);

/// How long no server must have run for its deadlines to be put off.
pub const OUTAGE: Duration = Duration::from_secs(3_600);

/// A step that the clock takes on a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A pending bet expires: cancelled, the stake goes back.
    Expire,
    /// A live bet reaches its expiry: both parties are told.
    Due,
    /// The parties are reminded of what comes next.
    Remind,
    /// The standing proposal settles the bet.
    Stand,
    /// Nobody settled the bet: both stakes go back.
    Lapse,
    /// Nobody ruled on the dispute: it is settled.
    DisputeLapse,
}

impl Step {
    /// Every step.
    pub const ALL: [Self; 6] =
        [Self::Expire, Self::Due, Self::Remind, Self::Stand, Self::Lapse, Self::DisputeLapse];

    /// The name that the API and the database use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Expire => "expire",
            Self::Due => "due",
            Self::Remind => "remind",
            Self::Stand => "stand",
            Self::Lapse => "lapse",
            Self::DisputeLapse => "dispute_lapse",
        }
    }
}

/// A step and its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// From when it holds.
    pub at: Timestamp,
    /// What is done then.
    pub step: Step,
}

/// What the clock will decide if nobody acts: expire, stand, lapse or dispute lapse; reminders left out.
pub fn decision(bet: &Bet) -> Option<Deadline> {
    let deferred = |at: Timestamp| bet.marks.deferred_until.map_or(at, |until| at.max(until));
    let (at, step) = match &bet.state {
        State::Pending => return Some(Deadline { at: bet.terms.expires_at, step: Step::Expire }),
        State::Accepted(_) => (lapse_at(bet, None), Step::Lapse),
        State::AwaitingResolution(negotiation) => match (&negotiation.dispute, binding_proposal(negotiation))
        {
            (Some(dispute), _) => (dispute.at.after(bet.waits.dispute_lapse), Step::DisputeLapse),
            (None, Some(proposed_at)) => {
                (proposed_at.max(bet.terms.expires_at).after(bet.waits.stand), Step::Stand)
            }
            (None, None) => (lapse_at(bet, Some(negotiation)), Step::Lapse),
        },
        State::Resolved { .. } | State::Cancelled { .. } => return None,
    };
    Some(Deadline { at: deferred(at), step })
}

/// When the standing proposal was made, if silence makes it stand: `void` never stands by silence.
fn binding_proposal(negotiation: &Negotiation) -> Option<Timestamp> {
    negotiation.standing.filter(|p| p.outcome != Outcome::Void).map(|p| p.at)
}

/// The wait for a lapse counts from the latest of the expiry, the last proposal and the last rejection.
fn lapse_at(bet: &Bet, negotiation: Option<&Negotiation>) -> Timestamp {
    let proposed = negotiation.and_then(|n| n.last_proposed_at);
    let rejected = negotiation.and_then(|n| n.rejections.last_at);
    let from = [proposed, rejected].into_iter().flatten().fold(bet.terms.expires_at, Timestamp::max);
    from.after(bet.waits.lapse)
}

/// The next step of any kind, the one to look at this bet again for.
pub fn next(bet: &Bet) -> Option<Deadline> {
    let decision = decision(bet)?;
    let due = (matches!(bet.state, State::Accepted(_)) && !bet.marks.due_told)
        .then_some(Deadline { at: bet.terms.expires_at, step: Step::Due });
    let reminder = reminder_at(bet, decision).map(|at| Deadline { at, step: Step::Remind });
    [due, reminder, Some(decision)].into_iter().flatten().min_by_key(|deadline| deadline.at)
}

/// When the parties are reminded of this decision, if they still are to be.
fn reminder_at(bet: &Bet, decision: Deadline) -> Option<Timestamp> {
    let wait = match decision.step {
        Step::Stand => bet.waits.stand,
        Step::Lapse => bet.waits.lapse,
        Step::Expire | Step::Due | Step::Remind | Step::DisputeLapse => return None,
    };
    // A wait no longer than the reminder's lead would be reminded of at its very start.
    let wanted = wait > bet.waits.reminder && bet.marks.reminded_of != Some(decision.at);
    wanted.then(|| decision.at.before(bet.waits.reminder))
}

/// Whether the clock has something to do on this bet, which has to be done before anything else.
pub fn is_overdue(bet: &Bet, now: Timestamp) -> bool {
    next(bet).is_some_and(|deadline| now >= deadline.at)
}

/// The one step that is due at `now`, taken; `None` where nothing is. Ask again with the changed bet: more than one
/// may be due.
pub fn due(bet: &Bet, now: Timestamp) -> Option<Change> {
    let next = next(bet).filter(|deadline| now >= deadline.at)?;
    let decision = decision(bet)?;
    // A reminder of what is already decided would be noise, so the decision goes first.
    if now >= decision.at {
        return Some(decide(bet.clone(), decision.step, now));
    }
    Some(tell(bet.clone(), next.step, decision, now))
}

fn decide(bet: Bet, step: Step, now: Timestamp) -> Change {
    match (step, &bet.state) {
        (Step::Stand, State::AwaitingResolution(negotiation)) => {
            let outcome = negotiation.standing.map_or(Outcome::Void, |proposal| proposal.outcome);
            let negotiation = negotiation.clone();
            let change = settle(bet, negotiation, outcome, SettledBy::Stand, now);
            let change = change.recorded(EventKind::Stood, By::Clock).detailed(outcome.as_str());
            change.telling_both(NoticeKind::ProposalStood, Some(outcome), None)
        }
        (Step::DisputeLapse, State::AwaitingResolution(negotiation)) => {
            let outcome = undisputed_outcome(&bet, negotiation);
            let negotiation = negotiation.clone();
            let change = settle(bet, negotiation, outcome, SettledBy::DisputeLapse, now);
            let change = change.recorded(EventKind::DisputeLapsed, By::Clock).detailed(outcome.as_str());
            let change = change.telling_both(NoticeKind::DisputeLapsed, Some(outcome), None);
            change.telling_admins(NoticeKind::DisputeLapsed)
        }
        (Step::Expire, _) => {
            let change = bet.cancelled(CancelReason::Expired, now).recorded(EventKind::Expired, By::Clock);
            change.telling(Party::Creator, NoticeKind::BetExpired)
        }
        (Step::Due | Step::Remind | Step::Stand | Step::Lapse | Step::DisputeLapse, _) => {
            let change = bet.cancelled(CancelReason::Lapsed, now).recorded(EventKind::Lapsed, By::Clock);
            change.telling_both(NoticeKind::BetLapsed, None, None)
        }
    }
}

/// A dispute that nobody ruled on follows the standing proposal only where it favours the party who did not make
/// it: nobody wins by proposing himself and waiting the admins out.
fn undisputed_outcome(bet: &Bet, negotiation: &Negotiation) -> Outcome {
    let Some(proposal) = negotiation.standing else { return Outcome::Void };
    let winner = proposal.outcome.winning_side().map(|side| crate::winner_on(bet, negotiation, side));
    match winner {
        Some(winner) if winner != proposal.by => proposal.outcome,
        Some(_) | None => Outcome::Void,
    }
}

/// Steps that move nothing: the parties are told, once.
fn tell(mut bet: Bet, step: Step, decision: Deadline, now: Timestamp) -> Change {
    if step == Step::Due {
        bet.marks.due_told = true;
        let change = bet.changed(now, EventKind::Due, By::Clock);
        return change.telling_both(NoticeKind::BetDue, None, Some(decision.at));
    }
    bet.marks.reminded_of = Some(decision.at);
    let outcome = bet.state.negotiation().and_then(|n| n.standing).map(|p| p.outcome);
    let kind =
        if decision.step == Step::Stand { NoticeKind::StandReminder } else { NoticeKind::LapseReminder };
    let change = Change { bet, event: None, escrow: EscrowEffect::Unchanged, notices: Vec::new() };
    change.telling_both(kind, outcome, Some(decision.at))
}

/// Puts off what the clock would decide on this bet, once, where its time fell while no server ran
/// (`from` to `to`) for longer than [`OUTAGE`]: its parties could not have acted. An expiry is not put off, as
/// nobody loses by it. Gives `None` where nothing is to be put off.
pub fn put_off(mut bet: Bet, from: Timestamp, to: Timestamp) -> Option<Bet> {
    let decision = decision(&bet)?;
    let fell = decision.at >= from && decision.at < to && to.since(from) > OUTAGE;
    if decision.step == Step::Expire || !fell || bet.marks.deferred_until.is_some() {
        return None;
    }
    bet.marks = Marks { deferred_until: Some(to.after(PUT_OFF)), ..bet.marks };
    Some(bet)
}
