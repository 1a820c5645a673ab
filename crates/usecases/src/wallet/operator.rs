//! Records the operator's actions.

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{AdminAction, StoreError, Tx};

pub(super) fn record(
    tx: &mut dyn Tx,
    action: &'static str,
    user: Option<UserId>,
    detail: String,
    at: Timestamp,
) -> Result<(), StoreError> {
    let detail = Some(detail);
    tx.admin_actions().record(&AdminAction { admin: None, action, user, bet: None, detail, at })
}
