use std::fmt;

use crate::{Millisats, Preimage};

/// The evidence in an answer of the provider: the facts that the answer proves about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The payment was made.
    Paid {
        /// The preimage, which proves the payment, if the provider sends it.
        preimage: Option<Preimage>,
        /// The fee of the route.
        fee: Millisats,
    },
    /// The attempt ended before anything was sent. The answer proves nothing about an earlier attempt.
    NotSent(String),
    /// The payment failed finally: no attempt was paid, and none can still be paid.
    Failed(String),
    /// The payment is in flight.
    InFlight,
    /// The provider does not know the payment.
    NotFound {
        /// Whether the provider never forgets payments. If true, the answer proves that nothing was paid, as
        /// soon as the invoice cannot be paid any more.
        is_proof: bool,
    },
    /// The provider did not answer, for example a time-out, a cut connection, or an HTTP status 5xx without JSON.
    NoAnswer(String),
    /// The provider answered, and the answer proves nothing, for example an unknown text.
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
            Self::NoAnswer(why) | Self::Unknown(why) => write!(f, "no clear answer: {why}"),
        }
    }
}

/// The reason why an answer of the provider does not change a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The withdrawal is not `sending`, so no answer can change it.
    #[error("the withdrawal is not being sent")]
    NotSending,
    /// The payment is in flight.
    #[error("the payment is on its way")]
    InFlight,
    /// The provider does not know the payment. This does not prove yet that nothing will be paid.
    #[error("the provider knows no such payment")]
    NotFound,
    /// The provider answered 'paid', but the preimage in the answer belongs to another payment.
    #[error("the provider's preimage does not belong to the payment")]
    WrongPreimage,
    /// The provider did not answer, or its answer proves nothing.
    #[error("the provider's answer is unclear: {0}")]
    Unknown(String),
    /// A new attempt to pay began after the provider was asked, so the answer is outdated.
    #[error("the payment was tried again since")]
    Outdated,
    /// The withdrawal was refunded, but the payment was made as well. The site has lost the sats.
    #[error("the payment was made, and was refunded before")]
    PaidThoughRefunded,
}
