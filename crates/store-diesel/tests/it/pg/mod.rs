//! The store on a PostgreSQL database of its own for every test, on a cluster that the tests start.

#![allow(clippy::duplicate_mod, reason = "some tests are the same on both databases")]

#[path = "../audit.rs"]
mod audit;
mod contract;
mod database;
mod opening;
mod support;
mod writers;
