use std::any::Any;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bolts_ports::{FairQueue, Job, Result, StoreError, Taker, Verdict};
use diesel::connection::{AnsiTransactionManager as Manager, TransactionManager};

use super::connections::{Purpose, connect};
use super::failure::failure;
use super::work::Work;
use super::{Conn, PostgresOptions, take_tile_slot};
use crate::{queue, watch};

/// How often a job is run because of contention.
const ATTEMPTS: u32 = 8;

/// The pause before a job is run again: up to this, and up to twice as long each time.
const PAUSE: Duration = Duration::from_millis(5);

/// After the server could not be reached, jobs are refused for so long without another try: else a server that swallows
/// what it is sent would hold each of them up for as long as a connection may take.
const GIVEN_UP_FOR: Duration = Duration::from_millis(500);

/// Threads that write, each on a connection of its own with a transaction a job. They take the jobs from one queue.
pub(super) struct Writers {
    queue: Arc<FairQueue<Box<dyn Job>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Writers {
    pub(super) fn start(url: &str, options: &PostgresOptions) -> std::io::Result<Self> {
        let (queue, outage) = (FairQueue::new(options.queue), Arc::default());
        let start = |number: usize| {
            let mut writer = Writer {
                url: url.to_owned(),
                options: options.clone(),
                outage: Arc::clone(&outage),
                conn: None,
            };
            let jobs = queue.taker();
            thread::Builder::new().name(format!("pg-writer-{number}")).spawn(move || {
                take_tile_slot(number);
                writer.run(&jobs);
            })
        };
        let threads = (0..options.writers.max(1)).map(start).collect::<std::io::Result<_>>()?;
        Ok(Self { queue, threads })
    }

    pub(super) fn enqueue(&self, job: Box<dyn Job>) {
        queue::enqueue(&self.queue, job);
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        // The threads go on until the queue is empty.
        self.queue.close();
        for thread in self.threads.drain(..) {
            if thread.thread().id() != thread::current().id() {
                drop(thread.join());
            }
        }
    }
}

/// When the server was last tried in vain; `None` while it can be reached.
type Outage = Mutex<Option<Instant>>;

struct Writer {
    url: String,
    options: PostgresOptions,
    outage: Arc<Outage>,
    /// `None` at first and after a failure: a new connection begins without what the old one left open.
    conn: Option<Conn>,
}

/// How an attempt at a job failed.
enum Failed {
    /// Somebody was in the way; nothing was kept.
    Contention,
    /// A statement failed for a reason that may pass, such as a deadlock; nothing was kept, and the connection lives.
    Undecided(StoreError),
    /// The connection died before the commit, so that nothing was kept; it may only have been old.
    Disconnected(StoreError),
    /// There is no connection to be had, or it died during the commit.
    Unavailable(StoreError),
}

impl Writer {
    fn run(&mut self, jobs: &Taker<Box<dyn Job>>) {
        while let Some(mut job) = jobs.take() {
            watch::taken(1);
            let outcome = self.settle(job.as_mut());
            // Who waits for the answer must not be able to stop the writer.
            drop(catch_unwind(AssertUnwindSafe(|| job.done(outcome))));
        }
    }

    /// Runs a job until it came to an end, which is not for ever.
    fn settle(&mut self, job: &mut dyn Job) -> Result<()> {
        let begun = Instant::now();
        let mut reason = None;
        for attempt in 0..ATTEMPTS {
            match self.attempt(job) {
                Ok(outcome) => return outcome,
                Err(Failed::Contention) => thread::sleep(jitter(PAUSE * 2_u32.pow(attempt))),
                // What took as long as a statement may take would take as long again.
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
        // Else the connection is dropped here, which takes back what it had begun.
        outcome
    }

    fn connect(&self) -> Result<Conn> {
        let outage = || self.outage.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut tried = outage();
            if tried.is_some_and(|at| at.elapsed() < GIVEN_UP_FOR) {
                return Err(StoreError::Unavailable(
                    "the database could not be reached a moment ago".to_owned(),
                ));
            }
            // During an outage one writer tries, and the others do not wait for it.
            if tried.is_some() {
                *tried = Some(Instant::now());
            }
        }
        let conn = connect(&self.url, &self.options, Purpose::Writing);
        *outage() = conn.is_err().then(Instant::now);
        conn
    }
}

/// Up to `most`, so that those who met do not meet again.
fn jitter(most: Duration) -> Duration {
    let share = RandomState::new().build_hasher().finish() % 1_000;
    most * u32::try_from(share).unwrap_or_default() / 1_000
}

/// One job in its transaction.
fn transact(conn: &mut Conn, job: &mut dyn Job) -> std::result::Result<Result<()>, Failed> {
    // Whatever the server's default is. Rows are locked in order, so nothing stronger is needed.
    let begun = Manager::begin_transaction_sql(conn, "BEGIN ISOLATION LEVEL READ COMMITTED");
    begun.map_err(|error| lost(failure(error)))?;
    let (verdict, failed) = run(conn, job);
    if let Some(failed @ StoreError::Unavailable(_)) = failed {
        let is_connected = take_back(conn).is_ok();
        return Err(if is_connected { Failed::Undecided(failed) } else { Failed::Disconnected(failed) });
    }
    match (verdict, failed) {
        (Ok(Verdict::Keep), None) => match Manager::commit_transaction(conn).map_err(failure) {
            Ok(()) => Ok(Ok(())),
            Err(StoreError::Contention) => Err(Failed::Contention),
            // Whether it was kept is not known.
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
    }
}

/// What the job said, and what failed in it whether it said so or not.
fn run(conn: &mut Conn, job: &mut dyn Job) -> (Result<Verdict>, Option<StoreError>) {
    let mut work = Work::new(conn);
    let said = catch_unwind(AssertUnwindSafe(|| job.run(&mut work)));
    (said.unwrap_or_else(|panic| Err(panicked(panic.as_ref()))), work.failed())
}

fn panicked(panic: &(dyn Any + Send)) -> StoreError {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    StoreError::Broken(format!("a job panicked: {}", words.unwrap_or("without a word")))
}
