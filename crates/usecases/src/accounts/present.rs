use bolts_kernel::UserId;
use bolts_ports::{Result, StoreError, Tx};

/// Refuses to go on for a user who has deleted the account since the request began. Until the transaction ends, the account
/// cannot be deleted. A job that writes rows of a user calls this first, unless it checks the user's credentials, session or
/// balance anyway: a deletion removes all three.
pub(crate) fn require_here(tx: &mut dyn Tx, user: UserId) -> Result<()> {
    if tx.departures().is_here(user)? { Ok(()) } else { Err(StoreError::UserGone) }
}
