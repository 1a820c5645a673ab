//! Actions of users on bets.

mod accept;
pub(crate) mod act;
mod arbiter;
mod cooldown;
mod create;
mod parties;
mod read;
pub(crate) mod record;
mod turns;

pub use accept::{Accept, AcceptError, AcceptKey};
pub use act::ActionError;
pub use arbiter::arbiters_note;
pub(crate) use arbiter::decline_invitation;
pub use cooldown::Cooldown;
pub use create::{Create, CreateError};
pub use parties::dispute_reason;
pub use read::{SeenBet, is_concerned, is_token_of, may_see};

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
