//! The database of these tests: a SQLite file. `it_pg` runs the same tests on PostgreSQL.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bolts_store_diesel::{SqliteOptions, SqliteStore};
use bolts_testkit::template::copy_sqlite;
use diesel::connection::SimpleConnection as _;
use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection as _, QueryableByName, RunQueryDsl as _, SqliteConnection, select, sql_query};
use tempfile::TempDir;

use crate::statements::{GROWING, check_index};

/// The most statements that an accept with an idempotency key may have, without BEGIN and COMMIT.
pub(crate) const STATEMENTS_OF_AN_ACCEPT: usize = 12;

/// A database file with the newest schema, in its own folder. Dropping the value deletes the folder.
pub(crate) struct Database(TempDir);

impl Database {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let template = Path::new(env!("CARGO_TARGET_TMPDIR")).join("migrated-for-app.db");
        copy_sqlite(&template, &file(folder.path()), |path| {
            drop(SqliteStore::open(path, SqliteOptions::default()).expect("a new database"));
        });
        Self(folder)
    }

    /// A database of a released version, from its folder in `tests/released`.
    pub(crate) fn released(release: &Path) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        std::fs::write(file(folder.path()), crate::released::unpacked(&release.join("sqlite.db.gz")))
            .expect("a database file");
        Self(folder)
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

    pub(crate) fn connect(&self) -> SqliteConnection {
        let mut connection = SqliteConnection::establish(&self.file().display().to_string()).expect("a file");
        connection.batch_execute("PRAGMA busy_timeout = 10000").expect("a pragma");
        connection
    }

    /// Does nothing. SQLite's plans depend on statistics alone, and no program of Bolts runs ANALYZE on a file.
    #[expect(clippy::unused_self, reason = "PostgreSQL's plans depend on the size")]
    pub(crate) fn fill(&self) {}

    /// The most, in KiB, that the server's page caches can grow when it reads each page once. Each reader has a cache, and the load of
    /// the machine decides how many readers take part.
    pub(crate) fn page_caches(&self) -> u64 {
        let size = sql::<BigInt>("(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)");
        let bytes: i64 = select(size).get_result(&mut self.connect()).expect("a size");
        bytes.unsigned_abs() / 1_024
    }

    /// Asserts that no plan of these statements reads a whole table.
    pub(crate) fn check_plans(&self, statements: &[String]) {
        // The plan of an INSERT also shows checks of foreign keys that SQLite runs only if a transaction has deferred
        // violations.
        for statement in statements.iter().filter(|statement| !statement.trim_start().starts_with("INSERT")) {
            let plan = self.plan(statement);
            assert!(!plan.iter().any(|step| reads_a_table(step)), "{statement}: {plan:#?}");
            check_index(statement, &plan.join("\n"));
        }
    }

    fn plan(&self, statement: &str) -> Vec<String> {
        let steps = sql_query(format!("EXPLAIN QUERY PLAN {statement}")).load::<Step>(&mut self.connect());
        steps.expect(statement).into_iter().map(|step| step.detail).collect()
    }

    pub(crate) fn file(&self) -> PathBuf {
        file(self.0.path())
    }
}

/// A database that survives a crash. A SQLite file has no server that could be killed.
pub(crate) struct KillableDatabase(Arc<Database>);

impl KillableDatabase {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Database::new()))
    }

    pub(crate) fn database(&self) -> Arc<Database> {
        self.0.clone()
    }

    #[expect(clippy::unused_self, reason = "PostgreSQL has a server")]
    pub(crate) fn has_server(&self) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "PostgreSQL has a server")]
    pub(crate) fn kill(&self) {
        panic!("SQLite has no server");
    }

    #[expect(clippy::unused_self, reason = "PostgreSQL has a server")]
    pub(crate) fn start(&self) {
        panic!("SQLite has no server");
    }
}

/// A step of a plan.
#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// Whether a step reads a whole table that grows. A list without a filter reads its index in order, up to its LIMIT.
fn reads_a_table(step: &str) -> bool {
    let table = step.strip_prefix("SCAN ").unwrap_or_default();
    GROWING.contains(&table)
}

fn file(folder: &Path) -> PathBuf {
    folder.join("bolts.db")
}

/// The URL of the database in a folder.
pub(crate) fn url(folder: &Path) -> String {
    format!("sqlite://{}", file(folder).display())
}

/// A copy of a template that was still being closed has no tables, or is damaged.
#[test]
fn a_new_database_is_migrated() {
    let bytes = std::fs::read(file(Database::new().0.path())).expect("a file");
    assert!(bytes.len() > 100_000, "{} bytes", bytes.len());
    assert_eq!(Database::new().rows("users"), 0);
}
