use std::fmt;

use crate::{Millisats, Preimage};

/// What the provider's answer proves about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The payment was made.
    Paid {
        /// The proof, if the provider gives one.
        preimage: Option<Preimage>,
        /// The cost of the route.
        fee: Millisats,
    },
    /// This attempt ended before anything was sent. This proves nothing about an earlier attempt.
    NotSent(String),
    /// The payment failed for good, with all its attempts.
    Failed(String),
    /// The payment is in flight.
    InFlight,
    /// The provider does not know the payment.
    NotFound {
        /// Whether the provider never forgets payments. Then this is a proof once the invoice cannot be paid
        /// any more.
        is_proof: bool,
    },
    /// The answer proves nothing, as a time-out, a 5xx, or an unknown text.
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

/// The reason why an answer does not change a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The withdrawal is not `sending`, so no answer can change it.
    #[error("the withdrawal is not being sent")]
    NotSending,
    /// The payment is in flight.
    #[error("the payment is on its way")]
    InFlight,
    /// The provider does not know the payment, which is no proof yet.
    #[error("the provider knows no such payment")]
    NotFound,
    /// The proof that came with 'paid' belongs to another payment.
    #[error("the provider's preimage does not belong to the payment")]
    WrongPreimage,
    /// The answer proves nothing.
    #[error("the provider's answer is unclear: {0}")]
    Unknown(String),
    /// The provider was told to pay again after the question, so the answer is outdated.
    #[error("the payment was tried again since")]
    Outdated,
    /// The withdrawal was refunded and paid. The site has lost the sats.
    #[error("the payment was made, and was refunded before")]
    PaidThoughRefunded,
}
