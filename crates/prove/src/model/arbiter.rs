//! The rules of the arbiter, from `docs/domain-rules.md#the-arbiter`.

use super::action::Token;
use super::bet::{Bet, Outcome, Phase};
use super::clock::GRACE;
use super::news::To;
use super::{ARBITER, DISPUTE_LAPSE, Refusal, Verdict, World, refused, refused_on};

/// What became of the task of a named arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub enum Task {
    Invited,
    Accepted,
    Declined,
    Resigned,
    OutOfTime,
}

impl Bet {
    /// Whether the user was named as the arbiter, and still takes part.
    pub(crate) fn is_active_arbiter(&self, user: usize) -> bool {
        matches!(self.arbiter, Some((named, Task::Invited | Task::Accepted | Task::OutOfTime)) if named == user)
    }

    pub(crate) fn is_named(&self, user: usize) -> bool {
        self.arbiter.is_some_and(|(named, _)| named == user)
    }

    /// Whether a dispute waits for the arbiter, so that no admin may decide it.
    pub(super) fn is_with_arbiter(&self) -> bool {
        self.is_disputed() && matches!(self.arbiter, Some((_, Task::Accepted)))
    }

    /// The end of the arbiter's time, if a dispute waits for the arbiter.
    pub(super) fn hand_over_at(&self) -> Option<i64> {
        let at = self.disputed_at.filter(|_| self.is_with_arbiter())? + ARBITER;
        Some(at.max(self.deferred_until.unwrap_or(at)))
    }

    /// `Ok` has the new state of the task, or nothing if the answer changes nothing.
    pub(crate) fn may_answer(&self, user: usize, accepts: bool) -> Result<Option<Task>, Refusal> {
        let Some((_, task)) = self.arbiter.filter(|(named, _)| *named == user) else {
            return Err(("not_arbiter", None));
        };
        match self.phase {
            Phase::Resolved(_) => return Err(("bet_already_resolved", None)),
            Phase::Cancelled(_) => return Err(("bet_cancelled", None)),
            Phase::Pending | Phase::Accepted | Phase::Awaiting => {}
        }
        match task {
            Task::OutOfTime => Err(("arbiter_out_of_time", None)),
            Task::Invited if accepts && self.is_disputed() => Err(("bet_disputed", None)),
            Task::Invited => Ok(Some(if accepts { Task::Accepted } else { Task::Declined })),
            Task::Accepted => Ok((!accepts).then_some(Task::Resigned)),
            Task::Declined | Task::Resigned if accepts => Err(("arbiter_gone", None)),
            Task::Declined | Task::Resigned => Ok(None),
        }
    }

    pub(crate) fn may_arbitrate(&self, user: usize) -> Verdict {
        if !self.is_active_arbiter(user) {
            return refused("not_arbiter");
        }
        match self.phase {
            Phase::Resolved(_) => return refused("bet_already_resolved"),
            Phase::Awaiting if self.is_disputed() => {}
            Phase::Awaiting => return refused("bet_not_disputed"),
            Phase::Pending | Phase::Accepted | Phase::Cancelled(_) => {
                return refused("bet_not_awaiting_resolution");
            }
        }
        match self.arbiter {
            Some((_, Task::Accepted)) => Ok(()),
            Some((_, Task::OutOfTime)) => refused("arbiter_out_of_time"),
            _ => refused("not_allowed"),
        }
    }
}

impl World {
    /// The user with this number in the username.
    pub(super) fn arbiter_for(&self, creator: usize, name: Option<u8>) -> Result<Option<usize>, Refusal> {
        let Some(name) = name else { return Ok(None) };
        match self.named(name) {
            Some(user) if user != creator => Ok(Some(user)),
            Some(_) | None => refused_on("invalid_fields", "arbiter").map(|()| None),
        }
    }

    pub(super) fn answer_invitation(&mut self, user: usize, bet: usize, accepts: bool) -> Verdict {
        let bet = self.seen(user, bet, Token::None)?;
        if let Some(task) = self.bets[bet].may_answer(user, accepts)? {
            self.take_task(user, bet, task);
        }
        Ok(())
    }

    /// The arbiter answers the invitation, or gives the task up.
    pub(super) fn take_task(&mut self, user: usize, bet: usize, task: Task) {
        let was_with_arbiter = self.bets[bet].is_with_arbiter();
        self.bets[bet].arbiter = Some((user, task));
        let title = match task {
            Task::Accepted => "Arbiter Accepted",
            Task::Resigned => "Arbiter Stepped Down",
            Task::Invited | Task::Declined | Task::OutOfTime => "Arbiter Declined",
        };
        self.tell(To::Parties, bet, title);
        if was_with_arbiter {
            self.end_grace_period(bet);
            self.tell(To::Admins, bet, "Dispute to Rule On");
        }
    }

    pub(super) fn arbitrate(&mut self, user: usize, bet: usize, outcome: Outcome) -> Verdict {
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].may_arbitrate(user)?;
        self.may_give_away(user, bet)?;
        self.settle(bet, outcome);
        self.tell(To::Parties, bet, "Dispute Ruled");
        Ok(())
    }

    /// The grace period was for the arbiter. If it has left the admins less than a day, they get a day.
    fn end_grace_period(&mut self, bet: usize) {
        let day = self.now + GRACE;
        let one = &mut self.bets[bet];
        let had_one = one.deferred_until.take().is_some();
        let lapses_at = one.disputed_at.map(|at| at + DISPUTE_LAPSE);
        one.deferred_until = lapses_at.filter(|at| had_one && *at < day).map(|_| day);
    }

    /// The arbiter's time is over: the admins rule.
    pub(super) fn hand_over(&mut self, bet: usize) {
        self.end_grace_period(bet);
        let one = &mut self.bets[bet];
        one.arbiter = one.arbiter.map(|(user, _)| (user, Task::OutOfTime));
        self.tell(To::Parties, bet, "Dispute Handed Over");
        self.tell(To::Arbiter, bet, "Dispute Handed Over");
        self.tell(To::Admins, bet, "Dispute to Rule On");
    }
}
