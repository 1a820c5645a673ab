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

/// What a user is told, the user's API keys, and what keeps the user from deleting the account.
fn account(world: &World, subject: &mut Subject, user: usize) -> Result<(), String> {
    differ(&format!("the notifications of user {user}"), &world.news(user), &subject.news(user)?)?;
    differ(&format!("the API keys of user {user}"), &world.keys(user), &subject.keys(user)?)?;
    let expected = world.obstacles(user).into_iter().map(|(kind, count)| (kind.to_owned(), count));
    let expected: Vec<(String, i64)> = expected.collect();
    differ(&format!("the obstacles of user {user}"), &expected, &subject.obstacles(user)?)
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
    let here: Vec<usize> = (0..world.users.len()).filter(|user| !world.users[*user].is_gone).collect();
    let actor = action.user().filter(|user| here.contains(user));
    match scope {
        Scope::Touched => {
            let Some(actor) = actor else { return Ok(()) };
            user(world, subject, actor)?;
            if matches!(
                action,
                Action::DeleteAccount { .. }
                    | Action::Read { .. }
                    | Action::ReadAll { .. }
                    | Action::Clear { .. }
            ) {
                account(world, subject, actor)?;
            }
            action.bet().map_or(Ok(()), |number| bet(world, subject, actor, number))
        }
        Scope::Everything => {
            for number in here.iter().copied() {
                user(world, subject, number)?;
                account(world, subject, number)?;
            }
            for number in 0..world.bets.len() {
                // The viewer changes from bet to bet, so that all kinds of viewers occur.
                let viewer = here[actor.unwrap_or(number) % here.len()];
                bet(world, subject, viewer, number)?;
            }
            for (number, one) in
                world.withdrawals.iter().enumerate().filter(|(_, one)| here.contains(&one.user))
            {
                let seen = subject.withdrawal(one.user, number)?;
                differ(&format!("withdrawal {number}"), &one.status, &seen)?;
            }
            Ok(())
        }
    }
}
