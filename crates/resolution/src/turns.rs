//! The users that a bet waits for, and what the bet waits for.

use bolts_bets::{Action, ArbiterStatus, Bet, Method, Party, State};
use bolts_kernel::{Timestamp, UserId, named};

use crate::actions::changes;
use crate::deadlines;

/// A task of a user that a bet waits for. Each task is one of the user's open [`crate::actions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// Accept or reject the proposal of the other party.
    Answer,
    /// Propose an outcome.
    Propose,
    /// Propose another outcome or raise a dispute, because a proposal was rejected.
    ProposeAgain,
    /// Declare the outcome (Manual Verification).
    Declare,
    /// Open the resolution of the expired bet, so that an outcome can be proposed.
    Open,
    /// Rule on the dispute.
    Rule,
    /// Accept or decline the invitation to be the arbiter.
    AnswerInvitation,
}

named!(Task {
    Answer = "answer",
    Propose = "propose",
    ProposeAgain = "propose_again",
    Declare = "declare",
    Open = "open",
    Rule = "rule",
    AnswerInvitation = "answer_invitation",
});

impl Task {
    /// The action that does this task.
    pub const fn action(self) -> Action {
        match self {
            Self::Answer => Action::AcceptProposal,
            Self::Propose | Self::ProposeAgain | Self::Declare => Action::Propose,
            Self::Open => Action::EndEarly,
            Self::Rule => Action::Rule,
            Self::AnswerInvitation => Action::AcceptArbitration,
        }
    }
}

/// The users that a bet waits for, with their tasks (`docs/domain-rules.md#whose-turn-it-is`). The default value
/// is a bet that waits for nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// The task of the creator.
    pub creator: Option<Task>,
    /// The task of the user who accepted the bet.
    pub acceptor: Option<Task>,
    /// Whether the bet waits for the ruling of an admin.
    pub admins: bool,
    /// The task of the named arbiter.
    pub arbiter: Option<Task>,
}

impl Turns {
    /// The task of this user. An admin who is a party must not rule, so this admin has only the task of a party.
    pub fn of(self, bet: &Bet, user: UserId, is_admin: bool) -> Option<Task> {
        match bet.party(user) {
            Some(Party::Creator) => self.creator,
            Some(Party::Acceptor) => self.acceptor,
            None => {
                let own = self.arbiter.filter(|_| bet.arbiter_named(user).is_some());
                own.or((is_admin && self.admins).then_some(Task::Rule))
            }
        }
    }
}

/// The users that the bet waits for at `now`.
///
/// A bet waits for users once it has expired or awaits its resolution. A disputed bet waits for the arbiter or for the
/// admins. Any other bet waits for each party who can bring the settlement nearer. A bet also waits for the named
/// arbiter's answer to the invitation, from its creation on. Steps of the clock that are due count as done.
pub fn turns(bet: &Bet, now: Timestamp) -> Turns {
    if !may_wait(bet, now) && !waits_for_answer(bet, now) {
        return Turns::default();
    }
    let bet = deadlines::caught_up(bet, now);
    let arbiter = bet.arbiter.and_then(|arbiter| arbiters_task(&bet, arbiter.user, now));
    if !may_wait(&bet, now) {
        return Turns { arbiter, ..Turns::default() };
    }
    if bet.state.negotiation().is_some_and(|negotiation| negotiation.dispute.is_some()) {
        return Turns { admins: bet.ruling_arbiter().is_none(), arbiter, ..Turns::default() };
    }
    let task = |user: Option<UserId>| user.and_then(|user| task(&bet, user, now));
    Turns { creator: task(Some(bet.creator)), acceptor: task(bet.acceptor()), admins: false, arbiter }
}

/// Whether the bet may wait for the arbiter's answer to the invitation.
fn waits_for_answer(bet: &Bet, now: Timestamp) -> bool {
    bet.arbiter.is_some_and(|arbiter| {
        arbiter.status == ArbiterStatus::Invited
            && changes(Action::AcceptArbitration, bet, arbiter.user, false, now) == Ok(true)
    })
}

fn arbiters_task(bet: &Bet, arbiter: UserId, now: Timestamp) -> Option<Task> {
    let is_open = |task: &Task| changes(task.action(), bet, arbiter, false, now) == Ok(true);
    [Task::Rule, Task::AnswerInvitation].into_iter().find(is_open)
}

/// Whether the bet can wait for a user at all. Most bets cannot, and for them the actions need not be checked.
fn may_wait(bet: &Bet, now: Timestamp) -> bool {
    let in_question = match bet.state {
        State::Accepted(_) => bet.is_expired(now),
        State::AwaitingResolution(_) => true,
        State::Pending | State::Resolved { .. } | State::Cancelled { .. } => false,
    };
    in_question && bet.deletion.is_none()
}

/// The task of a party of an undisputed bet.
fn task(bet: &Bet, party: UserId, now: Timestamp) -> Option<Task> {
    let is_open = |task: &Task| changes(task.action(), bet, party, false, now) == Ok(true);
    let was_rejected = bet.state.negotiation().is_some_and(|negotiation| negotiation.rejections.count > 0);
    let proposing = match bet.terms.method {
        Method::ManualVerification => Task::Declare,
        Method::MutualAgreement if was_rejected => Task::ProposeAgain,
        Method::MutualAgreement => Task::Propose,
    };
    [Task::Answer, proposing, Task::Open].into_iter().find(is_open)
}
