//! Every fault of a provider on every call, and lost webhooks. These tests run only on SQLite, because they vary the
//! provider's answers. The store's contract tests run on both databases.

mod deposits;
mod first_look;
mod lost_webhooks;
mod solvency;
mod withdrawals;
