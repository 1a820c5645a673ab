//! The store on a SQLite file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bolts_ports::{Job, OnDisk, Result, Store, StoreError};
use diesel::prelude::*;
use diesel::r2d2::{ConnectionManager, Pool, PooledConnection};

use super::durable::Durable;
use super::failure::failure;
use super::writer::Writer;
use super::{BackupError, Conn, SqliteOptions, backup, connections, log, open};
use crate::{OpenError, metrics, traces};

/// The store on a SQLite file.
///
/// Dropping the store waits until the jobs in the queue are finished, so a program that ends loses no job.
pub struct SqliteStore {
    path: PathBuf,
    busy_timeout: Duration,
    readers: Pool<ConnectionManager<Conn>>,
    durable: Arc<Durable>,
    /// `None` if the file was opened for reading only.
    writer: Option<Writer>,
}

impl SqliteStore {
    /// Opens the file and migrates its schema. If the file or its folder is missing, the call creates it.
    ///
    /// # Errors
    /// The file cannot be used, or its schema is newer than this program's.
    pub fn open(path: &Path, options: SqliteOptions) -> std::result::Result<Self, OpenError> {
        let conn = open::migrated(path, &options)?;
        Self::with(path, conn, &options)
    }

    /// As [`open`](Self::open), for the one server of the file. What an earlier server left in the log is on the disk when the
    /// call returns.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_for_server(path: &Path, options: SqliteOptions) -> std::result::Result<Self, OpenError> {
        let mut conn = open::migrated(path, &options)?;
        log::empty(&mut conn).map_err(failure)?;
        Self::with(path, conn, &options)
    }

    fn with(path: &Path, conn: Conn, options: &SqliteOptions) -> std::result::Result<Self, OpenError> {
        let readers = connections::reading(path, options.readers, options.busy_timeout)?;
        let durable = Arc::<Durable>::default();
        let writer = Writer::start(path, conn, options, durable.clone())?;
        let busy_timeout = options.busy_timeout;
        Ok(Self { path: path.to_owned(), busy_timeout, readers, durable, writer: Some(writer) })
    }

    /// Opens an existing file for reading only. A server may use the file at the same time. If the schema
    /// belongs to another version of the program, the call fails and does not migrate it.
    ///
    /// # Errors
    /// The file is missing or cannot be used, or its schema is older or newer than this program's.
    pub fn open_read_only(path: &Path, options: SqliteOptions) -> std::result::Result<Self, OpenError> {
        open::check_existing(path)?;
        let readers = connections::reading(path, options.readers, options.busy_timeout)?;
        let (path, busy_timeout) = (path.to_owned(), options.busy_timeout);
        let store = Self { path, busy_timeout, readers, durable: Arc::default(), writer: None };
        open::check_current(&mut *store.reader()?)?;
        Ok(store)
    }

    /// Writes a consistent copy to a new file while the store is in use. `setting` is the name and the value
    /// of a setting that only the copy gets. When the call returns, the copy is on the disk.
    ///
    /// # Errors
    /// The file exists already, or it cannot be written.
    pub fn backup(&self, to: &Path, setting: (&str, &str)) -> std::result::Result<(), BackupError> {
        backup::copy(&self.path, to, setting, self.busy_timeout)
    }

    /// A read-only connection from the pool.
    pub(super) fn reader(&self) -> Result<PooledConnection<ConnectionManager<Conn>>> {
        let (since, _wait) = (Instant::now(), traces::wait_for_reader());
        let reader = self.readers.get().map_err(|error| StoreError::Unavailable(error.to_string()));
        metrics::waited_for_reader(since);
        reader
    }

    /// The same store, for reading only. The writer stops when the store itself is dropped, even if this value still
    /// exists.
    #[must_use]
    pub fn for_reading(&self) -> Self {
        Self {
            path: self.path.clone(),
            busy_timeout: self.busy_timeout,
            readers: self.readers.clone(),
            durable: self.durable.clone(),
            writer: None,
        }
    }

    /// A connection for the audit. An audit reads the whole file, so a connection of the pool would keep a full cache
    /// afterwards.
    pub(super) fn auditor(&self) -> Result<Conn> {
        connections::auditing(&self.path, self.busy_timeout)
    }

    /// Runs statements on a read-only connection.
    pub(super) fn read<T>(&self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        statements(&mut *self.reader()?).map_err(failure)
    }

    /// Completes when everything that queries have seen is on the disk. `None` if it is there already.
    pub(super) fn pending(&self) -> Option<OnDisk> {
        self.durable.pending()
    }

    /// Checks that queries are answered.
    pub(super) fn check(&self) -> Result<()> {
        self.read(|conn| diesel::sql_query("SELECT 1").execute(conn).map(drop))
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
