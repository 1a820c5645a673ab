//! The user's e-mail address, a new password by mail, and links that unsubscribe.

use actix_session::Session;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_kernel::FieldError;
use bolts_usecases::accounts::{self, EmailState};
use bolts_usecases::delivery::LONGEST_TOKEN;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::Body;
use crate::client_ip::address;
use crate::dto::DoneJson;
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::{self, OwnPassword};

/// The state of the user's e-mail address.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EmailState)]
struct EmailStateJson {
    email: String,
    is_verified: bool,
    /// Another address that the user requested and has not verified yet.
    #[schema(required)]
    requested: Option<String>,
    /// The reason why no mails are sent to the address any more.
    #[schema(required)]
    stopped: Option<String>,
}

/// A token from a mail.
#[derive(Deserialize, ToSchema)]
pub(crate) struct TokenJson {
    /// The part of the link after `#`.
    token: String,
}

/// A change of the e-mail address.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewEmailJson {
    /// At most 254 characters; stored in lower case.
    new_email: String,
    /// The current password.
    #[schema(format = Password)]
    password: String,
}

/// A request for a new password.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ResetRequestJson {
    email: String,
}

/// A new password, and the token that permits it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResetByMailJson {
    /// The part of the link after `#`.
    token: String,
    #[schema(format = Password, min_length = 6, max_length = 128)]
    new_password: String,
}

fn done() -> HttpResponse {
    HttpResponse::Ok().json(DoneJson { ok: true })
}

/// Returns the state of the user's e-mail address.
#[utoipa::path(get, path = "/api/auth/email", operation_id = "getEmailState", tag = "accounts",
    responses((status = 200, description = "The state of the address", body = EmailStateJson)))]
pub(crate) async fn state(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    let (app, id, email) = (state.app.clone(), user.0.id, user.0.email.clone());
    let EmailState { is_confirmed, requested, stopped } =
        read(&state, move |_| app.email_state(id, &email)).await?;
    let json = EmailStateJson { email: user.0.email, is_verified: is_confirmed, requested, stopped };
    Ok(HttpResponse::Ok().json(json))
}

/// Requests another e-mail address. It replaces the old one once it is verified.
#[utoipa::path(patch, path = "/api/auth/email", operation_id = "changeEmail", tag = "accounts",
    request_body = NewEmailJson,
    responses((status = 200, description = "A mail with a link is on its way to the new address", body = DoneJson)))]
pub(crate) async fn change(
    state: web::Data<State>,
    session: Session,
    user: OwnPassword,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<NewEmailJson>().await?;
    errors.require_password("password", &typed.password, "Current password is required");
    let valid = accounts::email(&typed.new_email).map_err(|error| FieldError::new("newEmail", error.message));
    let new = errors.finish_judging(valid)?;
    state.app.request_email_change(session::owner(user.0, &session), typed.password, new).await?;
    Ok(done())
}

/// Requests the mail that verifies the user's address.
#[utoipa::path(post, path = "/api/auth/verify-email/request", operation_id = "requestEmailVerification",
    tag = "accounts",
    responses((status = 200, description = "A mail is on its way, unless the address is verified", body = DoneJson)))]
pub(crate) async fn request_verification(
    state: web::Data<State>,
    user: OwnPassword,
) -> Result<HttpResponse, Problem> {
    state.app.request_email_confirmation(user.0.id, &user.0.email).await?;
    Ok(done())
}

/// Verifies the address to which the token was mailed. Needs no session.
#[utoipa::path(post, path = "/api/auth/verify-email", operation_id = "verifyEmail", tag = "accounts",
    request_body = TokenJson,
    responses((status = 200, description = "The address is verified", body = DoneJson)))]
pub(crate) async fn verify(
    request: HttpRequest,
    state: web::Data<State>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (TokenJson { token }, mut errors, _) = body.read().await?;
    errors.require("token", &token, "The link is not complete");
    errors.finish()?;
    state.app.confirm_email(token, address(&request, &state)).await?;
    Ok(done())
}

/// Sends a mail with a link for a new password, if a user has this address. The answer does not tell.
#[utoipa::path(post, path = "/api/auth/password-reset/request", operation_id = "requestPasswordReset", tag = "accounts",
    request_body = ResetRequestJson,
    responses((status = 200, description = "A mail is on its way if a user has this address", body = DoneJson)))]
pub(crate) async fn request_reset(
    request: HttpRequest,
    state: web::Data<State>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (ResetRequestJson { email }, errors, _) = body.read().await?;
    let email = errors.finish_judging(accounts::email(&email))?;
    state.app.request_password_reset(&email, address(&request, &state)).await?;
    Ok(done())
}

/// Sets a new password with a token from a mail. Ends all sessions of the user.
#[utoipa::path(post, path = "/api/auth/password-reset", operation_id = "resetOwnPassword", tag = "accounts",
    request_body = ResetByMailJson,
    responses((status = 200, description = "The password is set", body = DoneJson)))]
pub(crate) async fn reset(
    request: HttpRequest,
    state: web::Data<State>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (ResetByMailJson { token, new_password }, mut errors, _) = body.read().await?;
    errors.require("token", &token, "The link is not complete");
    let new = errors.finish_judging(accounts::new_password(&new_password))?;
    state.app.reset_password_by_mail(token, new, address(&request, &state)).await?;
    Ok(done())
}

/// Sends a reader to the page that unsubscribes. A GET changes nothing, because mail programs and scanners open links.
#[utoipa::path(get, path = "/api/unsubscribe/{token}", operation_id = "openUnsubscribePage", tag = "notifications",
    params(("token" = String, Path)),
    responses((status = 302, description = "The page that asks the reader")))]
pub(crate) async fn unsubscribe_page(path: web::Path<String>) -> Result<HttpResponse, Problem> {
    let token = path.into_inner();
    let can_be_in_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if token.len() > LONGEST_TOKEN || !token.chars().all(can_be_in_token) {
        return Err(Problem::not_found());
    }
    Ok(HttpResponse::Found().insert_header((LOCATION, format!("/mail/unsubscribe#{token}"))).finish())
}

/// Stops the mails that the link names (RFC 8058). The token is the permission, so any mail program may call this.
#[utoipa::path(post, path = "/api/unsubscribe/{token}", operation_id = "stopMails", tag = "notifications",
    params(("token" = String, Path)),
    responses((status = 200, description = "The mails have stopped", body = DoneJson)))]
pub(crate) async fn unsubscribe(
    request: HttpRequest,
    state: web::Data<State>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    state.app.unsubscribe(&path, address(&request, &state)).await?;
    Ok(done())
}
