//! The thread that makes checkpoints: it copies pages from the log to the database file while the writer goes on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::Conn;
use super::connections::{self, LONGEST_LOG};
use crate::OpenError;

/// The number of pages in the log that are worth a checkpoint (16 MB). A page that many commits change is then copied
/// once.
const PAGES: i32 = 4_000;

/// The minimum time between two looks at the log.
const PAUSE: Duration = Duration::from_millis(10);

/// Makes checkpoints after commits. The log begins again only when all of its pages are copied. The writer adds pages while
/// this thread copies, so the thread never reaches the end on a busy site. Once the log is long, the writer copies the rest
/// itself ([`LONGEST_LOG`]).
pub(super) struct Checkpoints {
    /// `None` when the thread must end.
    commits: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    is_log_long: Arc<AtomicBool>,
}

impl Checkpoints {
    pub(super) fn start(path: &Path, busy_timeout: Duration) -> Result<Self, OpenError> {
        let conn = connections::writing(path, busy_timeout)?;
        let (commits, wakes) = sync_channel(1);
        let is_log_long = Arc::<AtomicBool>::default();
        let is_long = is_log_long.clone();
        let thread = thread::Builder::new()
            .name("sqlite-checkpoints".to_owned())
            .spawn(move || run(conn, &wakes, &is_long))
            .map_err(OpenError::Thread)?;
        Ok(Self { commits: Some(commits), thread: Some(thread), is_log_long })
    }

    /// Tells the thread about a commit.
    pub(super) fn committed(&self) {
        // A full channel has a message that the thread has not received yet. One message is enough for all commits.
        if let Some(commits) = &self.commits {
            let (Ok(()) | Err(_)) = commits.try_send(());
        }
    }

    /// Copies the rest of a long log, so that the next commit begins the log again. `conn` is the writer's, so nothing adds
    /// pages meanwhile.
    pub(super) fn copy_rest(&self, conn: &mut Conn) {
        if self.is_log_long.swap(false, Ordering::Relaxed) {
            report(copy(conn));
        }
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

fn run(mut conn: Conn, commits: &Receiver<()>, is_long: &AtomicBool) {
    while commits.recv().is_ok() {
        report(look(&mut conn, is_long));
        thread::sleep(PAUSE);
    }
}

/// Copies the log if enough pages of it are not copied.
fn look(conn: &mut Conn, is_long: &AtomicBool) -> QueryResult<()> {
    let log: Log = diesel::sql_query("PRAGMA wal_checkpoint(NOOP)").get_result(conn)?;
    if log.log >= LONGEST_LOG {
        is_long.store(true, Ordering::Relaxed);
    }
    if log.log - log.checkpointed >= PAGES { copy(conn) } else { Ok(()) }
}

/// Copies all pages of the log that no reader needs. Does nothing while another connection copies.
fn copy(conn: &mut Conn) -> QueryResult<()> {
    diesel::sql_query("PRAGMA wal_checkpoint(PASSIVE)").execute(conn).map(drop)
}

fn report(copied: QueryResult<()>) {
    if let Err(error) = copied {
        tracing::warn!(%error, "a checkpoint failed; a later one will copy the same pages");
    }
}

/// The state of the log.
#[derive(QueryableByName)]
struct Log {
    /// The number of pages in the log.
    #[diesel(sql_type = Integer)]
    log: i32,
    /// The number of these that are copied.
    #[diesel(sql_type = Integer)]
    checkpointed: i32,
}
