//! The cooldown of a user's sats after a reset of the password or the removal of a second factor.

use std::time::Duration;

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Result, Tx};

/// The length of a cooldown.
const COOLDOWN: Duration = Duration::from_hours(24);

/// Starts a cooldown of 24 hours, because the account has become easier to enter. A person who stole the one-time
/// password or a code must not be able to withdraw the sats.
pub(crate) fn begin_cooldown(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> Result<()> {
    tx.users().begin_cooldown(user, now.after(COOLDOWN))
}

/// Shortens the cooldowns that began while the clock was ahead. They end 24 hours after `now`, when the clock is right.
pub(crate) fn shorten_cooldowns(tx: &mut dyn Tx, now: Timestamp) -> Result<()> {
    tx.users().shorten_cooldowns(now.after(COOLDOWN))
}

/// The time until the user's cooldown ends. During the cooldown the user can neither withdraw nor stake sats.
pub(crate) fn cooldown(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> Result<Option<Duration>> {
    let until = tx.users().lock_cooldown(user)?.filter(|until| now < *until);
    Ok(until.map(|until| until.since(now)))
}

/// Whether a cooldown has begun since this time, even if it has ended. At this time the user was in none. A time after `now` is
/// of a clock that was ahead. It does not hide a cooldown in force.
pub(crate) fn cooldown_began_since(
    tx: &mut dyn Tx,
    user: UserId,
    at: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    Ok(tx.users().lock_cooldown(user)?.is_some_and(|until| at.min(now) < until))
}
