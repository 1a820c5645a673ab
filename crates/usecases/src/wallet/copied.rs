//! Copies of a database. A copy does not know what is paid after it was made, so whoever serves it could pay that again:
//! every copy begins with its withdrawals paused.

use bolts_ports::StoreError;

use super::pause::{PAUSED, Pause, written};
use crate::App;

/// How a copy is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKind {
    /// By `bolts backup`.
    Backup,
    /// By `bolts copy`.
    Copy,
}

impl App {
    /// The setting, by name and value, that pauses withdrawals in a copy that is made now.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn pause_of_copy(&self, kind: CopyKind) -> Result<(&'static str, String), StoreError> {
        let now = self.now();
        let name = match kind {
            CopyKind::Backup => "a backup",
            CopyKind::Copy => "a copy",
        };
        let mut reason = format!(
            "this database is {name} made at {now} and does not know what was paid since: run `bolts withdrawals reconcile` and \
             `bolts deposits reconcile`, then `bolts withdrawals resume`"
        );
        if let Some(before) = self.withdrawals_pause()? {
            reason = format!("{reason} (withdrawals were paused before: {})", before.reason);
        }
        Ok((PAUSED, written(&Pause { reason, at: now, needs_reconciling: true })?))
    }
}
