//! The database of these tests: a SQLite file. `it_pg` runs the same tests on PostgreSQL.

use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection as _;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, RunQueryDsl as _, SqliteConnection, select};
use tempfile::TempDir;

/// The most statements that an accept with an idempotency key may have, without BEGIN and COMMIT.
pub(crate) const STATEMENTS_OF_AN_ACCEPT: usize = 12;

/// A database file in its own folder. Dropping the value deletes the folder.
pub(crate) struct Database(TempDir);

impl Database {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    pub(crate) fn url(&self) -> String {
        url(self.0.path())
    }

    /// Runs SQL on the database without the program. The SQL must mean the same on both kinds of database.
    pub(crate) fn execute(&self, sql: &str) {
        self.connect().batch_execute(sql).expect("good SQL");
    }

    /// The number of rows of a table.
    pub(crate) fn rows(&self, table: &str) -> i64 {
        let count = select(sql::<BigInt>(&format!("(SELECT count(*) FROM {table})")));
        count.get_result(&mut self.connect()).expect("a count")
    }

    fn connect(&self) -> SqliteConnection {
        let mut connection = SqliteConnection::establish(&self.file().display().to_string()).expect("a file");
        connection.batch_execute("PRAGMA busy_timeout = 10000").expect("a pragma");
        connection
    }

    pub(crate) fn file(&self) -> PathBuf {
        file(self.0.path())
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("bolts.db")
}

/// The URL of the database in a folder.
pub(crate) fn url(folder: &Path) -> String {
    format!("sqlite://{}", file(folder).display())
}
