//! The database of these tests: one on a PostgreSQL cluster that the tests start.

use bolts_testkit::postgres;

/// The most statements that an accept with an idempotency key may have, without BEGIN and COMMIT. Each costs a
/// round trip.
pub(crate) const STATEMENTS_OF_AN_ACCEPT: usize = 4;

/// A database of one test.
pub(crate) enum Database {
    /// A database on the cluster that all tests share.
    Shared(postgres::Database),
    /// A database that the test has created itself.
    At(String),
}

impl Database {
    pub(crate) fn new() -> Self {
        Self::Shared(postgres::Database::new())
    }

    /// Runs SQL on the database without the program.
    pub(crate) fn execute(&self, sql: &str) {
        match self {
            Self::Shared(database) => drop(database.psql(sql)),
            Self::At(url) => panic!("only a database of the shared cluster is changed, not {url}"),
        }
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::Shared(database) => database.url().to_owned(),
            Self::At(url) => url.clone(),
        }
    }
}
