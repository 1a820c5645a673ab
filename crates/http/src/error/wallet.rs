use std::time::Duration;

use actix_web::http::StatusCode;
use bolts_kernel::FieldError;
use bolts_ports::{AddressError, Unclear};
use bolts_usecases::accounts::PasswordError;
use bolts_usecases::wallet::{DepositError, DestinationError, TestInvoiceError, WithdrawError};

use super::Problem;

/// The time until another request makes sense after the Lightning provider failed to answer.
const PROVIDER_AGAIN: Duration = Duration::from_secs(5);

/// The time after which one of the user's withdrawals may have ended.
const WITHDRAWAL_AGAIN: Duration = Duration::from_secs(10);

impl From<Unclear> for Problem {
    fn from(error: Unclear) -> Self {
        tracing::warn!(%error, "the Lightning provider made no invoice");
        let detail = "The Lightning network cannot be reached right now. Please try again in a moment.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "lightning_unavailable", detail).retrying(PROVIDER_AGAIN)
    }
}

impl From<DepositError> for Problem {
    fn from(error: DepositError) -> Self {
        match error {
            DepositError::TooManyOpen { retry_after } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_invoices", error.to_string())
                    .retrying(retry_after)
            }
            DepositError::Provider(error) => error.into(),
            DepositError::NotTest => Self::new(StatusCode::FORBIDDEN, "not_allowed", error.to_string()),
            DepositError::KeyReused(error) => error.into(),
            DepositError::Store(error) => error.into(),
        }
    }
}

impl From<TestInvoiceError> for Problem {
    fn from(error: TestInvoiceError) -> Self {
        match error {
            TestInvoiceError::NotTest => Self::new(StatusCode::FORBIDDEN, "not_allowed", error.to_string()),
            TestInvoiceError::Provider(error) => error.into(),
        }
    }
}

impl From<DestinationError> for Problem {
    fn from(error: DestinationError) -> Self {
        match error {
            DestinationError::Invalid(error) => Self::invalid(vec![error]),
            DestinationError::Address(error) => error.into(),
        }
    }
}

impl From<AddressError> for Problem {
    fn from(error: AddressError) -> Self {
        let field = match &error {
            AddressError::Amount { .. } => "amount",
            AddressError::Malformed
            | AddressError::Unreachable(_)
            | AddressError::Refused(_)
            | AddressError::WrongInvoice(_) => "lightningAddress",
        };
        tracing::info!(?error, "a Lightning address gave no invoice");
        Self::invalid(vec![FieldError::new(field, error.to_string())])
    }
}

impl From<WithdrawError> for Problem {
    fn from(error: WithdrawError) -> Self {
        let detail = error.to_string();
        match error {
            WithdrawError::Destination(error) => error.into(),
            WithdrawError::Password(PasswordError::WrongCurrent) => {
                Self::invalid(vec![FieldError::new("password", "The password is incorrect")])
            }
            WithdrawError::Password(error) => error.into(),
            WithdrawError::Paused => Self::new(StatusCode::CONFLICT, "withdrawals_paused", detail),
            WithdrawError::Resting { retry_after } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "withdrawals_resting", detail).retrying(retry_after)
            }
            WithdrawError::TooManyInFlight => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_withdrawals", detail)
                    .retrying(WITHDRAWAL_AGAIN)
            }
            WithdrawError::UserCap { .. } => {
                Self::new(StatusCode::CONFLICT, "withdrawal_limit_reached", detail)
            }
            WithdrawError::TotalCap => {
                metrics::counter!("bolts_withdrawals_refused_by_total_cap_total").increment(1);
                tracing::error!("a withdrawal was refused because of --withdrawal-cap-total");
                Self::new(StatusCode::CONFLICT, "withdrawal_limit_reached", detail)
            }
            WithdrawError::UsedBefore => {
                Self::new(StatusCode::CONFLICT, "invoice_used", detail).on("invoice")
            }
            WithdrawError::Insufficient(shortfall) => shortfall.into(),
            WithdrawError::KeyReused(error) => error.into(),
            WithdrawError::Store(error) => error.into(),
        }
    }
}
