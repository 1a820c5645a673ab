use std::time::Duration;

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Result, Tx};

/// How much longer the user's sats are neither withdrawn nor staked, where an admin reset the password a short while
/// ago: whoever came by the one-time password must not get away with them.
pub(crate) fn cooldown(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> Result<Option<Duration>> {
    let until = tx.users().lock_cooldown(user)?.filter(|until| now < *until);
    Ok(until.map(|until| until.since(now)))
}
