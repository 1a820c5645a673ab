//! Stores and raw connections for the tests on SQLite.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bolts_ports::Audit;
use bolts_store_diesel::{SqliteOptions, SqliteStore};
use bolts_testkit::template::copy_sqlite;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Integer, Text};
use tempfile::TempDir;

/// The words of the database's messages about rules.
pub(crate) const CHECK: &str = "CHECK constraint failed";
pub(crate) const UNIQUE: &str = "UNIQUE constraint failed";
pub(crate) const FOREIGN_KEY: &str = "FOREIGN KEY constraint failed";

/// SQL that takes the migration of odds back and applies it again. The bets then have no odds, like those of releases before.
pub(crate) const ODDS_AGAIN: [&str; 4] = [
    include_str!("../../../../migrations/sqlite/2026-11-28-000010_fewer_index_changes/down.sql"),
    include_str!("../../../../migrations/sqlite/2026-11-24-000010_odds/down.sql"),
    include_str!("../../../../migrations/sqlite/2026-11-24-000010_odds/up.sql"),
    include_str!("../../../../migrations/sqlite/2026-11-28-000010_fewer_index_changes/up.sql"),
];

/// A store in its own folder. Dropping the value deletes the folder.
pub(crate) struct TestStore {
    // This field is dropped first, so that the writer has ended when the folder is deleted.
    store: SqliteStore,
    folder: TempDir,
}

impl TestStore {
    pub(crate) fn new() -> Self {
        Self::with(options())
    }

    pub(crate) fn with(options: SqliteOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bolts.db");
        let template = Path::new(env!("CARGO_TARGET_TMPDIR")).join("migrated-for-store.db");
        copy_sqlite(&template, &path, |path| drop(SqliteStore::open(path, options.clone()).unwrap()));
        let store = SqliteStore::open(&path, options).unwrap();
        Self { store, folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("bolts.db")
    }

    /// The checks of the audit that found violations, each with all its messages in one text.
    pub(crate) fn violations(&self) -> Vec<(&'static str, String)> {
        let broken = self.store.audit().unwrap().into_iter().filter(|check| !check.violations.is_empty());
        broken.map(|check| (check.name, check.violations.join("; "))).collect()
    }

    /// A direct connection to the file, which bypasses the store.
    pub(crate) fn raw(&self) -> Raw {
        Raw::open(&self.path())
    }
}

impl Deref for TestStore {
    type Target = SqliteStore;

    fn deref(&self) -> &SqliteStore {
        &self.store
    }
}

/// Options with few threads and connections, because many tests run at once.
pub(crate) fn options() -> SqliteOptions {
    SqliteOptions { readers: 2, ..SqliteOptions::default() }
}

/// A direct connection to the store's file, as another program would open it.
pub(crate) struct Raw(SqliteConnection);

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    value: String,
}

impl Raw {
    pub(crate) fn open(path: &Path) -> Self {
        Self(SqliteConnection::establish(path.to_str().unwrap()).unwrap())
    }

    pub(crate) fn run(&mut self, sql: &str) {
        self.try_run(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    pub(crate) fn try_run(&mut self, sql: &str) -> Result<(), String> {
        self.0.batch_execute(sql).map_err(|error| error.to_string())
    }

    /// Runs a query and returns the column `value` of each row as text.
    pub(crate) fn values(&mut self, sql: &str) -> Vec<String> {
        let lines: Vec<Line> = diesel::sql_query(sql).load(&mut self.0).unwrap();
        lines.into_iter().map(|line| line.value).collect()
    }

    /// The number of pages in the log.
    pub(crate) fn log_pages(&mut self) -> i32 {
        #[derive(QueryableByName)]
        struct Checkpoint {
            #[diesel(sql_type = Integer)]
            log: i32,
        }
        diesel::sql_query("PRAGMA wal_checkpoint(NOOP)").get_result::<Checkpoint>(&mut self.0).unwrap().log
    }

    /// Tries for some time to make a checkpoint after which the log begins again. Returns whether it did.
    pub(crate) fn begins_log_again(&mut self, patience: Duration) -> bool {
        #[derive(QueryableByName)]
        struct Checkpoint {
            #[diesel(sql_type = Integer)]
            busy: i32,
        }
        self.run(&format!("PRAGMA busy_timeout = {}", patience.as_millis()));
        let made = diesel::sql_query("PRAGMA wal_checkpoint(RESTART)").get_result::<Checkpoint>(&mut self.0);
        made.unwrap().busy == 0
    }

    /// Disables every rule of the schema, so that a test can break the invariants.
    pub(crate) fn lift_all_rules(&mut self) {
        self.run("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;");
        let triggers = self.values("SELECT name AS value FROM sqlite_schema WHERE type = 'trigger'");
        triggers.iter().for_each(|trigger| self.run(&format!("DROP TRIGGER {trigger}")));
    }
}
