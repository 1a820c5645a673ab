//! A job's transaction on the store in memory.

use std::collections::BTreeSet;

use bolts_kernel::BetId;
use bolts_ports::{Result, StoreError};

use super::state::State;

/// A copy of all data for one job. This type implements every repository, so that they share the copy.
pub(super) struct MemoryTx {
    pub(super) state: State,
    /// The bets that the job has locked. The job may change no others.
    pub(super) locked: BTreeSet<BetId>,
    /// The failure of a transfer. If it is set, nothing of the job is kept, even if the job reports success.
    pub(super) spoiled: Option<StoreError>,
}

impl MemoryTx {
    pub(super) fn on(state: State) -> Self {
        Self { state, locked: BTreeSet::new(), spoiled: None }
    }

    /// The data to keep after the job.
    pub(super) fn finish(self) -> Result<State> {
        self.spoiled.map_or(Ok(self.state), Err)
    }
}
