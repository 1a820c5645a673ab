//! The actions on bets that a cooldown blocks after a password reset or the removal of a second factor. A thief may use the
//! account, so its sats must stay in it. Bets in Bolts go on.

use std::time::Duration;

use bolts_bets::{Change, EscrowEffect, EventKind};
use bolts_kernel::{Code, Money, Timestamp, UserId};
use bolts_ports::{Result, Tx};

use crate::Refused;
use crate::accounts::cooldown;

/// A cooldown after a password reset or the removal of a second factor blocks stakes of money, and decisions that give money
/// away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "Your password was reset or a second factor was removed, so for 24 hours you can’t withdraw, stake or give up sats, or rule on or refund a bet with sats. Bets with Bolts go on."
)]
pub struct Cooldown {
    /// The time until the cooldown ends.
    pub retry_after: Duration,
}

impl From<Cooldown> for Refused {
    fn from(cooldown: Cooldown) -> Self {
        Self::new(Code::SatsInCooldown, cooldown.to_string()).retry_after(cooldown.retry_after)
    }
}

/// Checks that the user may stake now. A cooldown blocks stakes of money, not of Bolts.
pub(super) fn no_cooldown(
    tx: &mut dyn Tx,
    user: UserId,
    stake: Money,
    now: Timestamp,
) -> Result<std::result::Result<(), Cooldown>> {
    let left = if stake.currency.spec().is_money { cooldown(tx, user, now)? } else { None };
    Ok(left.map_or(Ok(()), |retry_after| Err(Cooldown { retry_after })))
}

/// Checks that the user may make this change now. A cooldown blocks a change that gives money away, because a thief may own the
/// account that gets it.
pub(super) fn may_give_away(
    tx: &mut dyn Tx,
    change: &Change,
    actor: UserId,
    now: Timestamp,
) -> Result<std::result::Result<(), Cooldown>> {
    if gives_away(change, actor) { no_cooldown(tx, actor, change.bet.terms.stake, now) } else { Ok(Ok(())) }
}

/// Whether this change gives money to another user than the actor: as a ruling or a refund by an admin, or because the actor is a
/// party and declares, proposes or accepts that the other party wins.
fn gives_away(change: &Change, actor: UserId) -> bool {
    let is = |kind: EventKind| change.event.as_ref().is_some_and(|event| event.kind == kind);
    if is(EventKind::Ruled) || is(EventKind::Refunded) {
        return true;
    }
    let winner = match change.escrow {
        EscrowEffect::PayOut(winner) => Some(winner),
        // Other actions leave an earlier proposal as it is.
        EscrowEffect::Unchanged if is(EventKind::Proposed) => proposed_winner(change),
        EscrowEffect::Unchanged | EscrowEffect::Hold(_) | EscrowEffect::Refund => None,
    };
    winner.is_some_and(|winner| winner != actor)
}

/// The user who wins if the other party accepts the proposal.
fn proposed_winner(change: &Change) -> Option<UserId> {
    let proposal = change.bet.state.negotiation()?.standing?;
    change.bet.user_on(proposal.outcome.winning_side()?)
}
