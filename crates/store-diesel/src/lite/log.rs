//! The thread that waits until commits are on the disk. Meanwhile the writer runs the next batch
//! (`docs/ledger.md#writing-on-sqlite`).

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle, ThreadId};

use bolts_ports::Result;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::durable::Durable;
use super::failure::failure;
use super::{Conn, connections};
use crate::OpenError;
use crate::queue;
use crate::traces::{self, Running};

/// The maximum number of committed batches that wait for the disk. They share one sync. With more of them, the writer
/// waits too.
const WAITING: usize = 8;

/// Syncs the log of SQLite (the file whose name ends with `-wal`) after commits, and answers their jobs afterwards.
///
/// The writer's connection does not sync (`PRAGMA synchronous = NORMAL`). All changes are appended to the log, and a sync
/// covers all commits before it. So after a power failure the database contains all commits up to some commit, and none after
/// it. Each commit whose jobs were answered is among them.
pub(super) struct Log {
    /// `None` when the thread must end.
    batches: Option<SyncSender<Committed>>,
    thread: Option<JoinHandle<()>>,
    durable: Arc<Durable>,
}

/// A batch whose commit has ended.
struct Committed {
    /// The number of the commit in the sequence of commits.
    number: u64,
    jobs: Vec<Running>,
    outcomes: Vec<Result<()>>,
}

impl Log {
    /// Starts the thread. From now on, `conn` does not sync its commits.
    pub(super) fn start(conn: &mut Conn, durable: Arc<Durable>) -> std::result::Result<Self, OpenError> {
        connections::leave_sync_to_log(conn)?;
        let path = path(conn).map_err(failure)?;
        let open = OpenOptions::new().write(true).open(&path);
        let file = open.map_err(|source| OpenError::Create { path: path.clone(), source })?;
        file.sync_data().map_err(|source| OpenError::Create { path, source })?;
        Self::with(move || file.sync_data().unwrap_or_else(|error| end(&error)), durable)
    }

    /// Starts the thread. `sync` puts everything that is in the log on the disk.
    pub(super) fn with(
        sync: impl FnMut() + Send + 'static,
        durable: Arc<Durable>,
    ) -> std::result::Result<Self, OpenError> {
        let (batches, committed) = sync_channel(WAITING);
        let reached = durable.clone();
        let thread = thread::Builder::new()
            .name("sqlite-log".to_owned())
            .spawn(move || run(sync, &committed, &reached))
            .map_err(OpenError::Thread)?;
        Ok(Self { batches: Some(batches), thread: Some(thread), durable })
    }

    /// The thread that answers the jobs. `None` when it has ended.
    pub(super) fn thread(&self) -> Option<ThreadId> {
        self.thread.as_ref().map(|thread| thread.thread().id())
    }

    /// Notes that a commit begins. Queries may see its changes from now on.
    pub(super) fn begin(&self) {
        self.durable.begin();
    }

    /// Answers the jobs of the last commit as soon as it is on the disk.
    pub(super) fn answer(&self, jobs: Vec<Running>, outcomes: Vec<Result<()>>) {
        let committed = Committed { number: self.durable.begun(), jobs, outcomes };
        // The thread ends only after this sender is dropped.
        if let Some(batches) = &self.batches {
            drop(batches.send(committed));
        }
    }
}

impl Drop for Log {
    /// Waits until all jobs are answered.
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Moves the commits of an earlier process from the log to the database file, and syncs the file. After a crash the log may
/// have commits that are only in the memory of the operating system, even if a later sync of the log succeeds. Some commits
/// stay in the log if another program goes on reading.
pub(super) fn empty(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")
}

/// The path of the log. SQLite follows symbolic links in the path of the database, and names the log after the result.
fn path(conn: &mut Conn) -> QueryResult<PathBuf> {
    #[derive(QueryableByName)]
    struct Database {
        #[diesel(sql_type = Text)]
        file: String,
    }
    let main: Database =
        diesel::sql_query("SELECT file FROM pragma_database_list WHERE name = 'main'").get_result(conn)?;
    Ok(format!("{}-wal", main.file).into())
}

fn run(mut sync: impl FnMut(), committed: &Receiver<Committed>, durable: &Durable) {
    while let Ok(first) = committed.recv() {
        let group: Vec<Committed> = std::iter::once(first).chain(committed.try_iter()).collect();
        let jobs = group.iter().flat_map(|batch| &batch.jobs);
        let waits: Vec<_> = jobs.map(|running| traces::sync(&running.span)).collect();
        sync();
        drop(waits);
        for Committed { number, jobs, outcomes } in group {
            durable.reach(number);
            for (Running { job, span: _span }, outcome) in jobs.into_iter().zip(outcomes) {
                queue::answer(job, outcome);
            }
        }
    }
}

/// Ends the process without an answer to the waiting jobs, because the disk failed. The operating system may have lost changes
/// that it still shows, and a later sync that succeeds does not prove that they are on the disk. So the process must neither read
/// nor append to the log. The next start reads the log with its checksums, and finds the commits that are left.
pub(super) fn end(error: &dyn std::fmt::Display) -> ! {
    tracing::error!(%error, "the disk failed to store changes, so Bolts ends: check the disk");
    std::process::abort()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use bolts_ports::{Job, Tx, Verdict};

    use super::*;
    use crate::traces::Queued;

    /// Tells its outcome.
    struct Tell(Sender<Result<()>>);

    impl Job for Tell {
        fn run(&mut self, _: &mut dyn Tx) -> Result<Verdict> {
            Ok(Verdict::Keep)
        }

        fn done(self: Box<Self>, outcome: Result<()>) {
            self.0.send(outcome).unwrap();
        }
    }

    fn commit(log: &Log, answer: &Sender<Result<()>>) {
        log.begin();
        let job: Box<dyn Job> = Box::new(Tell(answer.clone()));
        log.answer(vec![Queued::from(job).begin()], vec![Ok(())]);
    }

    #[test]
    fn jobs_are_answered_after_the_sync_that_follows_their_commit() {
        let (begun, begins) = channel();
        let (end, ends) = channel();
        let sync = move || {
            begun.send(()).unwrap();
            ends.recv().unwrap();
        };
        let durable = Arc::<Durable>::default();
        let log = Log::with(sync, durable.clone()).unwrap();
        let (answer, answers) = channel();
        commit(&log, &answer);
        begins.recv().unwrap();
        assert!(durable.pending().is_some(), "a query may see the commit");
        // These commits end while a sync runs, so they need another one. It covers both.
        commit(&log, &answer);
        commit(&log, &answer);
        assert!(answers.try_recv().is_err());
        end.send(()).unwrap();
        begins.recv().unwrap();
        assert_eq!(answers.try_iter().count(), 1);
        end.send(()).unwrap();
        drop(log);
        assert_eq!(answers.try_iter().collect::<Vec<_>>(), [Ok(()), Ok(())]);
        assert!(begins.try_recv().is_err(), "no third sync");
        assert!(durable.pending().is_none());
    }
}
