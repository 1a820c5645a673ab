//! Copies of a database. A copy does not contain payments that were made after the copy. A server that runs on the
//! copy could make these payments again. Therefore withdrawals are paused in every copy.

use bolts_ports::StoreError;

use super::pause::{PAUSED, Pause, written};
use crate::App;

/// The command that made a copy of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKind {
    /// The command `bolts backup`.
    Backup,
    /// The command `bolts copy`.
    Copy,
}

impl App {
    /// The name and the value of a setting. The setting pauses withdrawals in a copy that is made now.
    pub fn pause_of_copy(&self, kind: CopyKind) -> Result<(&'static str, String), StoreError> {
        let now = self.now();
        let name = match kind {
            CopyKind::Backup => "a backup",
            CopyKind::Copy => "a copy",
        };
        let reason = format!(
            "this database is {name} made at {now} and does not know what was paid since: run `bolts deposits reconcile`, \
             then `bolts withdrawals reconcile`, then `bolts withdrawals resume`"
        );
        let pause = Pause::until_reconciled(reason, now, self.withdrawals_pause()?);
        Ok((PAUSED, written(&pause)?))
    }
}
