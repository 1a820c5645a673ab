//! Deposits and withdrawals as an outsider sees them.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod amounts;
mod caps;
mod deposits;
mod lives;
mod solvency;
mod support;
mod withdrawals;
