//! Every fault of a provider on every call, and lost webhooks. These tests run only on SQLite, because they vary the
//! provider's answers. The store's contract tests run on both databases.

mod deposits;
mod first_look;
mod lost_webhooks;
mod solvency;
mod withdrawals;

use crate::harness::Client;

/// The value of a metric. `name` contains the labels too.
fn metric(metrics: &Client, name: &str) -> f64 {
    let text = metrics.get("/metrics").text;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} in {text}"))
}
