//! The store on a SQLite file of its own for every test.

mod audit;
mod backup;
mod contract;
mod database;
mod opening;
mod support;
mod writer;
