//! What parties do with bets.

mod accept;
pub(crate) mod act;
mod create;
mod parties;
mod read;
pub(crate) mod record;

pub use accept::{Accept, AcceptError, AcceptKey};
pub use act::ActionError;
pub use create::{Create, CreateError};
pub use parties::dispute_reason;
pub use read::{SeenBet, may_see};

use std::time::Duration;

use bolts_kernel::{Amount, Currency};

/// A balance that does not cover a stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "You need {} {name} but only have {} {name}.",
    need.grouped(), have.grouped(), name = currency_name(*currency)
)]
pub struct Shortfall {
    /// What the stake takes.
    pub need: Amount,
    /// What is available.
    pub have: Amount,
    /// Of which currency.
    pub currency: Currency,
}

/// Sats that cannot be staked now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "Your password was reset, so your sats can be neither staked nor withdrawn for 24 hours. Bets with Bolts go on."
)]
pub struct Cooldown {
    /// How much longer.
    pub retry_after: Duration,
}

/// A currency as sentences spell it.
pub(crate) const fn currency_name(currency: Currency) -> &'static str {
    match currency {
        Currency::Bolts => "Bolts",
        Currency::Sats => "sats",
    }
}
