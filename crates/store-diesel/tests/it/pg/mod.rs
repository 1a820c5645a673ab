//! Tests of the store on PostgreSQL, with a new database for each test. The tests start the server
//! themselves.

#![allow(clippy::duplicate_mod, reason = "some tests are the same on both databases")]

#[path = "../audit.rs"]
mod audit;
mod batches;
mod contract;
mod database;
mod opening;
#[path = "../rules.rs"]
mod rules;
mod support;
mod writers;
