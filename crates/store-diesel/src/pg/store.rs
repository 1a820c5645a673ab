//! The store on a PostgreSQL database.

use std::time::{Duration, Instant};

use bolts_ports::{Hint, Job, OnDisk, Result, Store, StoreError};
use diesel::prelude::*;
use diesel::r2d2::{Pool, PooledConnection};

use super::connections::{self, Purpose, Readers};
use super::failure::failure;
use super::fanout::{Listener, PostgresFanout};
use super::writers::Writers;
use super::{Conn, PostgresOptions, PostgresReplicas, open};
use crate::{OpenError, metrics, traces};

/// The store on a PostgreSQL database, which several processes may share.
///
/// While the server is stopped, all calls get the answer 'not available'. After a restart of the server, the
/// store opens new connections. Dropping the store waits until the jobs in the queue are finished, so a
/// program that ends loses no job.
pub struct PostgresStore {
    url: String,
    options: PostgresOptions,
    readers: Pool<Readers>,
    /// `None` if the database was opened for reading only.
    writers: Option<Writers>,
}

impl PostgresStore {
    /// Opens an existing database and migrates its schema. `url` is in the syntax of libpq:
    /// `postgres://user:password@host/database?sslmode=verify-full&sslrootcert=…`.
    ///
    /// # Errors
    /// The server cannot be reached, the database cannot be used, or its schema is newer than the program.
    pub fn open(url: &str, options: PostgresOptions) -> std::result::Result<Self, OpenError> {
        open::migrate(url, &options)?;
        let writers = Writers::start(url, &options).map_err(OpenError::Thread)?;
        Ok(Self { writers: Some(writers), ..Self::reading(url, options)? })
    }

    /// Opens the database for reading only. Servers may use the database at the same time. If the schema
    /// belongs to another version of the program, the call fails and does not migrate it.
    ///
    /// # Errors
    /// The server cannot be reached, or the schema is older or newer than this program's.
    pub fn open_read_only(url: &str, options: PostgresOptions) -> std::result::Result<Self, OpenError> {
        open::check_current(url, &options)?;
        Ok(Self::reading(url, options)?)
    }

    /// The store at this URL, for reading only, without a look at its schema.
    pub(super) fn reading(url: &str, options: PostgresOptions) -> Result<Self> {
        let readers = connections::reading(url, &options)?;
        Ok(Self { url: url.to_owned(), options, readers, writers: None })
    }

    /// The same store, for reading only. The writers stop when the store itself is dropped, even if this value still
    /// exists.
    #[must_use]
    pub fn for_reading(&self) -> Self {
        let readers = self.readers.clone();
        Self { url: self.url.clone(), options: self.options.clone(), readers, writers: None }
    }

    /// Sends hints to every process that [listens](Self::listen), including this one.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn fanout(&self) -> std::io::Result<PostgresFanout> {
        PostgresFanout::start(&self.url, &self.options)
    }

    /// Watches the replicas of this database at these URLs. A replica that lacks changes older than `longest` is not used.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn replicas(&self, urls: &[String], longest: Duration) -> std::io::Result<PostgresReplicas> {
        PostgresReplicas::start(&self.url, urls, longest, &self.options)
    }

    /// Calls `callback` with the hints of all processes, on a separate thread, until the listener is dropped. Calls `connected`
    /// after each connection to the server: hints before it were lost. The first attempt to connect ends before this call returns.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn listen(
        &self,
        callback: impl Fn(&[Hint]) + Send + 'static,
        connected: impl Fn() + Send + 'static,
    ) -> std::io::Result<Listener> {
        Listener::start(&self.url, &self.options, Box::new(callback), Box::new(connected))
    }

    /// A read-only connection from the pool.
    pub(super) fn reader(&self) -> Result<PooledConnection<Readers>> {
        let (since, _wait) = (Instant::now(), traces::wait_for_reader());
        let reader = connections::take(&self.readers);
        metrics::waited_for_reader(since);
        reader
    }

    /// A connection for statements without a time limit.
    pub(super) fn auditor(&self) -> Result<Conn> {
        connections::connect(&self.url, &self.options, Purpose::Auditing)
    }

    /// Runs statements on a read-only connection.
    pub(super) fn read<T>(&self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        let mut reader = self.reader()?;
        let answer = statements(&mut reader).map_err(failure);
        if matches!(answer, Err(StoreError::Unavailable(_))) {
            reader.give_up();
        }
        answer
    }

    /// `None`: PostgreSQL shows a change to queries only when it is on the disk.
    #[expect(clippy::unused_self, reason = "SQLite's needs it")]
    pub(super) fn pending(&self) -> Option<OnDisk> {
        None
    }

    /// Checks that the server answers. An answer ends an outage, so the writers try to connect again at once.
    pub(super) fn check(&self) -> Result<()> {
        self.read(|conn| diesel::sql_query("SELECT 1").execute(conn))?;
        if let Some(writers) = &self.writers {
            writers.reached();
        }
        Ok(())
    }
}

impl Store for PostgresStore {
    fn enqueue(&self, job: Box<dyn Job>) {
        match &self.writers {
            Some(writers) => writers.enqueue(job),
            None => {
                job.done(Err(StoreError::Unavailable("the database was opened for reading only".to_owned())));
            }
        }
    }
}
