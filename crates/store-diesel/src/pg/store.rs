use std::time::Instant;

use bolts_ports::{Hint, Job, Result, Store, StoreError};
use diesel::QueryResult;
use diesel::r2d2::{Pool, PooledConnection};

use super::connections::{self, Purpose, Readers};
use super::failure::failure;
use super::fanout::{Listener, PostgresFanout};
use super::writers::Writers;
use super::{Conn, PostgresOptions, open};
use crate::OpenError;
use crate::watch;

/// The store in a PostgreSQL database, which any number of processes may share.
///
/// A server that is stopped and started again is met with 'not available' meanwhile, and with new connections afterwards.
/// Dropping the store finishes what is queued, so that a program that ends loses nothing.
pub struct PostgresStore {
    url: String,
    options: PostgresOptions,
    readers: Pool<Readers>,
    /// `None` where the database was opened for reading only.
    writers: Option<Writers>,
}

impl PostgresStore {
    /// Opens the database, which has to exist, and brings its schema up to date. `url` is libpq's:
    /// `postgres://user:password@host/database?sslmode=verify-full&sslrootcert=…`.
    ///
    /// # Errors
    /// The server cannot be reached, the database cannot be used, or a newer program made its schema.
    pub fn open(url: &str, options: PostgresOptions) -> std::result::Result<Self, OpenError> {
        open::migrate(url, &options)?;
        let writers = Writers::start(url, &options).map_err(OpenError::Thread)?;
        Ok(Self { writers: Some(writers), ..Self::reading(url, options)? })
    }

    /// Opens the database for reading only, beside running servers. Changes nothing: a schema that is not up to date is
    /// refused, not migrated.
    ///
    /// # Errors
    /// The server cannot be reached, or the schema is older or newer than this program's.
    pub fn open_read_only(url: &str, options: PostgresOptions) -> std::result::Result<Self, OpenError> {
        open::check_current(url, &options)?;
        Ok(Self::reading(url, options)?)
    }

    fn reading(url: &str, options: PostgresOptions) -> Result<Self> {
        let readers = connections::reading(url, &options)?;
        Ok(Self { url: url.to_owned(), options, readers, writers: None })
    }

    /// Sends hints to every process that [listens](Self::listen), this one too.
    ///
    /// # Errors
    /// There is no thread for it.
    pub fn fanout(&self) -> std::io::Result<PostgresFanout> {
        PostgresFanout::start(&self.url, &self.options)
    }

    /// Hands the hints of every process to `callback`, on a thread of its own, until the listener is dropped.
    ///
    /// # Errors
    /// There is no thread for it.
    pub fn listen(&self, callback: impl Fn(&[Hint]) + Send + 'static) -> std::io::Result<Listener> {
        Listener::start(&self.url, &self.options, Box::new(callback))
    }

    /// A connection that only reads.
    pub(super) fn reader(&self) -> Result<PooledConnection<Readers>> {
        let since = Instant::now();
        let reader = connections::take(&self.readers);
        watch::waited_for_reader(since);
        reader
    }

    /// A connection for statements that take as long as they take.
    pub(super) fn auditor(&self) -> Result<Conn> {
        connections::connect(&self.url, &self.options, Purpose::Auditing)
    }

    /// Runs statements on a connection that only reads.
    pub(super) fn read<T>(&self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        let mut reader = self.reader()?;
        let answer = statements(&mut reader).map_err(failure);
        if matches!(answer, Err(StoreError::Unavailable(_))) {
            reader.give_up();
        }
        answer
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
