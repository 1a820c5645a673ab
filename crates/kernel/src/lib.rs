//! The types that all crates share: ids, currencies, amounts of money and instants.
//!
//! This crate performs no I/O, reads no clock and draws no random numbers.

mod amount;
mod code;
mod currency;
mod field_error;
mod hash;
mod html;
mod ids;
mod label;
mod named;
mod network;
mod time_zone;
mod timestamp;

pub use amount::{Amount, AmountError, Money};
pub use code::Code;
pub use currency::{Currency, CurrencySpec, PerCurrency, Source};
pub use field_error::FieldError;
pub use hash::{sha256, sha256_hex};
pub use html::escape_html;
pub use ids::{
    ApiKeyId, BetId, DepositId, DestinationId, IdError, MessageId, NotificationId, OperationId, PasskeyId,
    PictureId, ProposalId, SessionId, UserId, WithdrawalId,
};
pub use label::Label;
pub use network::{is_own, is_public, may_call};
pub use time_zone::{TimeZone, UnknownTimeZone};
pub use timestamp::{CLOCK_TOLERANCE, Timestamp, TimestampError};
