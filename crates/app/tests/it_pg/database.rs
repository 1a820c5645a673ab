//! Which database this test binary is about: one on a PostgreSQL cluster that the tests start.

use bolts_testkit::postgres;

/// A database of a test's own.
pub(crate) enum Database {
    /// On the cluster that all tests share.
    Shared(postgres::Database),
    /// Wherever a test has made it.
    At(String),
}

impl Database {
    pub(crate) fn new() -> Self {
        Self::Shared(postgres::Database::new())
    }

    /// Changes it behind the program's back.
    pub(crate) fn execute(&self, sql: &str) {
        match self {
            Self::Shared(database) => drop(database.psql(sql)),
            Self::At(url) => panic!("only a database of the shared cluster is changed, not {url}"),
        }
    }

    /// How many rows a table has.
    pub(crate) fn rows(&self, table: &str) -> i64 {
        match self {
            Self::Shared(database) => {
                let count = database.psql(&format!("SELECT count(*) FROM {table}"));
                count.trim().parse().expect("a count")
            }
            Self::At(url) => panic!("only a database of the shared cluster is looked into, not {url}"),
        }
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::Shared(database) => database.url().to_owned(),
            Self::At(url) => url.clone(),
        }
    }
}
