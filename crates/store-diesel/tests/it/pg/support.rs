//! Stores and raw connections for the tests on PostgreSQL.

use std::ops::Deref;

use bolts_store_diesel::{PostgresOptions, PostgresStore};
use bolts_testkit::postgres::Database;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

/// The words of the database's messages about rules.
pub(crate) const CHECK: &str = "violates check constraint";
pub(crate) const UNIQUE: &str = "violates unique constraint";
pub(crate) const FOREIGN_KEY: &str = "violates foreign key constraint";

/// SQL that takes the migration of odds back and applies it again. The bets then have no odds, like those of releases before.
pub(crate) const ODDS_AGAIN: [&str; 4] = [
    include_str!("../../../../../migrations/postgresql/2026-11-28-000010_fewer_index_changes/down.sql"),
    include_str!("../../../../../migrations/postgresql/2026-11-24-000010_odds/down.sql"),
    include_str!("../../../../../migrations/postgresql/2026-11-24-000010_odds/up.sql"),
    include_str!("../../../../../migrations/postgresql/2026-11-28-000010_fewer_index_changes/up.sql"),
];

/// A store with its own database. Dropping the value also drops the database.
pub(crate) struct TestStore {
    // This field is dropped first, so that no connection is open when the database is dropped.
    store: PostgresStore,
    database: Database,
}

impl TestStore {
    pub(crate) fn new() -> Self {
        Self::with(options())
    }

    pub(crate) fn with(options: PostgresOptions) -> Self {
        let database = Database::migrated(|url| drop(PostgresStore::open(url, options.clone()).unwrap()));
        let store = PostgresStore::open(database.url(), options).unwrap();
        Self { store, database }
    }

    pub(crate) fn url(&self) -> &str {
        self.database.url()
    }

    /// A direct connection to the database, which bypasses the store.
    pub(crate) fn raw(&self) -> Raw {
        Raw::open(self.url())
    }
}

impl Deref for TestStore {
    type Target = PostgresStore;

    fn deref(&self) -> &PostgresStore {
        &self.store
    }
}

/// Options with few threads and connections, because many tests run at once.
pub(crate) fn options() -> PostgresOptions {
    PostgresOptions { readers: 2, writers: 4, ..PostgresOptions::default() }
}

/// A direct connection to the store's database, as another program would open it.
pub(crate) struct Raw(PgConnection);

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    value: String,
}

impl Raw {
    pub(crate) fn open(url: &str) -> Self {
        Self(PgConnection::establish(url).unwrap())
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

    /// Disables every rule of the schema, so that a test can break the invariants.
    pub(crate) fn lift_all_rules(&mut self) {
        // In the role `replica`, PostgreSQL fires no triggers and checks no foreign keys.
        self.run("SET session_replication_role = replica");
        let checks = self.values(
            "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS value
             FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0 AND connamespace = 'public'::regnamespace",
        );
        checks.iter().for_each(|check| self.run(check));
    }
}
