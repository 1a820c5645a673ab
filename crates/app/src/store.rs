//! Which database: the only place that knows the kinds.

use std::path::Path;
use std::sync::Arc;

use bolts_ports::{Audit, Queries, Store};
use bolts_store_diesel::{DatabaseUrl, OpenError, SqliteOptions, SqliteStore};

use crate::Failure;

/// An open database.
pub(crate) struct Database {
    sqlite: Arc<SqliteStore>,
    described: String,
}

impl Database {
    /// Opens the database, making and migrating it where needed.
    pub(crate) fn open(url: &str) -> Result<Self, Failure> {
        Self::open_with(url, SqliteStore::open)
    }

    /// Opens a database to be looked at: it has to be there already, and stays as it is.
    pub(crate) fn open_existing(url: &str) -> Result<Self, Failure> {
        Self::open_with(url, SqliteStore::open_read_only)
    }

    fn open_with(
        url: &str,
        open: fn(&Path, SqliteOptions) -> Result<SqliteStore, OpenError>,
    ) -> Result<Self, Failure> {
        let path = Self::path(url)?;
        let sqlite =
            open(&path, SqliteOptions::default()).map_err(|error| Failure::start_up(error.to_string()))?;
        Ok(Self { sqlite: Arc::new(sqlite), described: format!("SQLite {}", path.display()) })
    }

    fn path(url: &str) -> Result<std::path::PathBuf, Failure> {
        match DatabaseUrl::parse(url).map_err(|error| Failure::start_up(error.to_string()))? {
            DatabaseUrl::Sqlite(path) => Ok(path),
            DatabaseUrl::Postgres(_) => {
                Err(Failure::start_up("PostgreSQL is not supported by this version; use sqlite://…"))
            }
        }
    }

    pub(crate) fn store(&self) -> Arc<dyn Store> {
        self.sqlite.clone()
    }

    pub(crate) fn queries(&self) -> Arc<dyn Queries> {
        self.sqlite.clone()
    }

    pub(crate) fn audit(&self) -> Arc<dyn Audit> {
        self.sqlite.clone()
    }

    /// Whether a look-up is cheap enough for the threads that serve requests: a file in this process is.
    pub(crate) fn reads_in_place(&self) -> bool {
        true
    }

    /// What kind it is and where, for people.
    pub(crate) fn describe(&self) -> &str {
        &self.described
    }

    /// Copies it to a new file.
    pub(crate) fn backup(&self, file: &Path) -> Result<(), Failure> {
        self.sqlite.backup(file).map_err(|error| Failure::answer(error.to_string()))
    }
}
