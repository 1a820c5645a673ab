//! The choice of the database. Only this module distinguishes SQLite and PostgreSQL.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bolts_http::Hub;
use bolts_ports::{Audit, Fanout, Queries, Replicas, Store};
use bolts_store_diesel::{DatabaseUrl, OpenError, SqliteOptions, SqliteStore};
#[cfg(feature = "postgres")]
use bolts_store_diesel::{Listener, PostgresOptions, PostgresStore};

use crate::Failure;

/// The fault of `--read-url` with a SQLite file.
pub(crate) const NO_REPLICAS: &str = "--read-url needs PostgreSQL: SQLite has no replicas";

/// An open database.
pub(crate) struct Database {
    kind: Kind,
    described: String,
}

enum Kind {
    Sqlite(Arc<SqliteStore>),
    #[cfg(feature = "postgres")]
    Postgres(Arc<PostgresStore>),
}

/// The reason why a database is not open.
pub(crate) enum Closed {
    /// The server is away. A later attempt may succeed.
    Away(String),
    /// Another attempt would fail in the same way.
    Failed(Failure),
}

impl From<Closed> for Failure {
    fn from(closed: Closed) -> Self {
        match closed {
            Closed::Away(why) => Self::start_up(why),
            Closed::Failed(failure) => failure,
        }
    }
}

impl From<OpenError> for Closed {
    fn from(error: OpenError) -> Self {
        let is_away = matches!(error, OpenError::Away(_));
        let why = error.to_string();
        if is_away { Self::Away(why) } else { Self::Failed(Failure::start_up(why)) }
    }
}

/// Evaluates the same expression for a SQLite or a PostgreSQL store.
macro_rules! of_either {
    ($kind:expr, $store:ident => $value:expr) => {
        match $kind {
            Kind::Sqlite($store) => $value,
            #[cfg(feature = "postgres")]
            Kind::Postgres($store) => $value,
        }
    };
}

/// Sends hints to the open pages of every process.
pub(crate) struct Live {
    pub(crate) fanout: Arc<dyn Fanout>,
    /// Dropping this value stops the listener.
    #[cfg(feature = "postgres")]
    _listener: Option<Listener>,
}

impl Database {
    /// Opens the database. Creates it and migrates its schema if necessary.
    pub(crate) fn open(url: &str) -> Result<Self, Failure> {
        Ok(Self::open_with(
            url,
            SqliteStore::open,
            #[cfg(feature = "postgres")]
            PostgresStore::open,
        )?)
    }

    /// As [`open`](Self::open), for a server. If it fails, the error says whether a later attempt may succeed.
    pub(crate) fn try_open(url: &str) -> Result<Self, Closed> {
        Self::open_with(
            url,
            SqliteStore::open_for_server,
            #[cfg(feature = "postgres")]
            PostgresStore::open,
        )
    }

    /// Opens a database for a command of the operator. Fails if there is no database, or if its schema is not this program's. If
    /// the command created a database, it would report success, and the server would still use another one.
    pub(crate) fn open_existing(url: &str) -> Result<Self, Failure> {
        drop(Self::open_read_only(url)?);
        Self::open(url)
    }

    /// Opens an existing database for reading only, without changing its schema.
    pub(crate) fn open_read_only(url: &str) -> Result<Self, Failure> {
        Ok(Self::open_with(
            url,
            SqliteStore::open_read_only,
            #[cfg(feature = "postgres")]
            PostgresStore::open_read_only,
        )?)
    }

    fn open_with(
        url: &str,
        sqlite: fn(&Path, SqliteOptions) -> Result<SqliteStore, OpenError>,
        #[cfg(feature = "postgres")] postgres: fn(&str, PostgresOptions) -> Result<PostgresStore, OpenError>,
    ) -> Result<Self, Closed> {
        let failed = |why: String| Closed::Failed(Failure::start_up(why));
        let url = DatabaseUrl::parse(url).map_err(|error| failed(error.to_string()))?;
        let kind = match &url {
            DatabaseUrl::Sqlite(path) => Kind::Sqlite(Arc::new(sqlite(path, SqliteOptions::default())?)),
            #[cfg(feature = "postgres")]
            DatabaseUrl::Postgres(url) => {
                Kind::Postgres(Arc::new(postgres(url, PostgresOptions::default())?))
            }
            #[cfg(not(feature = "postgres"))]
            DatabaseUrl::Postgres(_) => {
                return Err(failed("this binary was built without PostgreSQL; use sqlite://…".to_owned()));
            }
        };
        Ok(Self { kind, described: url.describe() })
    }

    pub(crate) fn store(&self) -> Arc<dyn Store> {
        of_either!(&self.kind, store => store.clone())
    }

    pub(crate) fn queries(&self) -> Arc<dyn Queries> {
        of_either!(&self.kind, store => store.clone())
    }

    /// The audit. It does not keep the writers of the database alive.
    pub(crate) fn audit(&self) -> Arc<dyn Audit> {
        of_either!(&self.kind, store => Arc::new(store.for_reading()))
    }

    /// Connects `here`, which sends hints to the open pages of this process. On PostgreSQL, `here` also gets the hints
    /// from all other processes. If hints may have been lost, `here` ends its streams.
    pub(crate) fn live(&self, here: Arc<Hub>) -> Result<Live, Failure> {
        match &self.kind {
            Kind::Sqlite(_) => Ok(Live {
                fanout: here,
                #[cfg(feature = "postgres")]
                _listener: None,
            }),
            #[cfg(feature = "postgres")]
            Kind::Postgres(store) => {
                let failed = |error| Failure::start_up(format!("cannot start a thread: {error}"));
                let there = here.clone();
                let listener = store.listen(move |hints| here.publish(hints), move || there.restart());
                let listener = listener.map_err(failed)?;
                Ok(Live { fanout: Arc::new(store.fanout().map_err(failed)?), _listener: Some(listener) })
            }
        }
    }

    /// The replicas at these URLs, for reads of visitors. `None` without a URL.
    pub(crate) fn replicas(
        &self,
        urls: &[String],
        longest: Duration,
    ) -> Result<Option<Arc<dyn Replicas>>, Failure> {
        if urls.is_empty() {
            return Ok(None);
        }
        match &self.kind {
            Kind::Sqlite(_) => Err(Failure::start_up(NO_REPLICAS)),
            #[cfg(feature = "postgres")]
            Kind::Postgres(store) => {
                let failed = |error| Failure::start_up(format!("--read-url cannot be used: {error}"));
                Ok(Some(Arc::new(store.replicas(urls, longest).map_err(failed)?)))
            }
        }
    }

    /// Whether queries are fast enough for the threads that serve requests. Queries on a SQLite file are, because they
    /// need no network.
    pub(crate) fn reads_in_place(&self) -> bool {
        matches!(self.kind, Kind::Sqlite(_))
    }

    /// The kind and place of the database in words, without secrets.
    pub(crate) fn describe(&self) -> &str {
        &self.described
    }

    /// Copies the database to a new file, and changes one setting in the copy, given by name and value.
    pub(crate) fn backup(&self, file: &Path, setting: (&str, &str)) -> Result<(), Failure> {
        match &self.kind {
            Kind::Sqlite(store) => {
                store.backup(file, setting).map_err(|error| Failure::answer(error.to_string()))
            }
            #[cfg(feature = "postgres")]
            Kind::Postgres(_) => Err(Failure::start_up("this command copies SQLite databases; use pg_dump")),
        }
    }
}
