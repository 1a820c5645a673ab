//! A store in memory for tests of use cases.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bolts_ledger::Transfer;
use bolts_ports::{AdminAction, Job, Result, Store, StoreError, Verdict};

mod achievements;
mod audit;
mod bets;
mod deliveries;
mod departures;
mod exports;
mod factors;
mod figures;
mod keys;
mod ledger;
mod messages;
mod notices;
mod passkeys;
mod people;
mod queries;
mod removal;
mod requests;
mod settings;
mod shared;
mod sitemap;
mod state;
mod tx;
mod wallet;

use state::State;
use tx::MemoryTx;

/// The maximum number of runs of a job that meets contention. In this store, only a test can cause contention.
const ATTEMPTS: u32 = 5;

/// A store in memory that keeps the contracts of the ports.
///
/// Each job runs at once, on the calling thread, with a copy of all data. If the job succeeds, the copy
/// replaces the data. A job must therefore not wait for another job or a query of the same store.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// A store with a copy of all data, such as a backup.
    pub fn copy(&self) -> Self {
        Self { state: Mutex::new(self.state().clone()) }
    }

    /// Replaces all data by those of a copy, like a database that loses its latest commits while servers run.
    pub fn go_back_to(&self, copy: &Self) {
        let older = copy.state().clone();
        *self.state() = older;
    }

    /// The recorded actions of admins, oldest first.
    pub fn admin_actions(&self) -> Vec<AdminAction> {
        self.state().admin_actions.to_vec()
    }

    /// All transfers, oldest first.
    pub fn transfers(&self) -> Vec<Transfer> {
        self.state().book.transfers().to_vec()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, job: &mut dyn Job) -> Result<()> {
        let mut state = self.state();
        for _ in 0..ATTEMPTS {
            let mut tx = MemoryTx::on(state.clone());
            match catch_unwind(AssertUnwindSafe(|| job.run(&mut tx))) {
                Err(_) => return Err(StoreError::Broken("the job panicked".to_owned())),
                Ok(Err(StoreError::Contention)) => {}
                Ok(Err(failure)) => return Err(failure),
                Ok(Ok(Verdict::Discard)) => return Ok(()),
                Ok(Ok(Verdict::Keep)) => {
                    *state = tx.finish()?;
                    return Ok(());
                }
            }
        }
        Err(StoreError::Unavailable("contention did not end".to_owned()))
    }
}

impl Store for MemoryStore {
    fn enqueue(&self, mut job: Box<dyn Job>) {
        let outcome = self.work(job.as_mut());
        job.done(outcome);
    }
}
