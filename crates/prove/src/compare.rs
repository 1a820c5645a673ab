//! What the model expects users to see, and the comparison with what they see.

use crate::model::{ACHIEVEMENTS, Action, Cause, Money, Outcome, Phase, Side, Task, World};
use crate::subject::{SeenBet, SeenUser, Subject};

/// How much is compared after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The user who acted, and the bet that the action concerns.
    Touched,
    /// All users, bets and withdrawals.
    Everything,
}

fn expected_user(world: &World, user: usize) -> SeenUser {
    let one = &world.users[user];
    let mut unlocked: Vec<(String, bool)> = one
        .unlocked
        .iter()
        .map(|place| (ACHIEVEMENTS[*place].to_owned(), one.claimed.contains(place)))
        .collect();
    unlocked.sort();
    let figures = [world.figures(user, Money::Bolts), world.figures(user, Money::Sats)];
    SeenUser { bolts: one.bolts, sats: one.sats, unlocked, figures, progress: world.progress(user) }
}

fn expected_bet(world: &World, viewer: usize, bet: usize) -> Option<SeenBet> {
    let one = world.bets.get(bet).filter(|one| !one.is_deleted)?;
    if one.is_private && !one.concerns(viewer) && !world.users[viewer].is_admin {
        return None;
    }
    let outcome = |outcome| match outcome {
        Outcome::Wins(Side::A) => "A",
        Outcome::Wins(Side::B) => "B",
        Outcome::Void => "void",
    };
    let (status, winner, cause) = match one.phase {
        Phase::Pending => ("pending", None, None),
        Phase::Accepted => ("accepted", None, None),
        Phase::Awaiting => ("awaiting_resolution", None, None),
        Phase::Resolved(winner) => ("resolved", Some(winner), None),
        Phase::Cancelled(cause) => ("cancelled", None, Some(cause)),
    };
    let cause = cause.map(|cause| match cause {
        Cause::Expired => "expired",
        Cause::Deleted => "deleted",
        Cause::Void => "void",
        Cause::Lapsed => "lapsed",
        Cause::Refunded => "refunded",
    });
    let standing = one.proposal.filter(|_| one.phase == Phase::Awaiting);
    Some(SeenBet {
        status: status.to_owned(),
        acceptor: one.acceptor,
        winner,
        proposed: standing.map(|proposal| (outcome(proposal.outcome).to_owned(), proposal.by)),
        rejections: one.rejections,
        is_disputed: one.is_disputed(),
        cancel_reason: cause.map(str::to_owned),
        arbiter: one.arbiter.map(|(user, task)| (user, task_name(task).to_owned())),
        actions: world.open_actions(viewer, bet).into_iter().map(str::to_owned).collect(),
    })
}

/// The name of the state of an arbiter's task in the API.
const fn task_name(task: Task) -> &'static str {
    match task {
        Task::Invited => "invited",
        Task::Accepted => "accepted",
        Task::Declined => "declined",
        Task::Resigned => "resigned",
        Task::OutOfTime => "out_of_time",
    }
}

/// The user who acts, and the bet and the withdrawal that the action concerns.
const fn touched(action: &Action) -> (Option<usize>, Option<usize>) {
    match *action {
        Action::Accept { user, bet, .. }
        | Action::Delete { user, bet }
        | Action::EndEarly { user, bet }
        | Action::Propose { user, bet, .. }
        | Action::Respond { user, bet, .. }
        | Action::Dispute { user, bet }
        | Action::Rule { user, bet, .. }
        | Action::AnswerInvitation { user, bet, .. }
        | Action::Arbitrate { user, bet, .. }
        | Action::Refund { user, bet }
        | Action::Remove { user, bet } => (Some(user), Some(bet)),
        Action::Create { user, .. }
        | Action::Claim { user, .. }
        | Action::Deposit { user, .. }
        | Action::Poll { user, .. }
        | Action::Withdraw { user, .. } => (Some(user), None),
        Action::SignUp { .. }
        | Action::GrantBolts { .. }
        | Action::ResetPassword { .. }
        | Action::Pass { .. }
        | Action::Outage { .. }
        | Action::Jump { .. }
        | Action::Sweep
        | Action::Receive { .. }
        | Action::Work { .. } => (None, None),
    }
}

fn differ<T: std::fmt::Debug + PartialEq>(what: &str, expected: &T, seen: &T) -> Result<(), String> {
    if expected == seen {
        Ok(())
    } else {
        Err(format!("{what}:\n  the model: {expected:?}\n  the site:  {seen:?}"))
    }
}

fn user(world: &World, subject: &mut Subject, user: usize) -> Result<(), String> {
    differ(&format!("user {user}"), &expected_user(world, user), &subject.user(user)?)
}

fn bet(world: &World, subject: &mut Subject, viewer: usize, bet: usize) -> Result<(), String> {
    let (mut expected, mut seen) = (expected_bet(world, viewer, bet), subject.bet(viewer, bet)?);
    // The list of open actions counts steps that are due as done, but without the grace period after an outage. The
    // sweep applies them 2 s later, so the list is compared only then.
    if world.bets.get(bet).is_some_and(|_| world.is_behind(bet)) {
        [&mut expected, &mut seen].into_iter().flatten().for_each(|one| one.actions.clear());
    }
    differ(&format!("bet {bet} for user {viewer}"), &expected, &seen)
}

/// Compares what users see with what the model expects.
///
/// # Errors
/// The first difference, in words.
pub(crate) fn all(world: &World, subject: &mut Subject, action: &Action, scope: Scope) -> Result<(), String> {
    let (actor, concerned) = touched(action);
    match scope {
        Scope::Touched => {
            actor.map_or(Ok(()), |actor| user(world, subject, actor))?;
            concerned.zip(actor).map_or(Ok(()), |(number, actor)| bet(world, subject, actor, number))
        }
        Scope::Everything => {
            (0..world.users.len()).try_for_each(|number| user(world, subject, number))?;
            for number in 0..world.bets.len() {
                // The viewer changes from bet to bet, so that all kinds of viewers occur.
                let viewer = actor.unwrap_or(number) % world.users.len();
                bet(world, subject, viewer, number)?;
            }
            for (number, one) in world.withdrawals.iter().enumerate() {
                let seen = subject.withdrawal(one.user, number)?;
                differ(&format!("withdrawal {number}"), &one.status, &seen)?;
            }
            Ok(())
        }
    }
}
