//! The store on a real database, SQLite or PostgreSQL. The queries in `shared/` are written once and compiled
//! twice: with a SQLite connection and with a PostgreSQL connection as the type `Conn` (docs/adr/0001).
//!
//! The public interface contains no type of Diesel. Row types are private, and errors become
//! [`bolts_ports::StoreError`].

#[cfg(feature = "postgres")]
mod copy;
mod failure;
mod inspection;
mod lite;
mod metrics;
mod opening;
#[cfg(feature = "postgres")]
mod pg;
mod queue;
mod schema;
mod traces;
mod url;

#[cfg(feature = "postgres")]
pub use copy::{CopyError, copy};
pub use inspection::{Inspection, inspect};
pub use lite::{BackupError, SqliteOptions, SqliteStore};
pub use opening::OpenError;
#[cfg(feature = "postgres")]
pub use pg::{Listener, PostgresFanout, PostgresOptions, PostgresReplicas, PostgresStore};
pub use url::{DatabaseUrl, DatabaseUrlError};
