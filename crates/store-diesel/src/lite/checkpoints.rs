//! The thread that makes checkpoints: it copies pages from the log to the database file while the writer goes on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::failure::IO_ERROR;
use super::{Conn, SqliteOptions, connections, log};
use crate::OpenError;

/// The thread copies pages when this number of them (16 MB) is in the log and not yet in the database file. A page that many
/// commits change is then copied once.
const PAGES: i32 = 4_000;

/// The minimum time between two looks at the log.
const PAUSE: Duration = Duration::from_millis(10);

/// The time between two looks after a checkpoint that failed, for example because the disk is full. The next checkpoint copies all
/// pages again.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// The messages of SQLITE_IOERR, and of SQLITE_CORRUPT, which SQLite also reports for some failed reads.
const DISK_FAILED: [&str; 2] = [IO_ERROR, "database disk image is malformed"];

/// Makes checkpoints after commits. The log begins again only when all of its pages are copied. The writer adds pages while
/// this thread copies, so the thread never reaches the end on a busy site. Once the log is long, the writer copies the rest
/// itself ([`SqliteOptions::longest_log`]).
pub(super) struct Checkpoints {
    /// `None` when the thread must end.
    commits: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    longest_log: i32,
    flags: Arc<Flags>,
}

/// What the thread and the writer tell each other.
#[derive(Default)]
struct Flags {
    /// The log is long, so the writer must copy the rest.
    is_log_long: AtomicBool,
    /// The writer could not copy the rest.
    has_failed: AtomicBool,
}

impl Checkpoints {
    pub(super) fn start(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        let conn = connections::writing(path, options.busy_timeout)?;
        let longest_log = options.longest_log;
        let (commits, wakes) = sync_channel(1);
        let flags = Arc::<Flags>::default();
        let copying = Copying { conn, longest_log, flags: flags.clone(), synced: 0 };
        let thread = thread::Builder::new()
            .name("sqlite-checkpoints".to_owned())
            .spawn(move || copying.run(&wakes))
            .map_err(OpenError::Thread)?;
        Ok(Self { commits: Some(commits), thread: Some(thread), longest_log, flags })
    }

    /// Tells the thread about a commit.
    pub(super) fn committed(&self) {
        // A full channel has a message that the thread has not received yet. One message is enough for all commits.
        if let Some(commits) = &self.commits {
            let (Ok(()) | Err(_)) = commits.try_send(());
        }
    }

    /// Copies the rest of a long log, so that the next commit begins the log again. `conn` is the writer's, so nothing adds
    /// pages meanwhile. If this fails or a reader needs pages, the thread asks for it again.
    pub(super) fn copy_rest(&self, conn: &mut Conn) {
        if self.flags.is_log_long.swap(false, Ordering::Relaxed)
            && let Err(error) = self.try_copy_rest(conn)
        {
            report(&error);
            self.flags.has_failed.store(true, Ordering::Relaxed);
        }
    }

    fn try_copy_rest(&self, conn: &mut Conn) -> QueryResult<()> {
        // The log may have begun again since the thread looked.
        let state = State::checkpoint(conn, "NOOP")?;
        if state.is_for_writer(self.longest_log) && state.rest() > 0 {
            State::checkpoint(conn, "PASSIVE")?;
        }
        Ok(())
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.commits = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// The work of the thread.
struct Copying {
    conn: Conn,
    longest_log: i32,
    flags: Arc<Flags>,
    /// The number of pages of the log that the database file had at its latest sync.
    synced: i32,
}

impl Copying {
    fn run(mut self, commits: &Receiver<()>) {
        while commits.recv().is_ok() {
            let looked = self.look().inspect_err(report);
            let has_failed = self.flags.has_failed.swap(false, Ordering::Relaxed) || looked.is_err();
            thread::sleep(if has_failed { PAUSE_AFTER_FAILURE } else { PAUSE });
        }
    }

    /// Copies the log if enough pages of it are not copied. Leaves the rest of a long log to the writer. A long reader, such as
    /// an audit, can make this rest as long as a whole log. Then the thread copies and syncs it first, so that the writer does
    /// not stop for long.
    fn look(&mut self) -> QueryResult<()> {
        let mut state = State::checkpoint(&mut self.conn, "NOOP")?;
        if state.rest() >= PAGES && !state.is_for_writer(self.longest_log) {
            state = State::checkpoint(&mut self.conn, "PASSIVE")?;
        }
        self.sync(&state)?;
        self.flags.is_log_long.store(state.is_for_writer(self.longest_log), Ordering::Relaxed);
        Ok(())
    }

    /// Syncs the copied pages shortly before the log is long. The writer waits for the sync of its own checkpoint, which then
    /// has only the latest pages to write. Many pages change often. If the sync came much earlier, the disk
    /// would write these pages twice.
    fn sync(&mut self, state: &State) -> QueryResult<()> {
        if state.log < self.longest_log / 8 * 7 {
            self.synced = 0;
        } else if state.checkpointed - self.synced >= self.longest_log / 4 {
            self.conn.batch_execute(bolts_sqlite_log::SYNC)?;
            self.synced = state.checkpointed;
        }
        Ok(())
    }
}

/// Ends the process if the disk failed: SQLite may have copied pages that it could not sync, and does not copy them again.
fn report(error: &diesel::result::Error) {
    if DISK_FAILED.contains(&error.to_string().as_str()) {
        log::end(error);
    }
    tracing::warn!(%error, "a checkpoint failed; the next one tries again");
}

/// The state of the log.
#[derive(QueryableByName)]
struct State {
    /// The number of pages in the log.
    #[diesel(sql_type = Integer)]
    log: i32,
    /// The number of pages in the log that are in the database file too.
    #[diesel(sql_type = Integer)]
    checkpointed: i32,
}

impl State {
    /// Makes a checkpoint of this kind. NOOP copies nothing. PASSIVE copies all pages that no reader needs.
    fn checkpoint(conn: &mut Conn, kind: &str) -> QueryResult<Self> {
        diesel::sql_query(format!("PRAGMA wal_checkpoint({kind})")).get_result(conn)
    }

    fn rest(&self) -> i32 {
        self.log - self.checkpointed
    }

    /// Whether the log is long, and the writer can copy the rest without a long stop.
    fn is_for_writer(&self, longest_log: i32) -> bool {
        self.log >= longest_log && self.rest() < longest_log
    }
}
