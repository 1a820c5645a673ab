//! The answer to a client about a refusal or a failure. Each error type defines its own conversion to this answer.
//! The crate `http` adds the HTTP status.

use std::time::Duration;

use bolts_bets::Refusal;
use bolts_kernel::{Code, FieldError};
use bolts_ports::{AddressError, Busy, StoreError, Unclear};

/// If the Lightning provider did not answer, the client should wait for this time before it repeats the request.
const PROVIDER_AGAIN: Duration = Duration::from_secs(5);

/// The answer to a client about a refusal or a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The code of the refusal, for programs.
    pub code: Code,
    /// One sentence for a user.
    pub detail: String,
    /// The invalid fields.
    pub fields: Vec<FieldError>,
    /// The time that the client should wait before it tries again.
    pub retry_after: Option<Duration>,
}

impl Refused {
    /// A refusal with this code and with this sentence for the user.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), fields: Vec::new(), retry_after: None }
    }

    /// The refusal of invalid fields.
    pub fn invalid(fields: Vec<FieldError>) -> Self {
        let detail = match fields.as_slice() {
            [only] => only.message.clone(),
            _ => "Some fields need another look.".to_owned(),
        };
        Self { fields, ..Self::new(Code::InvalidFields, detail) }
    }

    /// The refusal of a wrong password that confirms an action.
    pub(crate) fn wrong_password() -> Self {
        Self::invalid(vec![FieldError::new("password", "The password is incorrect")])
    }

    /// This refusal as an error of one form field.
    #[must_use]
    pub fn on(self, field: &'static str) -> Self {
        Self { fields: vec![FieldError::new(field, self.detail.clone())], ..self }
    }

    /// This refusal with the time that the client should wait before it tries again.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// The service is not available at the moment. The client may try again after 1 second.
    pub fn unavailable() -> Self {
        let detail = "The service is not available right now. Please try again in a moment.";
        Self::new(Code::Unavailable, detail).retry_after(Duration::from_secs(1))
    }

    /// A bug or a damaged database. The log contains the error, with the id of the request.
    pub fn internal() -> Self {
        Self::new(Code::Internal, "Something went wrong on our side.")
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.code(), refusal.to_string())
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contention | StoreError::Unavailable(_) => {
                tracing::warn!(%error, "the store is not available");
                Self::unavailable()
            }
            StoreError::UserGone => Self::new(Code::NotSignedIn, "Please sign in first."),
            StoreError::Broken(_) => {
                tracing::error!(%error, "the store is broken");
                Self::internal()
            }
        }
    }
}

impl From<Busy> for Refused {
    fn from(_: Busy) -> Self {
        Self::unavailable()
    }
}

impl From<Unclear> for Refused {
    fn from(error: Unclear) -> Self {
        tracing::warn!(%error, "the Lightning provider made no invoice");
        let detail = "The Lightning network cannot be reached right now. Please try again in a moment.";
        Self::new(Code::LightningUnavailable, detail).retry_after(PROVIDER_AGAIN)
    }
}

impl From<AddressError> for Refused {
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
