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

/// The number of pages in the log that are worth a checkpoint (16 MB). A page that many commits change is then copied
/// once.
const PAGES: i32 = 4_000;

/// The minimum time between two looks at the log.
const PAUSE: Duration = Duration::from_millis(10);

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
    is_log_long: Arc<AtomicBool>,
}

impl Checkpoints {
    pub(super) fn start(path: &Path, options: &SqliteOptions) -> Result<Self, OpenError> {
        let conn = connections::writing(path, options.busy_timeout)?;
        let longest_log = options.longest_log;
        let (commits, wakes) = sync_channel(1);
        let is_log_long = Arc::<AtomicBool>::default();
        let copying = Copying { conn, longest_log, is_log_long: is_log_long.clone(), is_synced: false };
        let thread = thread::Builder::new()
            .name("sqlite-checkpoints".to_owned())
            .spawn(move || copying.run(&wakes))
            .map_err(OpenError::Thread)?;
        Ok(Self { commits: Some(commits), thread: Some(thread), longest_log, is_log_long })
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
        if self.is_log_long.swap(false, Ordering::Relaxed)
            && let Err(error) = self.try_copy_rest(conn)
        {
            report(&error);
        }
    }

    fn try_copy_rest(&self, conn: &mut Conn) -> QueryResult<()> {
        // The log may have begun again since the thread looked.
        let state = State::checkpoint(conn, "NOOP")?;
        if state.log >= self.longest_log && (1..self.longest_log).contains(&state.rest()) {
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

/// What the thread works with.
struct Copying {
    conn: Conn,
    longest_log: i32,
    is_log_long: Arc<AtomicBool>,
    /// Whether the pages of this log that were copied so far are synced.
    is_synced: bool,
}

impl Copying {
    fn run(mut self, commits: &Receiver<()>) {
        while commits.recv().is_ok() {
            if let Err(error) = self.look() {
                report(&error);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Copies the log if enough pages of it are not copied. Leaves the rest of a long log to the writer. A long reader, such as
    /// an audit, can make this rest as long as a whole log. Then the thread copies it first, so that the writer does not stop
    /// for long.
    fn look(&mut self) -> QueryResult<()> {
        let state = State::checkpoint(&mut self.conn, "NOOP")?;
        if state.log >= self.longest_log && state.rest() < self.longest_log {
            self.is_log_long.store(true, Ordering::Relaxed);
        } else if state.rest() >= PAGES {
            State::checkpoint(&mut self.conn, "PASSIVE")?;
        }
        self.sync_once(state.log >= self.longest_log / 8 * 7)
    }

    /// Syncs the copied pages once, shortly before the log is long. The writer waits for the sync of its own checkpoint, which
    /// then has only the latest pages to write. Many pages change often, so earlier syncs would write them more than once.
    fn sync_once(&mut self, is_nearly_long: bool) -> QueryResult<()> {
        if is_nearly_long && !self.is_synced {
            self.conn.batch_execute(bolts_sqlite_log::SYNC)?;
        }
        self.is_synced = is_nearly_long;
        Ok(())
    }
}

/// Ends the process if the disk failed: SQLite may have copied pages that it could not sync, and does not copy them again.
fn report(error: &diesel::result::Error) {
    if DISK_FAILED.contains(&error.to_string().as_str()) {
        log::end(error);
    }
    tracing::warn!(%error, "a checkpoint failed; a later one goes on");
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
}
