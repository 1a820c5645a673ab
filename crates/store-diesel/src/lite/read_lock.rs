//! A read lock that the readers of this process share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bolts_ports::Result;
use diesel::connection::SimpleConnection;

use super::failure::failure;
use super::{Conn, connections};

/// A connection with an open read transaction. At the begin and at the end of a read, SQLite asks the operating system for
/// a file lock, while it holds a mutex that all connections of the process share. So threads that read at the same time
/// wait for each other. If another connection of the process has the same lock, SQLite only counts. This connection keeps
/// the lock for the others (`docs/performance.md`).
///
/// The lock must be given back before each commit: a checkpoint cannot pass a read transaction, so the log would grow.
pub(super) struct ReadLock {
    path: PathBuf,
    busy_timeout: Duration,
    /// `None` after a failure. Reads are slower until the next connection.
    conn: Option<Conn>,
    is_held: bool,
}

impl ReadLock {
    pub(super) fn new(path: &Path, busy_timeout: Duration) -> Result<Self> {
        let conn = Some(connections::auditing(path, busy_timeout)?);
        Ok(Self { path: path.to_owned(), busy_timeout, conn, is_held: false })
    }

    /// Takes the lock on the latest commit.
    pub(super) fn take(&mut self) {
        self.release();
        if self.conn.is_none() {
            self.conn = connections::auditing(&self.path, self.busy_timeout).ok();
        }
        // A transaction takes the lock at its first read.
        self.run("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
        self.is_held = self.conn.is_some();
    }

    pub(super) fn release(&mut self) {
        if std::mem::take(&mut self.is_held) {
            self.run("COMMIT");
        }
    }

    /// After a failure the connection is dropped, and its lock with it.
    fn run(&mut self, statements: &str) {
        self.conn.take_if(|conn| {
            let failed = conn.batch_execute(statements).map_err(failure).err();
            if let Some(error) = &failed {
                tracing::warn!(%error, "readers do not share a lock now, so reads are slower");
            }
            failed.is_some()
        });
    }
}
