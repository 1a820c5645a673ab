//! A job's transaction on the store in memory.

use std::collections::BTreeSet;

use bolts_kernel::BetId;
use bolts_ports::{Result, StoreError};

use super::state::State;

/// A copy of all data for one job. This type implements all repositories, so that they share one copy.
pub(super) struct MemoryTx {
    pub(super) state: State,
    /// The bets that the job has locked. The job may change only these bets.
    pub(super) locked: BTreeSet<BetId>,
    /// The failure of a transfer. After a failure, the store drops all changes of the job, even if the job reports
    /// success.
    pub(super) spoiled: Option<StoreError>,
}

impl MemoryTx {
    pub(super) fn on(state: State) -> Self {
        Self { state, locked: BTreeSet::new(), spoiled: None }
    }

    /// The changed data, or the failure of a transfer.
    pub(super) fn finish(self) -> Result<State> {
        self.spoiled.map_or(Ok(self.state), Err)
    }
}
