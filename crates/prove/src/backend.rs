//! The stores on which sequences run.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use bolts_ports::{Audit, Queries, Store};
use bolts_store_diesel::{PostgresOptions, PostgresStore, SqliteOptions, SqliteStore};
use bolts_testkit::template::copy_sqlite;
use bolts_testkit::{MemoryStore, postgres};

/// The kind of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The store in memory of the testkit.
    Memory,
    /// SQLite, each sequence on a new file.
    Sqlite,
    /// PostgreSQL, each sequence on a new database of the shared test cluster.
    Postgres,
}

/// An empty store. Dropping the value removes it.
pub(crate) struct Opened {
    /// The write side.
    pub(crate) store: Arc<dyn Store>,
    /// The read side.
    pub(crate) queries: Arc<dyn Queries>,
    /// The audit.
    pub(crate) audit: Arc<dyn Audit>,
    // The fields are dropped in this order: first the connections, then the database.
    _place: Place,
}

/// The place of the data.
enum Place {
    Memory,
    Folder { _folder: tempfile::TempDir },
    Database { _database: postgres::Database },
}

impl Backend {
    /// A new, empty store.
    ///
    /// # Panics
    /// If the store cannot be opened.
    pub(crate) fn open(self) -> Opened {
        match self {
            Self::Memory => opened(Arc::new(MemoryStore::new()), Place::Memory),
            Self::Sqlite => sqlite(),
            Self::Postgres => postgres(),
        }
    }
}

fn opened<S: Store + Queries + Audit + 'static>(store: Arc<S>, place: Place) -> Opened {
    Opened { store: store.clone(), queries: store.clone(), audit: store, _place: place }
}

fn folder() -> tempfile::TempDir {
    // Each commit waits for the disk. A file system in memory answers at once.
    let fast = Path::new("/dev/shm");
    let made = if fast.is_dir() { tempfile::tempdir_in(fast) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}

/// Copies a migrated file, which is faster than to migrate each new file.
fn sqlite() -> Opened {
    static TEMPLATE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let options = SqliteOptions { readers: 1, ..SqliteOptions::default() };
    let template = TEMPLATE.get_or_init(folder).path().join("template.db");
    let folder = folder();
    let path = folder.path().join("bolts.db");
    copy_sqlite(&template, &path, |path| {
        drop(SqliteStore::open(path, options.clone()).expect("a new database"));
    });
    let store = SqliteStore::open(&path, options).expect("the database opens");
    opened(Arc::new(store), Place::Folder { _folder: folder })
}

fn postgres() -> Opened {
    let options = PostgresOptions { readers: 1, writers: 1, ..PostgresOptions::default() };
    let database = postgres::Database::migrated(|url| {
        drop(PostgresStore::open(url, options.clone()).expect("a new database"));
    });
    let store = PostgresStore::open(database.url(), options).expect("the database opens");
    opened(Arc::new(store), Place::Database { _database: database })
}
