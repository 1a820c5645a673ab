//! Every fault of a provider on every call. These tests run only on SQLite, because they vary the provider's answers.
//! The store's contract tests run on both databases.

mod deposits;
mod first_look;
mod solvency;
mod withdrawals;
