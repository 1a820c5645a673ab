//! Every fault of a provider on every call. These tests run on SQLite alone: they vary the provider's answers, and
//! the store contract holds for both databases.

mod deposits;
mod first_look;
mod solvency;
mod withdrawals;
