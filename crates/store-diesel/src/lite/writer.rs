//! The writer thread of SQLite (`docs/ledger.md#writing-on-sqlite`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle, ThreadId};
use std::time::Duration;

use bolts_ports::{FairQueue, Job, NoItem, Result, StoreError, Taker, Verdict};
use diesel::connection::{AnsiTransactionManager as Manager, TransactionManager};

use super::ahead::Ahead;
use super::checkpoints::Checkpoints;
use super::durable::Durable;
use super::failure::failure;
use super::log::Log;
use super::read_lock::ReadLock;
use super::transaction::run;
use super::writes::Writes;
use super::{Conn, SqliteOptions, connections, prepared, search};
use crate::OpenError;
use crate::traces::{Queued, Running};
use crate::{metrics, queue, traces};

/// The maximum number of runs of a job or a batch under contention.
const ATTEMPTS: u32 = 5;

/// The pause before the second run of a batch. Each further pause is longer by this time.
const PAUSE: Duration = Duration::from_millis(20);

/// The number of batches whose jobs all get savepoints after a job that needed one. So requests of an attacker cannot make
/// the writer run each batch twice.
const CAREFUL: u32 = 100;

/// The maximum age of the shared read lock. Another process may write too, e.g. a command of the operator. A lock that is
/// older than such a write is of no use for readers, and it keeps the log from beginning again.
const READ_LOCK_AGE: Duration = Duration::from_secs(1);

/// The writer thread. No other thread of the process changes data. The thread takes a batch of jobs from the queue,
/// runs them, and commits once for the batch. Jobs that arrive while the batch runs become part of it. Another thread waits
/// for the disk and answers the jobs ([`Log`]).
pub(super) struct Writer {
    queue: Arc<FairQueue<Queued>>,
    thread: Option<JoinHandle<()>>,
    /// The thread of [`Log`]. When the writer thread ends, it waits for that thread.
    log: Option<ThreadId>,
}

impl Writer {
    pub(super) fn start(
        path: &Path,
        mut conn: Conn,
        options: &SqliteOptions,
        durable: Arc<Durable>,
    ) -> std::result::Result<Self, OpenError> {
        let queue = FairQueue::new(options.queue);
        let jobs = queue.taker();
        let mut writing = Writing {
            path: path.to_owned(),
            busy_timeout: options.busy_timeout,
            batch: options.batch.max(1),
            log: Log::start(&mut conn, durable)?,
            conn: Some(conn),
            read_lock: ReadLock::new(path, options.busy_timeout),
            checkpoints: Checkpoints::start(path, options)?,
            careful: 0,
        };
        let log = writing.log.thread();
        let thread = thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || writing.run(&jobs))
            .map_err(OpenError::Thread)?;
        Ok(Self { queue, thread: Some(thread), log })
    }

    pub(super) fn enqueue(&self, job: Box<dyn Job>) {
        queue::enqueue(&self.queue, job);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The thread continues until the queue is empty.
        self.queue.close();
        let here = thread::current().id();
        // A job or its answer may drop the last handle of the store. These threads cannot wait for their own end.
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != here
            && self.log != Some(here)
        {
            drop(thread.join());
        }
    }
}

struct Writing {
    path: PathBuf,
    busy_timeout: Duration,
    batch: usize,
    /// `None` after a failure. The next batch then uses a new connection, because a transaction may still be
    /// open on the old connection.
    conn: Option<Conn>,
    log: Log,
    read_lock: ReadLock,
    checkpoints: Checkpoints,
    /// How many of the next batches give each job a savepoint.
    careful: u32,
}

impl Writing {
    fn run(&mut self, jobs: &Taker<Queued>) {
        loop {
            self.read_lock.take();
            let first = match jobs.take_within(READ_LOCK_AGE) {
                Ok(first) => first,
                Err(NoItem::TimedOut) => continue,
                Err(NoItem::Closed) => return,
            };
            metrics::taken(1);
            let mut batch = vec![first.begin()];
            let outcomes = self.commit(&mut batch, jobs);
            metrics::committed(batch.len());
            self.log.answer(batch, outcomes);
            if let Some(conn) = &mut self.conn {
                self.checkpoints.copy_rest(conn);
            }
        }
    }

    /// Runs and commits a batch. Returns the results of its jobs.
    fn commit(&mut self, batch: &mut Vec<Running>, jobs: &Taker<Queued>) -> Vec<Result<()>> {
        for attempt in 1..=ATTEMPTS {
            match self.attempt(batch, jobs) {
                Ok(outcomes) => return outcomes,
                Err(StoreError::Contention) => thread::sleep(PAUSE * attempt),
                Err(StoreError::Unavailable(why) | StoreError::Broken(why)) => {
                    return vec![Err(StoreError::Unavailable(why)); batch.len()];
                }
                // Only a job answers this, and its answer is not an error of the batch.
                Err(gone @ StoreError::UserGone) => return vec![Err(gone); batch.len()],
            }
        }
        vec![Err(gave_up()); batch.len()]
    }

    fn connect(&self) -> Result<Conn> {
        let mut conn = connections::writing(&self.path, self.busy_timeout)?;
        connections::leave_sync_to_log(&mut conn)?;
        Ok(conn)
    }

    fn attempt(&mut self, batch: &mut Vec<Running>, jobs: &Taker<Queued>) -> Result<Vec<Result<()>>> {
        let mut conn = match self.conn.take() {
            Some(conn) => conn,
            None => self.connect()?,
        };
        // If `transact` fails, the connection is dropped here. SQLite then rolls back its transaction.
        let most = self.batch;
        let add_waiting = |batch: &mut Vec<Running>| {
            let waiting = jobs.take_waiting(most.saturating_sub(batch.len()));
            metrics::taken(waiting.len());
            batch.extend(waiting.into_iter().map(Queued::begin));
        };
        let begin_commit = || {
            self.read_lock.release();
            self.log.begin();
        };
        let outcomes = transact(&mut conn, batch, add_waiting, begin_commit, &mut self.careful)?;
        self.conn = Some(conn);
        self.checkpoints.committed();
        Ok(outcomes)
    }
}

fn gave_up() -> StoreError {
    StoreError::Unavailable(format!("the database was still busy after {ATTEMPTS} attempts"))
}

/// Runs a batch in one transaction. After the last job of the batch, `add_waiting` may add more jobs. An outer error applies
/// to every job of the batch.
fn transact(
    conn: &mut Conn,
    batch: &mut Vec<Running>,
    add_waiting: impl Fn(&mut Vec<Running>),
    begin_commit: impl FnOnce(),
    careful: &mut u32,
) -> Result<Vec<Result<()>>> {
    begin(conn)?;
    let outcomes = run_all(conn, batch, add_waiting, careful)?;
    let _commits: Vec<_> = batch.iter().map(|running| traces::commit(&running.span)).collect();
    search::refresh(conn).map_err(failure)?;
    begin_commit();
    Manager::commit_transaction(conn).map_err(failure)?;
    Ok(outcomes)
}

/// Begins the transaction of a batch. IMMEDIATE takes the write lock now. If a transaction takes the lock later, SQLite may
/// fail without waiting.
fn begin(conn: &mut Conn) -> Result<()> {
    Manager::begin_transaction_sql(conn, "BEGIN IMMEDIATE").map_err(failure)
}

/// Runs the jobs of a batch. With a savepoint, SQLite copies each page before a job changes it, and nearly no job needs the
/// copies. So the jobs run without savepoints at first. If a job fails after it has changed rows, the transaction begins
/// again, and each job gets a savepoint.
fn run_all(
    conn: &mut Conn,
    batch: &mut Vec<Running>,
    add_waiting: impl Fn(&mut Vec<Running>),
    careful: &mut u32,
) -> Result<Vec<Result<()>>> {
    let mut has_savepoints = *careful > 0;
    *careful = careful.saturating_sub(1);
    loop {
        if let Some(outcomes) = run_each(conn, batch, &add_waiting, has_savepoints)? {
            return Ok(outcomes);
        }
        take_back(conn)?;
        begin(conn)?;
        has_savepoints = true;
        *careful = CAREFUL;
    }
}

/// Runs each job of a batch. Returns `None` if a job must be undone and has no savepoint.
fn run_each(
    conn: &mut Conn,
    batch: &mut Vec<Running>,
    add_waiting: impl Fn(&mut Vec<Running>),
    has_savepoints: bool,
) -> Result<Option<Vec<Result<()>>>> {
    let mut outcomes = Vec::new();
    while let Some(Running { job, span }) = batch.get_mut(outcomes.len()) {
        let outcome = span.in_scope(|| {
            if has_savepoints { settle(conn, job.as_mut()).map(Some) } else { run_bare(conn, job.as_mut()) }
        })?;
        let Some(outcome) = outcome else { return Ok(None) };
        outcomes.push(outcome);
        if outcomes.len() == batch.len() {
            add_waiting(batch);
        }
    }
    Ok(Some(outcomes))
}

/// Runs one job without a savepoint. Returns `None` if the job must be undone or run again. An outer error applies to every
/// job of the batch.
fn run_bare(conn: &mut Conn, job: &mut dyn Job) -> Result<Option<Result<()>>> {
    let before = changes(conn)?;
    match run(conn, job, &mut Writes::default(), &mut Ahead::default()) {
        // As in `settle`.
        (_, Some(failed @ StoreError::Unavailable(_))) => Err(failed),
        (Ok(Verdict::Keep), None) => Ok(Some(Ok(()))),
        (Err(StoreError::Contention), _) | (_, Some(StoreError::Contention)) => Ok(None),
        _ if changes(conn)? != before => Ok(None),
        (Ok(Verdict::Discard), None) => Ok(Some(Ok(()))),
        (Err(error), _) | (Ok(_), Some(error)) => Ok(Some(Err(error))),
    }
}

/// The number of rows that this connection has changed so far.
fn changes(conn: &mut Conn) -> Result<i64> {
    prepared::number(conn, "SELECT total_changes()", []).map_err(failure)
}

/// Runs one job in its savepoint, and again after contention. An outer error applies to every job of the
/// batch.
fn settle(conn: &mut Conn, job: &mut dyn Job) -> Result<Result<()>> {
    for _ in 0..ATTEMPTS {
        Manager::begin_transaction(conn).map_err(failure)?;
        let (verdict, failed) = run(conn, job, &mut Writes::default(), &mut Ahead::default());
        if let Some(failed @ StoreError::Unavailable(_)) = failed {
            // On a full or failing disk, SQLite may have rolled back the transaction of the batch, not only
            // this savepoint.
            return Err(failed);
        }
        match (verdict, failed) {
            (Ok(Verdict::Keep), None) => {
                Manager::commit_transaction(conn).map_err(failure)?;
                return Ok(Ok(()));
            }
            (Ok(Verdict::Discard), None) => {
                take_back(conn)?;
                return Ok(Ok(()));
            }
            (Err(StoreError::Contention), _) | (_, Some(StoreError::Contention)) => take_back(conn)?,
            (Err(error), _) | (Ok(_), Some(error)) => {
                take_back(conn)?;
                return Ok(Err(error));
            }
        }
    }
    Ok(Err(gave_up()))
}

fn take_back(conn: &mut Conn) -> Result<()> {
    Manager::rollback_transaction(conn).map_err(failure)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use bolts_ports::{Lane, Tx};
    use diesel::connection::SimpleConnection;

    use super::*;
    use crate::lite::open;

    struct Put(&'static str, usize);

    impl Job for Put {
        fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
            tx.settings().put(self.0, &"x".repeat(self.1)).map(|()| Verdict::Keep)
        }

        fn done(self: Box<Self>, _: Result<()>) {}
    }

    fn queued(job: impl Job + 'static) -> Queued {
        let job: Box<dyn Job> = Box::new(job);
        job.into()
    }

    fn batch(sizes: [usize; 2]) -> Vec<Running> {
        vec![queued(Put("a", sizes[0])).begin(), queued(Put("b", sizes[1])).begin()]
    }

    /// A queue in which nothing waits.
    fn nothing() -> Taker<Queued> {
        FairQueue::new(2).taker()
    }

    fn writing(path: &Path) -> Writing {
        let options = SqliteOptions::default();
        let mut conn = open::migrated(path, &options).unwrap();
        let log = Log::start(&mut conn, Arc::default()).unwrap();
        let read_lock = ReadLock::new(path, options.busy_timeout);
        let checkpoints = Checkpoints::start(path, &options).unwrap();
        let (path, busy_timeout) = (path.to_owned(), options.busy_timeout);
        Writing { path, busy_timeout, batch: 2, conn: Some(conn), log, read_lock, checkpoints, careful: 0 }
    }

    #[test]
    fn a_full_disk_keeps_nothing_of_the_batch_and_passes() {
        let folder = tempfile::tempdir().unwrap();
        let mut writing = writing(&folder.path().join("bolts.db"));
        // The limit simulates a full disk. Only this connection has the limit. With the next connection the
        // disk has space again.
        writing.conn.as_mut().unwrap().batch_execute("PRAGMA max_page_count = 1").unwrap();
        let full = Err(StoreError::Unavailable("database or disk is full".to_owned()));
        assert_eq!(writing.commit(&mut batch([1, 1_000_000]), &nothing()), [full.clone(), full]);
        assert!(writing.conn.is_none());
        assert_eq!(writing.commit(&mut batch([1, 1_000_000]), &nothing()), [Ok(()), Ok(())]);
    }

    #[test]
    fn a_read_only_file_is_not_available() {
        let folder = tempfile::tempdir().unwrap();
        let mut writing = writing(&folder.path().join("bolts.db"));
        writing.conn.as_mut().unwrap().batch_execute("PRAGMA query_only = ON").unwrap();
        let outcomes = writing.commit(&mut batch([1, 1]), &nothing());
        assert!(
            outcomes.iter().all(|outcome| matches!(outcome, Err(StoreError::Unavailable(_)))),
            "{outcomes:?}"
        );
    }

    #[test]
    fn jobs_that_arrive_while_a_batch_runs_are_committed_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bolts.db");
        let mut writing = Writing { batch: 3, ..writing(&path) };
        let queue = FairQueue::<Queued>::new(4);
        let jobs = queue.taker();
        for name in ["b", "c", "d"] {
            queue.push(Lane::Site, queued(Put(name, 1)));
        }
        let mut batch = vec![queued(Put("a", 1)).begin()];
        assert_eq!(writing.commit(&mut batch, &jobs), [Ok(()), Ok(()), Ok(())]);
        assert_eq!(batch.len(), 3, "the limit of a batch");
        assert_eq!(jobs.take_waiting(4).len(), 1);
    }

    /// Stores a setting, and then keeps or refuses it.
    struct Decide(&'static str, Verdict, Arc<AtomicU32>);

    impl Job for Decide {
        fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
            self.2.fetch_add(1, Ordering::Relaxed);
            tx.settings().put(self.0, "x").map(|()| self.1)
        }

        fn done(self: Box<Self>, _: Result<()>) {}
    }

    #[test]
    fn a_job_that_refuses_its_changes_leaves_those_of_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut writing = writing(&folder.path().join("bolts.db"));
        let runs = Arc::<AtomicU32>::default();
        for (round, expected) in [["a", "b", "c"], ["d", "e", "f"]].into_iter().zip([3 + 2, 3]) {
            let decide =
                |place: usize, verdict| queued(Decide(round[place], verdict, Arc::clone(&runs))).begin();
            let mut batch =
                vec![decide(0, Verdict::Keep), decide(1, Verdict::Discard), decide(2, Verdict::Keep)];
            assert_eq!(writing.commit(&mut batch, &nothing()), [Ok(()), Ok(()), Ok(())]);
            let conn = writing.conn.as_mut().unwrap();
            let stored = round.map(|name| {
                prepared::number(conn, "SELECT COUNT(*) FROM settings WHERE name = ?", [name.into()]).unwrap()
            });
            assert_eq!(stored, [1, 0, 1]);
            assert_eq!(runs.swap(0, Ordering::Relaxed), expected, "only the first batch ran again");
        }
    }

    /// Stores a setting. Its answer looks for the setting in a copy of what is on the disk, and counts if it is there.
    struct Confirm(String, PathBuf);

    impl Job for Confirm {
        fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
            tx.settings().put(&self.0, "x").map(|()| Verdict::Keep)
        }

        fn done(self: Box<Self>, outcome: Result<()>) {
            assert_eq!(outcome, Ok(()));
            let folder = tempfile::tempdir().unwrap();
            let after = folder.path().join("bolts.db");
            copy(&self.1, &after);
            let mut conn = connections::writing(&after, Duration::ZERO).unwrap();
            let found = "SELECT COUNT(*) FROM settings WHERE name = ?";
            assert_eq!(prepared::number(&mut conn, found, [(&self.0).into()]), Ok(1), "{}", self.0);
            FOUND.fetch_add(1, Ordering::Relaxed);
        }
    }

    static FOUND: AtomicU32 = AtomicU32::new(0);

    /// Copies a database and its log.
    fn copy(from: &Path, to: &Path) {
        for end in ["", "-wal"] {
            let file = |path: &Path| format!("{}{end}", path.display());
            std::fs::copy(file(from), file(to)).unwrap();
        }
    }

    #[test]
    fn each_answered_job_is_in_what_was_synced() {
        let folder = tempfile::tempdir().unwrap();
        let (path, disk) = (folder.path().join("bolts.db"), folder.path().join("disk.db"));
        let mut writing = writing(&path);
        let to = disk.clone();
        let sync = move || {
            // Meanwhile the writer commits more batches, as during a sync of a real disk.
            thread::sleep(Duration::from_millis(2));
            copy(&path, &to);
        };
        writing.log = Log::with(sync, Arc::default()).unwrap();
        let queue = FairQueue::<Queued>::new(100);
        let jobs = queue.taker();
        for number in 0..100 {
            queue.push(Lane::Site, queued(Confirm(number.to_string(), disk.clone())));
        }
        queue.close();
        writing.run(&jobs);
        drop(writing);
        assert_eq!(FOUND.load(Ordering::Relaxed), 100);
    }

    #[test]
    fn a_panic_in_the_receiver_of_an_answer_does_not_stop_the_writer() {
        struct Rude;
        impl Job for Rude {
            fn run(&mut self, _: &mut dyn Tx) -> Result<Verdict> {
                Ok(Verdict::Keep)
            }

            fn done(self: Box<Self>, _: Result<()>) {
                panic!("on purpose");
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let mut writing = writing(&folder.path().join("bolts.db"));
        let queue = FairQueue::<Queued>::new(2);
        let jobs = queue.taker();
        queue.push(Lane::Site, queued(Rude));
        queue.push(Lane::Site, queued(Put("a", 1)));
        queue.close();
        writing.run(&jobs);
    }
}
