use std::ops::Deref;
use std::path::PathBuf;

use bolts_store_diesel::{SqliteOptions, SqliteStore};
use tempfile::TempDir;

/// A store in a folder that goes with it.
pub(crate) struct TestStore {
    // Dropped first, so that the writer is done before its folder goes.
    store: SqliteStore,
    folder: TempDir,
}

impl TestStore {
    pub(crate) fn new() -> Self {
        Self::with(SqliteOptions { readers: 2, ..SqliteOptions::default() })
    }

    pub(crate) fn with(options: SqliteOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("bolts.db"), options).unwrap();
        Self { store, folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("bolts.db")
    }
}

impl Deref for TestStore {
    type Target = SqliteStore;

    fn deref(&self) -> &SqliteStore {
        &self.store
    }
}
