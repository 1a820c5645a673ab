//! The list of actions that a user may do on a bet.

use bolts_bets::{Action, ArbiterStatus, Bet, Refusal};
use bolts_kernel::{Timestamp, UserId};

use crate::parties::{self, Answer};
use crate::{admin, arbiter, deadlines};

/// The actions that this user may do on the bet at `now`, in the order of [`Action::ALL`].
///
/// The list contains an action if the action would change the bet and the checks of the action would not refuse
/// it. The list does not consider the user's balance or the content of a request (the option, the named
/// proposal). Steps of the clock that are due count as done. A deleted bet has no actions.
pub fn actions(bet: &Bet, user: UserId, is_admin: bool, now: Timestamp) -> Vec<Action> {
    if bet.deletion.is_some() {
        return Vec::new();
    }
    let bet = deadlines::caught_up(bet, now);
    let is_open = |action: Action| changes(action, &bet, user, is_admin, now) == Ok(true);
    Action::ALL.into_iter().filter(|action| is_open(*action)).collect()
}

/// Whether the action would change the bet. The error is the reason why the action would be refused.
pub(crate) fn changes(
    action: Action,
    bet: &Bet,
    user: UserId,
    is_admin: bool,
    now: Timestamp,
) -> Result<bool, Refusal> {
    let by_admin = |check: Result<(), Refusal>| if is_admin { check } else { Err(Refusal::NotAllowed) };
    match action {
        Action::Accept => bet.check_accept(user, now)?,
        Action::Delete => bet.check_delete(user)?,
        Action::EndEarly => {
            let (_, challenge) = parties::check_end_early(bet, user, now)?;
            return Ok(challenge.is_some());
        }
        Action::Propose => drop(parties::check_propose(bet, user, now)?),
        Action::AcceptProposal => drop(parties::check_respond(bet, user, Answer::Accept)?),
        Action::RejectProposal => drop(parties::check_respond(bet, user, Answer::Reject)?),
        Action::Dispute => drop(parties::check_dispute(bet, user, now)?),
        Action::Rule => match arbiter::check_ruling(bet, user) {
            Ok(_) => {}
            Err(refusal) if !is_admin => return Err(refusal),
            Err(_) => drop(admin::check_rule(bet, user)?),
        },
        Action::Refund => by_admin(admin::check_refund(bet, user))?,
        Action::AdminDelete => by_admin(admin::refuse_parties(bet, user))?,
        Action::AcceptArbitration => {
            return Ok(arbiter::check_answer(bet, user, true)? == Some(ArbiterStatus::Accepted));
        }
        Action::DeclineArbitration => {
            return Ok(arbiter::check_answer(bet, user, false)? == Some(ArbiterStatus::Declined));
        }
        Action::ResignArbitration => {
            return Ok(arbiter::check_answer(bet, user, false)? == Some(ArbiterStatus::Resigned));
        }
    }
    Ok(true)
}
