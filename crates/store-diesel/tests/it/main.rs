//! Tests of the store on a SQLite file for each test, and on PostgreSQL in `pg`.

#![allow(clippy::unwrap_used, reason = "a failure in a helper should fail the test")]

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
