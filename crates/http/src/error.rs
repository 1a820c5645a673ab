//! Problems (RFC 9457, `application/problem+json`). Each refusal has a code. This module maps the code to an HTTP
//! status (`docs/http-api.md#errors`).

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use bolts_kernel::{Code, FieldError};
use bolts_usecases::Refused;
use bolts_usecases::accounts::{DeletionError, PasswordError, SignInError};
use bolts_usecases::bets::ActionError;
use bolts_usecases::messages::MessageError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::dto::{ObstacleJson, code_schema};

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
    /// Only with `second_factor_required`: the secret that the second step of the sign-in must present.
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge: Option<String>,
    /// Only with `second_factor_required`: the fields with which the second step can prove the factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    methods: Option<Vec<&'static str>>,
    /// Only with `account_in_use`: what keeps the user from deleting the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    obstacles: Option<Vec<ObstacleJson>>,
    /// Seconds until another attempt makes sense. The header `Retry-After` carries this value.
    #[serde(skip)]
    retry_after: Option<u64>,
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

/// The HTTP status of problems with this code.
const fn status(code: Code) -> StatusCode {
    match code {
        Code::MalformedForm | Code::MalformedJson => StatusCode::BAD_REQUEST,
        Code::ChallengeGone
        | Code::InvalidCredentials
        | Code::InvalidKey
        | Code::NotSignedIn
        | Code::SecondFactorRequired => StatusCode::UNAUTHORIZED,
        Code::ConflictOfInterest
        | Code::CrossOrigin
        | Code::EmailNotConfirmed
        | Code::IsArbiter
        | Code::KeyNotAllowed
        | Code::NotAParty
        | Code::NotAllowed
        | Code::NotArbiter
        | Code::OwnBet
        | Code::PasskeyDisabled
        | Code::PasswordChangeRequired
        | Code::StepUpRequired => StatusCode::FORBIDDEN,
        Code::BetNotFound
        | Code::DepositNotFound
        | Code::FactorNotFound
        | Code::KeyNotFound
        | Code::MessageNotFound
        | Code::NotFound
        | Code::NotificationNotFound
        | Code::PictureNotFound
        | Code::PushSubscriptionNotFound
        | Code::SessionNotFound
        | Code::UserNotFound
        | Code::WebhookNotFound
        | Code::WithdrawalNotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::AccountInUse
        | Code::AchievementLocked
        | Code::ArbiterGone
        | Code::ArbiterOutOfTime
        | Code::ArbiterRules
        | Code::BetAlreadyResolved
        | Code::BetCancelled
        | Code::BetDisputed
        | Code::BetExpired
        | Code::BetNotAccepted
        | Code::BetNotAwaitingResolution
        | Code::BetNotDisputed
        | Code::BetNotExpired
        | Code::BetNotPending
        | Code::EmailTaken
        | Code::FactorExists
        | Code::FactorNotBegun
        | Code::IdempotencyKeyReused
        | Code::InsufficientBalance
        | Code::InvoiceUsed
        | Code::KeyLimitReached
        | Code::MailOff
        | Code::MessageIsEvidence
        | Code::MessageTooOld
        | Code::NoProposal
        | Code::OptionTaken
        | Code::PasskeyLimitReached
        | Code::PasskeysOff
        | Code::PictureInMessage
        | Code::PictureLimitReached
        | Code::ProposalChanged
        | Code::ProposalPending
        | Code::SatsInCooldown
        | Code::UsernameTaken
        | Code::WithdrawalLimitReached
        | Code::WithdrawalsPaused => StatusCode::CONFLICT,
        Code::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::NotAForm | Code::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::InvalidFields => StatusCode::UNPROCESSABLE_ENTITY,
        Code::TooManyActions
        | Code::TooManyBets
        | Code::TooManyInvoices
        | Code::TooManyMessages
        | Code::TooManyPictures
        | Code::TooManyRequests
        | Code::TooManyWithdrawals
        | Code::WithdrawalsResting => StatusCode::TOO_MANY_REQUESTS,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Code::IdeasUnavailable => StatusCode::BAD_GATEWAY,
        Code::LightningUnavailable | Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl<E: Into<Refused>> From<E> for Problem {
    fn from(error: E) -> Self {
        let Refused { code, detail, fields, retry_after } = error.into();
        let status = status(code);
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail,
            code: code.as_str(),
            errors: fields.into_iter().map(FieldProblem::from).collect(),
            challenge: None,
            methods: None,
            obstacles: None,
            // The seconds are rounded up, so that a client that waits this long is not refused again.
            retry_after: retry_after
                .map(|after| (after.as_secs() + u64::from(after.subsec_nanos() > 0)).max(1)),
        }
    }
}

impl Problem {
    /// A problem with this code and sentence.
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Refused::new(code, detail).into()
    }

    /// The refusal of a sign-in. If the password is right and the second factor must follow, it has what the second step
    /// needs.
    pub(crate) fn of_sign_in(error: SignInError) -> Self {
        let required = match &error {
            SignInError::SecondFactorRequired(required) => Some(required.clone()),
            SignInError::WrongCredentials
            | SignInError::TooMany(_)
            | SignInError::Busy(_)
            | SignInError::Store(_) => None,
        };
        let (challenge, methods) = required.map(|required| (required.challenge, required.methods)).unzip();
        Self { challenge, methods, ..error.into() }
    }

    /// The refusal of a deletion, with its obstacles.
    pub(crate) fn of_deletion(error: DeletionError) -> Self {
        let obstacles = match &error {
            DeletionError::InUse(obstacles) => Some(obstacles.iter().map(ObstacleJson::from).collect()),
            DeletionError::Password(_) | DeletionError::Overdue(_) | DeletionError::Store(_) => None,
        };
        Self { obstacles, ..error.into() }
    }

    /// 401: the request has no valid session.
    pub(crate) fn not_signed_in() -> Self {
        PasswordError::SignedOut.into()
    }

    /// 404 for a bet that does not exist, or that the viewer may not see. Both cases get the same answer.
    pub(crate) fn bet_not_found() -> Self {
        ActionError::NotFound.into()
    }

    /// 404 for a message that does not exist, or whose bet the viewer may not see.
    pub(crate) fn message_not_found() -> Self {
        MessageError::MessageNotFound.into()
    }

    /// 404 for a picture that does not exist, or that the viewer may not see.
    pub(crate) fn picture_not_found() -> Self {
        MessageError::PictureNotFound.into()
    }

    /// 404 for an unknown path.
    pub(crate) fn not_found() -> Self {
        Self::new(Code::NotFound, "There is nothing at this address.")
    }

    /// 404 for a deposit that does not exist or belongs to another user.
    pub(crate) fn deposit_not_found() -> Self {
        Self::new(Code::DepositNotFound, "There is no such deposit.")
    }

    /// 404 for a withdrawal that does not exist or belongs to another user.
    pub(crate) fn withdrawal_not_found() -> Self {
        Self::new(Code::WithdrawalNotFound, "There is no such withdrawal.")
    }

    /// 403: the user may not do this.
    pub(crate) fn not_allowed() -> Self {
        Self::new(Code::NotAllowed, "You are not allowed to do this.")
    }

    /// 422 with the invalid fields.
    pub(crate) fn invalid(errors: Vec<FieldError>) -> Self {
        Refused::invalid(errors).into()
    }

    /// 503: the client may try again later.
    pub(crate) fn unavailable() -> Self {
        Refused::unavailable().into()
    }

    /// 500: an internal error. The log contains the error under the id of the request.
    pub(crate) fn internal() -> Self {
        Refused::internal().into()
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
