//! Looks at a database without changing it, for `bolts migrate --check` and `bolts doctor`.

use std::collections::BTreeMap;

use crate::{DatabaseUrl, OpenError, lite};
#[cfg(feature = "postgres")]
use crate::{PostgresOptions, pg};

/// The state of a database's schema, settings of its engine, and facts about its use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// The names of the migrations that the database lacks, in their order.
    pub pending: Vec<String>,
    /// The number of migrations that the database has. 0 if it is empty or does not exist yet.
    pub applied: usize,
    /// Settings of the engine by name. Empty if the database does not exist yet. If a server has used the database:
    /// `heartbeat`, the time of its last heartbeat in microseconds, and `sats`, the kind of sats.
    pub facts: BTreeMap<String, String>,
}

/// Looks at the database at this URL. A SQLite file that does not exist yet is not created.
///
/// # Errors
/// The database cannot be reached or used, or its schema is newer than this program's.
pub fn inspect(url: &DatabaseUrl) -> Result<Inspection, OpenError> {
    match url {
        DatabaseUrl::Sqlite(path) => lite::inspect(path),
        #[cfg(feature = "postgres")]
        DatabaseUrl::Postgres(url) => pg::inspect(url, &PostgresOptions::default()),
        #[cfg(not(feature = "postgres"))]
        DatabaseUrl::Postgres(_) => {
            let why = "this program was built without PostgreSQL; use sqlite://…".to_owned();
            Err(OpenError::Store(bolts_ports::StoreError::Unavailable(why)))
        }
    }
}
