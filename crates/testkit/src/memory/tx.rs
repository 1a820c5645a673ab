//! A job's transaction on the store in memory.

use std::collections::BTreeSet;

use bolts_kernel::BetId;
use bolts_ports::{
    Achievements, AdminActions, Bets, Deposits, Idempotency, Ledger, Notifications, Outbox, Result, Sessions,
    Settings, StoreError, Throttles, Tx, Users, Withdrawals,
};

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

impl Tx for MemoryTx {
    fn users(&mut self) -> &mut dyn Users {
        self
    }

    fn sessions(&mut self) -> &mut dyn Sessions {
        self
    }

    fn bets(&mut self) -> &mut dyn Bets {
        self
    }

    fn ledger(&mut self) -> &mut dyn Ledger {
        self
    }

    fn notifications(&mut self) -> &mut dyn Notifications {
        self
    }

    fn idempotency(&mut self) -> &mut dyn Idempotency {
        self
    }

    fn throttles(&mut self) -> &mut dyn Throttles {
        self
    }

    fn settings(&mut self) -> &mut dyn Settings {
        self
    }

    fn admin_actions(&mut self) -> &mut dyn AdminActions {
        self
    }

    fn outbox(&mut self) -> &mut dyn Outbox {
        self
    }

    fn achievements(&mut self) -> &mut dyn Achievements {
        self
    }

    fn deposits(&mut self) -> &mut dyn Deposits {
        self
    }

    fn withdrawals(&mut self) -> &mut dyn Withdrawals {
        self
    }
}
