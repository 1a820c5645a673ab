//! Actions of users on bets.

mod accept;
pub(crate) mod act;
mod arbiter;
mod create;
mod parties;
mod read;
pub(crate) mod record;
mod turns;

pub use accept::{Accept, AcceptError, AcceptKey};
pub use act::ActionError;
pub use arbiter::arbiters_note;
pub(crate) use arbiter::decline_invitation;
pub use create::{Create, CreateError};
pub use parties::dispute_reason;
pub use read::{SeenBet, is_token_of, may_see};

use std::time::Duration;

use bolts_kernel::{Amount, Code, Currency};

use crate::Refused;

/// The balance does not cover the stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "You need {} {name} but only have {} {name}.",
    need.grouped(), have.grouped(), name = currency.spec().units
)]
pub struct Shortfall {
    /// The stake that the balance must cover.
    pub need: Amount,
    /// The available balance.
    pub have: Amount,
    /// The currency of the stake and the balance.
    pub currency: Currency,
}

impl From<Shortfall> for Refused {
    fn from(shortfall: Shortfall) -> Self {
        Self::new(Code::InsufficientBalance, shortfall.to_string())
    }
}

/// A cooldown after a password reset or the removal of a second factor blocks stakes of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "Your password was reset or a second factor was removed, so for 24 hours you can’t withdraw or stake sats. Bets with Bolts go on."
)]
pub struct Cooldown {
    /// The time until the cooldown ends.
    pub retry_after: Duration,
}

impl From<Cooldown> for Refused {
    fn from(cooldown: Cooldown) -> Self {
        Self::new(Code::SatsInCooldown, cooldown.to_string()).retry_after(cooldown.retry_after)
    }
}
