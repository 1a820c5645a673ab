use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bolts_ports::{Job, Result, Store, StoreError};
use diesel::QueryResult;
use diesel::r2d2::{ConnectionManager, Pool, PooledConnection};

use super::failure::failure;
use super::writer::Writer;
use super::{BackupError, Conn, SqliteOptions, backup, connections, open};
use crate::OpenError;
use crate::watch;

/// The store in one SQLite file.
///
/// Dropping it finishes what is queued, so that a program that ends loses nothing.
pub struct SqliteStore {
    path: PathBuf,
    busy_timeout: Duration,
    readers: Pool<ConnectionManager<Conn>>,
    /// `None` where the file was opened for reading only.
    writer: Option<Writer>,
}

impl SqliteStore {
    /// Opens the file, makes it and its folder where they are missing, and brings its schema up to date.
    ///
    /// # Errors
    /// The file cannot be used, or a newer program made it.
    pub fn open(path: &Path, options: SqliteOptions) -> std::result::Result<Self, OpenError> {
        let conn = open::migrated(path, &options)?;
        let readers = connections::reading(path, options.readers, options.busy_timeout)?;
        let writer = Writer::start(path, conn, &options)?;
        let busy_timeout = options.busy_timeout;
        Ok(Self { path: path.to_owned(), busy_timeout, readers, writer: Some(writer) })
    }

    /// Opens a file that is there for reading only, beside a running server. Changes nothing: a schema that is not
    /// up to date is refused, not migrated.
    ///
    /// # Errors
    /// The file is missing or cannot be used, or its schema is older or newer than this program's.
    pub fn open_read_only(path: &Path, options: SqliteOptions) -> std::result::Result<Self, OpenError> {
        open::check_existing(path)?;
        let readers = connections::reading(path, options.readers, options.busy_timeout)?;
        let store = Self { path: path.to_owned(), busy_timeout: options.busy_timeout, readers, writer: None };
        open::check_current(&mut *store.reader()?)?;
        Ok(store)
    }

    /// Writes a consistent copy to a new file while everything goes on. One setting, by name and value, differs in the
    /// copy. On return the copy is on the disk.
    ///
    /// # Errors
    /// There is such a file already, or it cannot be written.
    pub fn backup(&self, to: &Path, setting: (&str, &str)) -> std::result::Result<(), BackupError> {
        backup::copy(&self.path, to, setting, self.busy_timeout)
    }

    /// A connection that only reads.
    pub(super) fn reader(&self) -> Result<PooledConnection<ConnectionManager<Conn>>> {
        let since = Instant::now();
        let reader = self.readers.get().map_err(|error| StoreError::Unavailable(error.to_string()));
        watch::waited_for_reader(since);
        reader
    }

    /// A connection for statements that take as long as they take.
    pub(super) fn auditor(&self) -> Result<PooledConnection<ConnectionManager<Conn>>> {
        self.reader()
    }

    /// Runs statements on a connection that only reads.
    pub(super) fn read<T>(&self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        statements(&mut *self.reader()?).map_err(failure)
    }
}

impl Store for SqliteStore {
    fn enqueue(&self, job: Box<dyn Job>) {
        match &self.writer {
            Some(writer) => writer.enqueue(job),
            None => job.done(Err(StoreError::Unavailable("the file was opened for reading only".to_owned()))),
        }
    }
}
