//! Which database this test binary is about: a SQLite file. `it_pg` runs the same tests on PostgreSQL.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A file in a folder that goes with it.
pub(crate) struct Database(TempDir);

impl Database {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    pub(crate) fn url(&self) -> String {
        url(self.0.path())
    }

    pub(crate) fn file(&self) -> PathBuf {
        file(self.0.path())
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("bolts.db")
}

/// The address of the database in a folder.
pub(crate) fn url(folder: &Path) -> String {
    format!("sqlite://{}", file(folder).display())
}
