//! The store on a SQLite file of its own for every test.

mod contract;
mod support;
