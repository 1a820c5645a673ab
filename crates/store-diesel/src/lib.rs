//! The store on a real database. SQLite today, PostgreSQL next: the queries in `shared/` are written once and
//! compiled once a database, each time against another `Conn` (docs/adr/0001).
//!
//! Nothing of Diesel leaves this crate: rows stay private, errors become [`bolts_ports::StoreError`].

mod failure;
mod lite;
mod schema;
mod url;

pub use lite::{BackupError, OpenError, SqliteOptions, SqliteStore};
pub use url::{DatabaseUrl, DatabaseUrlError};
