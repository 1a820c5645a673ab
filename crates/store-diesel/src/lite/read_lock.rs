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
    /// `None` at the start and after a failure. [`take`](Self::take) opens the connection.
    conn: Option<Conn>,
    is_held: bool,
}

impl ReadLock {
    pub(super) fn new(path: &Path, busy_timeout: Duration) -> Self {
        Self { path: path.to_owned(), busy_timeout, conn: None, is_held: false }
    }

    /// Takes the lock on the latest commit. After a failure the readers do without the lock, which makes them slower.
    pub(super) fn take(&mut self) {
        self.release();
        let taken = self.try_take();
        self.keep(taken);
    }

    /// Gives the lock back. Does nothing if it is not held.
    pub(super) fn release(&mut self) {
        if !std::mem::take(&mut self.is_held) {
            return;
        }
        if let Some(conn) = &mut self.conn {
            let released = conn.batch_execute("COMMIT").map_err(failure);
            self.keep(released);
        }
    }

    fn try_take(&mut self) -> Result<()> {
        let conn = match &mut self.conn {
            Some(conn) => conn,
            missing => missing.insert(connections::auditing(&self.path, self.busy_timeout)?),
        };
        // A transaction takes the lock at its first read.
        conn.batch_execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1").map_err(failure)?;
        self.is_held = true;
        Ok(())
    }

    /// Keeps the connection, unless it failed. SQLite gives the lock of a closed connection back.
    fn keep(&mut self, result: Result<()>) {
        if let Err(error) = result {
            tracing::warn!(%error, "readers do not share a lock now, so reads are slower");
            self.conn = None;
        }
    }
}
