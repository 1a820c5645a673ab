//! The cooldown of a user's sats after a password reset.

use std::time::Duration;

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Result, Tx};

/// The time until the user's cooldown ends, if an admin reset the password less than 24 hours ago. During the
/// cooldown the user can neither withdraw nor stake sats. A person who stole the one-time password must not be able
/// to withdraw the sats.
pub(crate) fn cooldown(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> Result<Option<Duration>> {
    let until = tx.users().lock_cooldown(user)?.filter(|until| now < *until);
    Ok(until.map(|until| until.since(now)))
}
