use std::fmt;

use crate::{Millisats, Preimage};

/// What the provider's answer proves about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It was made.
    Paid {
        /// The proof, where the provider gives one.
        preimage: Option<Preimage>,
        /// What the route cost.
        fee: Millisats,
    },
    /// This attempt ended before anything was sent; says nothing of an earlier one.
    NotSent(String),
    /// It failed for good, whatever was tried before.
    Failed(String),
    /// It is on its way.
    InFlight,
    /// The provider knows no such payment.
    NotFound {
        /// Whether it never forgets one, so that this proves something once the invoice cannot be paid any more.
        is_proof: bool,
    },
    /// The answer proves nothing: a time-out, a 5xx, nonsense.
    Unknown(String),
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paid { fee, .. } => write!(f, "it was paid; the route cost {fee}"),
            Self::NotSent(why) => write!(f, "it was not sent: {why}"),
            Self::Failed(why) => write!(f, "it failed for good: {why}"),
            Self::InFlight => f.write_str("it is on its way"),
            Self::NotFound { .. } => f.write_str("no such payment is known"),
            Self::Unknown(why) => write!(f, "no clear answer: {why}"),
        }
    }
}

/// Why an answer leaves a withdrawal as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// It is not being sent, so no word about that can move it.
    #[error("the withdrawal is not being sent")]
    NotSending,
    /// It is on its way.
    #[error("the payment is on its way")]
    InFlight,
    /// The provider does not know it, which is no proof yet.
    #[error("the provider knows no such payment")]
    NotFound,
    /// The proof that came with 'paid' proves another payment.
    #[error("the provider's preimage does not belong to the payment")]
    WrongPreimage,
    /// Nothing was proved.
    #[error("the provider's answer is unclear: {0}")]
    Unknown(String),
    /// It was told again since, so that this word is of the past.
    #[error("the payment was tried again since")]
    Outdated,
    /// It was given back, and paid all the same: the site lost the sats.
    #[error("the payment was made, and was refunded before")]
    PaidThoughRefunded,
}
