//! The thread that makes checkpoints: it copies pages from the log to the database file while the writer goes on.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::{Conn, connections};
use crate::OpenError;

/// The number of pages in the log that are worth a checkpoint (16 MB). A page that many commits change is then copied
/// once.
const PAGES: i32 = 4_000;

/// The minimum time between two looks at the log.
const PAUSE: Duration = Duration::from_millis(10);

/// Makes checkpoints after commits. The log begins again only when all of its pages are copied. The writer adds pages while
/// this thread copies, so the thread never reaches the end on a busy site. Once the log is long, the writer copies the rest
/// itself ([`connections::LONGEST_LOG`]).
pub(super) struct Checkpoints {
    /// `None` when the thread must end.
    commits: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    pub(super) fn start(path: &Path, busy_timeout: Duration) -> Result<Self, OpenError> {
        let conn = connections::writing(path, busy_timeout)?;
        let (commits, wakes) = sync_channel(1);
        let thread = thread::Builder::new()
            .name("sqlite-checkpoints".to_owned())
            .spawn(move || run(conn, &wakes))
            .map_err(OpenError::Thread)?;
        Ok(Self { commits: Some(commits), thread: Some(thread) })
    }

    /// Tells the thread about a commit.
    pub(super) fn committed(&self) {
        // A full channel has a message that the thread has not received yet. One message is enough for all commits.
        if let Some(commits) = &self.commits {
            let (Ok(()) | Err(_)) = commits.try_send(());
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

fn run(mut conn: Conn, commits: &Receiver<()>) {
    while commits.recv().is_ok() {
        if let Err(error) = look(&mut conn) {
            tracing::warn!(%error, "a checkpoint failed; a later one will copy the same pages");
        }
        thread::sleep(PAUSE);
    }
}

/// Copies the log if it is long.
fn look(conn: &mut Conn) -> QueryResult<()> {
    let log: Log = diesel::sql_query("PRAGMA wal_checkpoint(NOOP)").get_result(conn)?;
    if log.log - log.checkpointed >= PAGES {
        diesel::sql_query("PRAGMA wal_checkpoint(PASSIVE)").execute(conn)?;
    }
    Ok(())
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
