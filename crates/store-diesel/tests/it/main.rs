//! Tests of the store on SQLite, with a new file for each test. The tests in `pg` use PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a failure in a helper should fail the test")]

mod audit;
mod audit_departures;
mod audit_destinations;
mod audit_messages;
mod audit_wallet;
mod backup;
mod contract;
mod database;
mod log;
mod opening;
#[cfg(feature = "postgres")]
mod pg;
mod rules;
mod support;
mod writer;
