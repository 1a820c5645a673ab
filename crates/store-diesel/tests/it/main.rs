//! The store on a SQLite file of its own for every test; and on PostgreSQL, in `pg`.

#![allow(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod audit;
mod audit_wallet;
mod backup;
mod contract;
mod database;
mod opening;
#[cfg(feature = "postgres")]
mod pg;
mod support;
mod writer;
