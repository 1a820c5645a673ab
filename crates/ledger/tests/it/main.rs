//! Tests of the ledger: transfers and their keys, batches that are posted or refused as a whole, and escrows
//! that are emptied once.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod accounts;
mod book;
mod escrow;
mod lightning;
mod moves;
mod support;
