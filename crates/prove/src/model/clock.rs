//! The steps of the clock, and outages (`docs/domain-rules.md#the-clock`).

use super::bet::{Bet, Cause, Outcome, Phase};
use super::news::To;
use super::{DISPUTE_LAPSE, HOUR, LAPSE, REMINDER, STAND, World};

/// The grace period: a deadline that falls in an outage moves to this long after the outage.
pub(super) const GRACE: i64 = 24 * HOUR;

/// A step that ends a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Expire,
    Stand,
    Lapse,
    DisputeLapse,
}

/// A step, and the time from which it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deadline {
    pub(super) at: i64,
    pub(super) step: Step,
}

impl Bet {
    /// The step that ends the bet if nobody acts.
    pub(super) fn decision(&self) -> Option<Deadline> {
        let from_progress = || {
            let times = [Some(self.expires_at), self.last_proposed_at, self.last_rejected_at];
            times.into_iter().flatten().max().unwrap_or(self.expires_at)
        };
        let binding = self.proposal.filter(|proposal| proposal.outcome != Outcome::Void);
        let (at, step) = match self.phase {
            Phase::Resolved(_) | Phase::Cancelled(_) => return None,
            Phase::Pending => return Some(Deadline { at: self.expires_at, step: Step::Expire }),
            Phase::Accepted => (self.expires_at + LAPSE, Step::Lapse),
            Phase::Awaiting => match (self.disputed_at, binding) {
                (Some(at), _) => (at + DISPUTE_LAPSE, Step::DisputeLapse),
                (None, Some(proposal)) => (proposal.at.max(self.expires_at) + STAND, Step::Stand),
                (None, None) => (from_progress() + LAPSE, Step::Lapse),
            },
        };
        Some(Deadline { at: at.max(self.deferred_until.unwrap_or(at)), step })
    }

    /// The time of the next notification of the clock, if there is one before the decision.
    fn next_notice(&self, decision: Deadline) -> Option<i64> {
        let due = (self.phase == Phase::Accepted && !self.is_due_told).then_some(self.expires_at);
        let has_reminder = matches!(decision.step, Step::Stand | Step::Lapse);
        // A dispute of the arbiter has no other reminder than the arbiter's own.
        let ends = self.hand_over_at().or(has_reminder.then_some(decision.at));
        let reminder = ends.filter(|at| self.reminded_of != Some(*at)).map(|at| at - REMINDER);
        [due, reminder, self.hand_over_at()].into_iter().flatten().min()
    }

    /// The time of the next step of any kind.
    fn next_step(&self) -> Option<i64> {
        let decision = self.decision()?;
        Some(self.next_notice(decision).map_or(decision.at, |notice| notice.min(decision.at)))
    }
}

impl World {
    /// A server writes a heartbeat. More than an hour without one is an outage.
    pub(super) fn beat(&mut self) {
        self.note_outage();
        self.heartbeat = self.now;
    }

    fn note_outage(&mut self) {
        let (from, to) = (self.heartbeat, self.now);
        if to - from <= HOUR {
            return;
        }
        self.heartbeat = to;
        self.outages.push((from, to));
    }

    /// Moves the deadline of a bet that fell in an outage.
    fn put_off(&mut self, bet: usize) {
        let Some(decision) = self.bets[bet].decision() else { return };
        let ends = [Some(decision.at), self.bets[bet].hand_over_at()];
        let is_in = |(from, to): &&(i64, i64)| ends.iter().flatten().any(|at| *from <= *at && *at < *to);
        let Some((_, to)) = self.outages.iter().find(is_in) else { return };
        if decision.step != Step::Expire && self.bets[bet].deferred_until.is_none() {
            self.bets[bet].deferred_until = Some(to + GRACE);
        }
    }

    /// Time passes while a server runs.
    pub(super) fn pass(&mut self, micros: i64) {
        let mut left = micros;
        while left > 0 {
            let some = left.min(HOUR);
            self.now += some;
            left -= some;
            self.beat();
        }
    }

    pub(super) fn sweep(&mut self) {
        for bet in 0..self.bets.len() {
            self.apply_due(bet);
        }
    }

    /// Whether a step of the clock is due on the bet and not applied yet.
    pub fn is_behind(&self, bet: usize) -> bool {
        self.bets[bet].next_step().is_some_and(|at| self.now >= at)
    }

    /// Applies all steps of a bet that are due.
    pub(super) fn apply_due(&mut self, bet: usize) {
        if !self.is_behind(bet) {
            return;
        }
        // A server that meets a deadline without a recent heartbeat knows that the clock has jumped.
        self.note_outage();
        self.put_off(bet);
        while self.is_behind(bet) {
            let Some(decision) = self.bets[bet].decision() else { return };
            if self.bets[bet].hand_over_at().is_some_and(|at| self.now >= at) {
                self.hand_over(bet);
            } else if self.now >= decision.at {
                self.decide(bet, decision.step);
            } else if self.bets[bet].phase == Phase::Accepted && !self.bets[bet].is_due_told {
                self.notify_first(bet, decision);
            } else {
                self.remind(bet, decision);
            }
        }
    }

    /// The news of the expiry and the reminder may both be due. The earlier one comes first.
    fn notify_first(&mut self, bet: usize, decision: Deadline) {
        let one = &mut self.bets[bet];
        if one.next_notice(decision) == Some(one.expires_at) {
            one.is_due_told = true;
            self.tell(To::Parties, bet, "Time to Settle");
        } else {
            self.remind(bet, decision);
        }
    }

    /// Reminds the arbiter of the hand-over, or both parties of the decision.
    fn remind(&mut self, bet: usize, decision: Deadline) {
        let hand_over = self.bets[bet].hand_over_at();
        self.bets[bet].reminded_of = Some(hand_over.unwrap_or(decision.at));
        match (hand_over, decision.step) {
            (Some(_), _) => self.tell(To::Arbiter, bet, "Ruling Needed"),
            (None, Step::Stand) => self.tell(To::Parties, bet, "Answer Needed"),
            (None, Step::Lapse) => self.tell(To::Parties, bet, "Bet Not Settled"),
            (None, Step::Expire | Step::DisputeLapse) => {}
        }
    }

    fn decide(&mut self, bet: usize, step: Step) {
        match step {
            Step::Expire => {
                self.cancel(bet, Cause::Expired);
                self.tell(To::Parties, bet, "Bet Expired");
            }
            Step::Lapse => {
                self.cancel(bet, Cause::Lapsed);
                self.tell(To::Parties, bet, "Bet Cancelled");
            }
            Step::Stand => {
                let outcome = self.bets[bet].proposal.map_or(Outcome::Void, |proposal| proposal.outcome);
                self.settle(bet, outcome);
                self.tell(To::Parties, bet, "Outcome Stands");
            }
            Step::DisputeLapse => {
                let outcome = Self::unruled(&self.bets[bet]);
                self.settle(bet, outcome);
                self.tell(To::Parties, bet, "Dispute Closed");
                self.tell(To::Admins, bet, "Dispute Closed");
            }
        }
    }
}
