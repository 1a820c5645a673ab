//! Maps every refusal and failure to a problem (RFC 9457, `application/problem+json`), with its status and
//! code (`docs/http-api.md#errors`). No other module does this.

mod wallet;

use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use bolts_bets::Refusal;
use bolts_kernel::FieldError;
use bolts_ports::{Busy, StoreError};
use bolts_usecases::accounts::{PasswordError, ProfileError, RegisterError, SignInError, TooMany};
use bolts_usecases::achievements::ClaimError;
use bolts_usecases::admin::UserActionError;
use bolts_usecases::bets::{AcceptError, ActionError, Cooldown, CreateError, Shortfall};
use bolts_usecases::ideas::{CheckError, IdeaError};
use bolts_usecases::{Hourly, HourlyLimit, KeyReused};
use serde::Serialize;
use utoipa::ToSchema;

/// All codes of problems, for the OpenAPI document.
pub const CODES: &[&str] = &[
    "achievement_locked",
    "bet_already_resolved",
    "bet_cancelled",
    "bet_disputed",
    "bet_expired",
    "bet_not_accepted",
    "bet_not_awaiting_resolution",
    "bet_not_disputed",
    "bet_not_expired",
    "bet_not_found",
    "bet_not_pending",
    "body_too_large",
    "conflict_of_interest",
    "cross_origin",
    "deposit_not_found",
    "email_taken",
    "ideas_unavailable",
    "idempotency_key_reused",
    "insufficient_balance",
    "internal",
    "invalid_credentials",
    "invalid_fields",
    "invoice_used",
    "lightning_unavailable",
    "malformed_json",
    "method_not_allowed",
    "no_proposal",
    "not_a_party",
    "not_allowed",
    "not_found",
    "not_json",
    "not_signed_in",
    "notification_not_found",
    "option_taken",
    "own_bet",
    "password_change_required",
    "proposal_changed",
    "proposal_pending",
    "sats_in_cooldown",
    "too_many_actions",
    "too_many_bets",
    "too_many_invoices",
    "too_many_requests",
    "too_many_withdrawals",
    "unavailable",
    "user_not_found",
    "username_taken",
    "withdrawal_limit_reached",
    "withdrawal_not_found",
    "withdrawals_paused",
    "withdrawals_resting",
];

/// A problem: the error that the client gets.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`. `code` names the kind of problem.
    #[serde(rename = "type")]
    #[schema(rename = "type", example = "about:blank")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// One sentence for a user.
    detail: String,
    /// A stable name of the problem, for programs.
    #[schema(schema_with = code_schema)]
    code: &'static str,
    /// The invalid fields, if there are any.
    errors: Vec<FieldProblem>,
    /// Seconds until another attempt makes sense. The header `Retry-After` carries this value.
    #[serde(skip)]
    retry_after: Option<u64>,
}

fn code_schema() -> utoipa::openapi::schema::Object {
    use utoipa::openapi::schema::{ObjectBuilder, Type};
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(CODES.iter().copied())).build()
}

/// An invalid field.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FieldProblem {
    /// The name of the field in the request.
    field: &'static str,
    /// The reason why the field is invalid.
    message: String,
}

impl From<FieldError> for FieldProblem {
    fn from(error: FieldError) -> Self {
        Self { field: error.field, message: error.message }
    }
}

impl Problem {
    /// A problem with this status, code and sentence.
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        debug_assert!(CODES.contains(&code), "undocumented code {code}");
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            code,
            errors: Vec::new(),
            retry_after: None,
        }
    }

    /// 401.
    pub(crate) fn not_signed_in() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "not_signed_in", "Please sign in first.")
    }

    /// 404 for a bet that does not exist, or that the viewer may not see. The answer is the same.
    pub(crate) fn bet_not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "bet_not_found", "This bet doesn't exist or has been removed.")
    }

    /// 404 for an unknown path.
    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
    }

    /// 404 for a deposit that does not exist or belongs to another user.
    pub(crate) fn deposit_not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "deposit_not_found", "There is no such deposit.")
    }

    /// 404 for a withdrawal that does not exist or belongs to another user.
    pub(crate) fn withdrawal_not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "withdrawal_not_found", "There is no such withdrawal.")
    }

    /// 403: the user may not do this.
    pub(crate) fn not_allowed() -> Self {
        Self::new(StatusCode::FORBIDDEN, "not_allowed", "You are not allowed to do this.")
    }

    /// 422 with the invalid fields.
    pub(crate) fn invalid(errors: Vec<FieldError>) -> Self {
        let detail = match errors.as_slice() {
            [only] => only.message.clone(),
            _ => "Some fields need another look.".to_owned(),
        };
        let mut problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields", detail);
        problem.errors = errors.into_iter().map(FieldProblem::from).collect();
        problem
    }

    /// The same problem, with an error of one field.
    fn on(mut self, field: &'static str) -> Self {
        self.errors = vec![FieldProblem { field, message: self.detail.clone() }];
        self
    }

    fn retrying(mut self, after: Duration) -> Self {
        // Rounded up, so that a client that waits this number of seconds succeeds.
        let seconds = after.as_secs() + u64::from(after.subsec_nanos() > 0);
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// 503. The client may try again.
    pub(crate) fn unavailable() -> Self {
        let detail = "The service is not available right now. Please try again in a moment.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail).retrying(Duration::from_secs(1))
    }

    /// 500. The log contains the error, under the id of the request.
    pub(crate) fn internal() -> Self {
        let detail = "Something went wrong on our side.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status, self.code, self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((CONTENT_TYPE, "application/problem+json"));
        if let Some(seconds) = self.retry_after {
            response.insert_header((RETRY_AFTER, seconds.to_string()));
        }
        response.body(serde_json::to_string(self).unwrap_or_default())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contention | StoreError::Unavailable(_) => {
                tracing::warn!(%error, "the store is not available");
                Self::unavailable()
            }
            StoreError::Broken(_) => {
                tracing::error!(%error, "the store is broken");
                Self::internal()
            }
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = if refusal.is_about_the_actor() { StatusCode::FORBIDDEN } else { StatusCode::CONFLICT };
        Self::new(status, refusal.code(), refusal.to_string())
    }
}

impl From<Shortfall> for Problem {
    fn from(shortfall: Shortfall) -> Self {
        Self::new(StatusCode::CONFLICT, "insufficient_balance", shortfall.to_string())
    }
}

impl From<Cooldown> for Problem {
    fn from(cooldown: Cooldown) -> Self {
        Self::new(StatusCode::CONFLICT, "sats_in_cooldown", cooldown.to_string())
            .retrying(cooldown.retry_after)
    }
}

impl From<KeyReused> for Problem {
    fn from(error: KeyReused) -> Self {
        Self::new(StatusCode::CONFLICT, "idempotency_key_reused", error.to_string())
    }
}

impl From<TooMany> for Problem {
    fn from(error: TooMany) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", error.to_string())
            .retrying(error.retry_after)
    }
}

impl From<HourlyLimit> for Problem {
    fn from(limit: HourlyLimit) -> Self {
        let code = match limit.kind {
            Hourly::Bets => "too_many_bets",
            Hourly::Actions => "too_many_actions",
        };
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, limit.to_string()).retrying(limit.retry_after)
    }
}

impl From<Busy> for Problem {
    fn from(_: Busy) -> Self {
        Self::unavailable()
    }
}

impl From<ActionError> for Problem {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::NotFound => Self::bet_not_found(),
            ActionError::Refused(refusal) => refusal.into(),
            ActionError::TooMany(limit) => limit.into(),
            ActionError::KeyReused(error) => error.into(),
            // The use cases handle this error themselves. If it reached this place, another attempt would be
            // right.
            ActionError::Overdue(_) => Self::unavailable(),
            ActionError::Store(error) => error.into(),
        }
    }
}

impl From<AcceptError> for Problem {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::Action(error) => error.into(),
            AcceptError::Insufficient(shortfall) => shortfall.into(),
            AcceptError::Cooldown(cooldown) => cooldown.into(),
        }
    }
}

impl From<CreateError> for Problem {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Invalid(errors) => Self::invalid(errors),
            CreateError::Insufficient(shortfall) => shortfall.into(),
            CreateError::Cooldown(cooldown) => cooldown.into(),
            CreateError::TooMany(limit) => limit.into(),
            CreateError::KeyReused(error) => error.into(),
            CreateError::Store(error) => error.into(),
        }
    }
}

impl From<RegisterError> for Problem {
    fn from(error: RegisterError) -> Self {
        match error {
            RegisterError::EmailTaken => {
                Self::new(StatusCode::CONFLICT, "email_taken", error.to_string()).on("email")
            }
            RegisterError::TooMany(error) => error.into(),
            RegisterError::Busy(error) => error.into(),
            RegisterError::Store(error) => error.into(),
        }
    }
}

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::WrongCredentials => {
                Self::new(StatusCode::UNAUTHORIZED, "invalid_credentials", error.to_string())
            }
            SignInError::TooMany(error) => error.into(),
            SignInError::Busy(error) => error.into(),
            SignInError::Store(error) => error.into(),
        }
    }
}

impl From<ProfileError> for Problem {
    fn from(error: ProfileError) -> Self {
        match error {
            ProfileError::Invalid(errors) => Self::invalid(errors),
            ProfileError::UsernameTaken => {
                Self::new(StatusCode::CONFLICT, "username_taken", error.to_string()).on("username")
            }
            ProfileError::Store(error) => error.into(),
        }
    }
}

impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::WrongCurrent => {
                Self::invalid(vec![FieldError::new("currentPassword", error.to_string())])
            }
            PasswordError::SignedOut => Self::not_signed_in(),
            PasswordError::TooMany(error) => error.into(),
            PasswordError::Busy(error) => error.into(),
            PasswordError::Store(error) => error.into(),
        }
    }
}

impl From<ClaimError> for Problem {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Unknown(field) => Self::invalid(vec![field]),
            ClaimError::Locked => Self::new(StatusCode::CONFLICT, "achievement_locked", error.to_string()),
            ClaimError::Store(error) => error.into(),
        }
    }
}

impl From<IdeaError> for Problem {
    fn from(error: IdeaError) -> Self {
        let detail = error.to_string();
        match error {
            IdeaError::Invalid(errors) => Self::invalid(errors),
            IdeaError::TooMany(TooMany { retry_after }) => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail).retrying(retry_after)
            }
            IdeaError::Unavailable(error) => {
                tracing::warn!(%error, "an idea was asked for in vain");
                Self::new(StatusCode::BAD_GATEWAY, "ideas_unavailable", detail)
            }
            IdeaError::Store(error) => error.into(),
        }
    }
}

impl From<CheckError> for Problem {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::TooMany(error) => error.into(),
            CheckError::Store(error) => error.into(),
        }
    }
}

impl From<UserActionError> for Problem {
    fn from(error: UserActionError) -> Self {
        match error {
            UserActionError::NotFound => {
                Self::new(StatusCode::NOT_FOUND, "user_not_found", error.to_string())
            }
            UserActionError::Refused(refusal) => refusal.into(),
            UserActionError::KeyReused(error) => error.into(),
            UserActionError::Busy(error) => error.into(),
            UserActionError::Store(error) => error.into(),
        }
    }
}
