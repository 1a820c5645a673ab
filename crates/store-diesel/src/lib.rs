//! The store on a real database, SQLite or PostgreSQL. The queries in `shared/` are written once and compiled
//! once for each database, each time with another type `Conn` (docs/adr/0001).
//!
//! No type of Diesel leaves this crate. Rows are private, and errors become [`bolts_ports::StoreError`].

#[cfg(feature = "postgres")]
mod copy;
mod failure;
mod lite;
mod metrics;
mod opening;
#[cfg(feature = "postgres")]
mod pg;
mod queue;
mod schema;
mod url;

#[cfg(feature = "postgres")]
pub use copy::{CopyError, copy};
pub use lite::{BackupError, SqliteOptions, SqliteStore};
pub use opening::OpenError;
#[cfg(feature = "postgres")]
pub use pg::{Listener, PostgresFanout, PostgresOptions, PostgresStore};
pub use url::{DatabaseUrl, DatabaseUrlError};
