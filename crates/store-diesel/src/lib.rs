//! The store on a real database, SQLite or PostgreSQL: the queries in `shared/` are written once and
//! compiled once a database, each time against another `Conn` (docs/adr/0001).
//!
//! Nothing of Diesel leaves this crate: rows stay private, errors become [`bolts_ports::StoreError`].

#[cfg(feature = "postgres")]
mod copy;
mod failure;
mod lite;
mod opening;
#[cfg(feature = "postgres")]
mod pg;
mod queue;
mod schema;
mod url;
mod watch;

#[cfg(feature = "postgres")]
pub use copy::{CopyError, copy};
pub use lite::{BackupError, SqliteOptions, SqliteStore};
pub use opening::OpenError;
#[cfg(feature = "postgres")]
pub use pg::{Listener, PostgresFanout, PostgresOptions, PostgresStore};
pub use url::{DatabaseUrl, DatabaseUrlError};
