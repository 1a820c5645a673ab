//! The writer threads of PostgreSQL.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bolts_ports::{FairQueue, Job, Lane, Result, StoreError, Taker, Verdict};
use diesel::connection::{AnsiTransactionManager as Manager, TransactionManager};

use super::ahead::Ahead;
use super::connections::{Purpose, connect};
use super::failure::failure;
use super::outage::Outage;
use super::transaction::run;
use super::turns::{Turn, Turns};
use super::writes::Writes;
use super::{Conn, PostgresOptions, batches, take_tile_slot};
use crate::traces::{Queued, Running};
use crate::{metrics, queue};

/// The maximum number of runs of a job under contention.
const ATTEMPTS: u32 = 8;

/// The maximum pause before the second run of a job. The maximum doubles with each further run.
const PAUSE: Duration = Duration::from_millis(5);

/// The number of jobs that a writer runs alone after a batch whose jobs had to run again. So requests of an attacker
/// cannot make the writers run each job twice.
const CAREFUL: u32 = 100;

/// The writer threads. Each thread has its own connection. When its turn comes, it takes the jobs that wait and runs them in
/// one transaction. All threads share one queue. While a thread runs jobs of a user, no other thread does, because the jobs would
/// wait for the rows of the user.
pub(super) struct Writers {
    queue: Arc<FairQueue<Queued>>,
    turns: Arc<Turns>,
    outage: Arc<Outage>,
    threads: Vec<JoinHandle<()>>,
}

impl Writers {
    pub(super) fn start(url: &str, options: &PostgresOptions) -> std::io::Result<Self> {
        let (queue, outage) = (FairQueue::new(options.queue), Arc::<Outage>::default());
        let turns = Arc::new(Turns::new());
        // Random, so that writers of different processes rarely use the same slot. In each container the process id is 1.
        let first_slot = random();
        let start = |number: usize| {
            let mut writer = Writer {
                url: url.to_owned(),
                options: options.clone(),
                outage: Arc::clone(&outage),
                conn: None,
                careful: 0,
            };
            let (jobs, turns) = (queue.holding_taker(), Arc::clone(&turns));
            thread::Builder::new().name(format!("pg-writer-{number}")).spawn(move || {
                take_tile_slot(first_slot, number);
                writer.run(&jobs, || turns.wait(number));
            })
        };
        let threads = (0..options.writers.max(1)).map(start).collect::<std::io::Result<_>>()?;
        Ok(Self { queue, turns, outage, threads })
    }

    pub(super) fn enqueue(&self, job: Box<dyn Job>) {
        queue::enqueue(&self.queue, job);
    }

    /// Ends the refusal of jobs after a failed attempt to connect, because the server answers again.
    pub(super) fn reached(&self) {
        self.outage.reached();
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        // The threads continue until the queue is empty.
        self.queue.close();
        self.turns.close();
        for thread in self.threads.drain(..) {
            if thread.thread().id() != thread::current().id() {
                drop(thread.join());
            }
        }
    }
}

struct Writer {
    url: String,
    options: PostgresOptions,
    outage: Arc<Outage>,
    /// `None` before the first job and after a failure. The next job then uses a new connection, because a
    /// transaction may still be open on the old connection.
    conn: Option<Conn>,
    /// How many of the next jobs run alone.
    careful: u32,
}

/// The failure of one run of a job.
enum Failed {
    /// The job conflicted with another transaction. No change was stored.
    Contention,
    /// A statement failed for a reason that may be temporary, such as a deadlock. No change was stored, and
    /// the connection still works.
    Undecided(StoreError),
    /// The connection broke before the commit, so no change was stored. A new connection may work.
    Disconnected(StoreError),
    /// No connection can be made, or the connection broke during the commit.
    Unavailable(StoreError),
}

impl Writer {
    /// Runs jobs until the queue is closed and empty. `wait` waits for the turn of this thread.
    fn run<'t>(&mut self, jobs: &Taker<Queued>, wait: impl Fn() -> Turn<'t>) {
        loop {
            let mut turn = wait();
            let Some(job) = jobs.take() else { return };
            metrics::taken(1);
            let (mut batch, mut late) = (vec![job.begin()], 0);
            while !batch.is_empty() {
                self.fill(&mut batch, jobs);
                // After a job of the server, the rows that the batch reads ahead are unknown.
                if batch.iter().any(|running| running.job.need().is_some()) {
                    batch[late..].sort_by_key(|running| running.job.lane() == Lane::Site);
                }
                turn.begin();
                batch = self.run_batch(batch, late);
                late = batch.len();
            }
            jobs.release();
        }
    }

    /// Adds jobs that wait to a batch.
    fn fill(&mut self, batch: &mut Vec<Running>, jobs: &Taker<Queued>) {
        if self.careful > 0 {
            self.careful -= 1;
            return;
        }
        let waiting = jobs.take_waiting(self.options.batch.saturating_sub(batch.len()));
        metrics::taken(waiting.len());
        batch.extend(waiting.into_iter().map(Queued::begin));
    }

    /// Runs the jobs of a batch and answers them. Returns the jobs that missed a row, for the next batch: the transaction that
    /// has locked the row has probably ended by then. The first `late` jobs of this batch missed a row before. If they miss one
    /// again, they run alone and wait for it.
    fn run_batch(&mut self, mut batch: Vec<Running>, late: usize) -> Vec<Running> {
        let results = self.share(&mut batch);
        let is_shared = results.is_some();
        let results = results.unwrap_or_else(|| vec![None; batch.len()]);
        if results.iter().any(Option::is_some) {
            metrics::committed(results.iter().flatten().count());
        }
        // The jobs that have their results get their answers before the others run.
        let (mut alone, mut again) = (Vec::new(), Vec::new());
        for (place, (running, result)) in batch.into_iter().zip(results).enumerate() {
            match result {
                Some(result) => queue::answer(running.job, result),
                None if is_shared && place >= late => again.push(running),
                None => alone.push(running),
            }
        }
        for Running { mut job, span } in alone {
            let outcome = span.in_scope(|| self.settle(job.as_mut()));
            metrics::committed(1);
            queue::answer(job, outcome);
        }
        again
    }

    /// Runs several jobs in one transaction. A job without a result missed a row. `None` if each job must run alone.
    fn share(&mut self, batch: &mut [Running]) -> Option<Vec<Option<Result<()>>>> {
        if batch.len() == 1 {
            return None;
        }
        // If no connection can be made, the first job alone finds out.
        let mut conn = self.conn.take().or_else(|| self.connect().ok())?;
        match batches::run_together(&mut conn, batch) {
            Ok(results) => {
                self.conn = Some(conn);
                Some(results)
            }
            Err(batches::Failed::Undone) => {
                // If the connection is broken, the next run of a job finds out.
                self.conn = Some(conn);
                self.careful = CAREFUL;
                None
            }
            Err(batches::Failed::Unknown(error)) => Some(vec![Some(Err(error)); batch.len()]),
        }
    }

    /// Runs a job until it succeeds, or until the maximum number of runs.
    fn settle(&mut self, job: &mut dyn Job) -> Result<()> {
        let begun = Instant::now();
        let mut reason = None;
        for attempt in 0..ATTEMPTS {
            match self.attempt(job) {
                Ok(outcome) => return outcome,
                Err(Failed::Contention) => thread::sleep(jitter(PAUSE * 2_u32.pow(attempt))),
                // The job already took the maximum time of a statement. The next run would probably take as
                // long.
                Err(Failed::Undecided(error)) if begun.elapsed() >= self.options.statement_timeout => {
                    return Err(error);
                }
                Err(Failed::Undecided(error)) => {
                    reason = Some(error);
                    thread::sleep(jitter(PAUSE * 2_u32.pow(attempt)));
                }
                Err(Failed::Disconnected(error)) if attempt > 0 => return Err(error),
                Err(Failed::Disconnected(_)) => {}
                Err(Failed::Unavailable(error)) => return Err(error),
            }
        }
        let busy =
            || StoreError::Unavailable(format!("the database was still busy after {ATTEMPTS} attempts"));
        Err(reason.unwrap_or_else(busy))
    }

    fn attempt(&mut self, job: &mut dyn Job) -> std::result::Result<Result<()>, Failed> {
        let mut conn = match self.conn.take() {
            Some(conn) => conn,
            None => self.connect().map_err(Failed::Unavailable)?,
        };
        let outcome = transact(&mut conn, job);
        if matches!(outcome, Ok(_) | Err(Failed::Contention | Failed::Undecided(_))) {
            self.conn = Some(conn);
        }
        // After any other failure the connection is dropped here. The server then rolls back its transaction.
        outcome
    }

    fn connect(&self) -> Result<Conn> {
        let begun = self.outage.begin()?;
        let conn = connect(&self.url, &self.options, Purpose::Writing);
        match &conn {
            Ok(_) => self.outage.reached(),
            Err(_) => self.outage.failed(begun),
        }
        conn
    }
}

/// A number that differs from call to call and from process to process.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A random pause of at most `most`. Two conflicting jobs usually get different pauses, so they do not
/// conflict again.
fn jitter(most: Duration) -> Duration {
    let share = random() % 1_000;
    most * u32::try_from(share).unwrap_or_default() / 1_000
}

/// Runs one job in its own transaction.
fn transact(conn: &mut Conn, job: &mut dyn Job) -> std::result::Result<Result<()>, Failed> {
    // The isolation level is explicit, because the default of the server may differ. Jobs lock rows in a
    // fixed order, so no higher level is needed.
    let begun = Manager::begin_transaction_sql(conn, "BEGIN ISOLATION LEVEL READ COMMITTED");
    begun.map_err(|error| lost(failure(error)))?;
    let (verdict, failed) = run(conn, job, &mut Writes::default(), &mut Ahead::default());
    if let Some(failed @ StoreError::Unavailable(_)) = failed {
        let is_connected = take_back(conn).is_ok();
        return Err(if is_connected { Failed::Undecided(failed) } else { Failed::Disconnected(failed) });
    }
    match (verdict, failed) {
        (Ok(Verdict::Keep), None) => match Manager::commit_transaction(conn).map_err(failure) {
            Ok(()) => Ok(Ok(())),
            Err(StoreError::Contention) => Err(Failed::Contention),
            // It is unknown whether the commit succeeded, so the job must not run again.
            Err(error) => Err(Failed::Unavailable(StoreError::Unavailable(error.to_string()))),
        },
        (Ok(Verdict::Discard), None) => take_back(conn).map(|()| Ok(())),
        (Err(StoreError::Contention), _) | (_, Some(StoreError::Contention)) => {
            take_back(conn).and(Err(Failed::Contention))
        }
        (Err(error), _) | (Ok(_), Some(error)) => take_back(conn).map(|()| Err(error)),
    }
}

fn take_back(conn: &mut Conn) -> std::result::Result<(), Failed> {
    Manager::rollback_transaction(conn).map_err(|error| lost(failure(error)))
}

fn lost(error: StoreError) -> Failed {
    match error {
        StoreError::Contention => Failed::Contention,
        StoreError::Unavailable(why) | StoreError::Broken(why) => {
            Failed::Disconnected(StoreError::Unavailable(why))
        }
        StoreError::UserGone => Failed::Disconnected(error),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::tile_slot;
    use super::*;

    fn slot(first: u64, writer: usize) -> i64 {
        take_tile_slot(first, writer);
        tile_slot()
    }

    #[test]
    fn the_writers_of_a_store_use_different_slots() {
        let all: BTreeSet<i64> = (0..16).collect();
        for first in [0, 7, u64::MAX] {
            let slots: BTreeSet<i64> = (0..16).map(|writer| slot(first, writer)).collect();
            assert_eq!(slots, all, "{first}");
        }
    }

    /// These stores have the same process id, as stores in containers have.
    #[test]
    fn stores_begin_at_different_slots() {
        let firsts: BTreeSet<i64> = (0..100).map(|_| slot(random(), 0)).collect();
        assert!(firsts.len() > 1, "{firsts:?}");
    }
}
