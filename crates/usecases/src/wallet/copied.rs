//! Copies of a database. A copy does not contain payments that were made after it, so a server on a copy
//! could pay them again. Therefore withdrawals are paused in every copy.

use bolts_ports::StoreError;

use super::pause::{PAUSED, Pause, written};
use crate::App;

/// The command that makes a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKind {
    /// By `bolts backup`.
    Backup,
    /// By `bolts copy`.
    Copy,
}

impl App {
    /// The setting, as name and value, that pauses withdrawals in a copy made now.
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
