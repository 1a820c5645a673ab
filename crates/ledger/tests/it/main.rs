//! The book refuses whole what it cannot take, and an escrow is emptied once.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod book;
mod escrow;
mod lightning;
mod moves;
mod support;
