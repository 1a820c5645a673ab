//! Tests of deposits and withdrawals through the public API of the crate.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod amounts;
mod caps;
mod deposits;
mod lives;
mod solvency;
mod support;
mod withdrawals;
