//! Stores with a database. A tool that needs only the store in memory is built without them.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use bolts_store_diesel::{PostgresOptions, PostgresStore, SqliteOptions, SqliteStore};
use bolts_testkit::postgres;
use bolts_testkit::template::copy_sqlite;

use super::{Opened, opened};

fn folder() -> tempfile::TempDir {
    // Each commit waits for the disk. A file system in memory answers at once.
    let fast = Path::new("/dev/shm");
    let made = if fast.is_dir() { tempfile::tempdir_in(fast) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}

/// Copies a migrated file, which is faster than to migrate each new file.
pub(super) fn sqlite() -> Opened {
    static TEMPLATE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let options = SqliteOptions { readers: 1, ..SqliteOptions::default() };
    let template = TEMPLATE.get_or_init(folder).path().join("template.db");
    let folder = folder();
    let path = folder.path().join("bolts.db");
    copy_sqlite(&template, &path, |path| {
        drop(SqliteStore::open(path, options.clone()).expect("a new database"));
    });
    let store = SqliteStore::open(&path, options).expect("the database opens");
    opened(Arc::new(store), folder)
}

pub(super) fn postgres() -> Opened {
    let options = PostgresOptions { readers: 1, writers: 1, ..PostgresOptions::default() };
    let database = postgres::Database::migrated(|url| {
        drop(PostgresStore::open(url, options.clone()).expect("a new database"));
    });
    let store = PostgresStore::open(database.url(), options).expect("the database opens");
    opened(Arc::new(store), database)
}
