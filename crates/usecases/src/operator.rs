//! Records the operator's actions.

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{AdminAction, StoreError, Tx};

/// Adds an action of the operator at the command line to the record of admin actions.
pub(crate) fn record(
    tx: &mut dyn Tx,
    action: &'static str,
    user: Option<UserId>,
    detail: Option<String>,
    at: Timestamp,
) -> Result<(), StoreError> {
    tx.admin_actions().record(&AdminAction { admin: None, action, user, bet: None, detail, at })
}
