use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use bolts_usecases::accounts::{self, ProfileDraft, SignedIn as Fresh};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::body::Body;
use crate::device::{self, visitor};
use crate::dto::{DoneJson, UserJson};
use crate::error::Problem;
use crate::lookups;
use crate::server::State;
use crate::session::{self, AnyUser, SignedIn};

/// The credentials for a registration or a sign-in.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CredentialsJson {
    /// At most 254 characters; stored in lower case.
    email: String,
    /// 6 to 128 characters.
    #[schema(format = Password)]
    password: String,
}

/// A user's names.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProfileJson {
    #[schema(min_length = 3, max_length = 20, pattern = "^[A-Za-z0-9_]+$")]
    username: String,
    #[schema(max_length = 50)]
    first_name: Option<String>,
    #[schema(max_length = 50)]
    last_name: Option<String>,
}

/// A change of the password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewPasswordJson {
    #[schema(format = Password)]
    current_password: String,
    #[schema(format = Password, min_length = 6, max_length = 128)]
    new_password: String,
}

/// The signed-in user.
#[utoipa::path(get, path = "/api/auth/user", operation_id = "getCurrentUser", tag = "accounts",
    responses((status = 200, description = "The user who is signed in", body = UserJson)))]
pub(crate) async fn current_user(user: AnyUser) -> HttpResponse {
    HttpResponse::Ok().json(UserJson::from(user.0))
}

/// Registers a user, grants 1,000 Bolts and signs in.
#[utoipa::path(post, path = "/api/auth/register", operation_id = "signUp", tag = "accounts",
    request_body = CredentialsJson,
    responses((status = 201, description = "The new user; the session's cookie is set", body = UserJson)))]
pub(crate) async fn register(
    request: HttpRequest,
    state: web::Data<State>,
    session: Session,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<CredentialsJson>().await?;
    let email = errors.judge(accounts::email(&typed.email));
    let password = errors.judge(accounts::password("password", &typed.password));
    let (email, password) = errors.finish_with(email.zip(password))?;
    let fresh = state.app.register(email, password, visitor(&request, &state)).await?;
    greet(&state, &session, fresh, HttpResponse::Created())
}

/// Signs in.
#[utoipa::path(post, path = "/api/auth/login", operation_id = "signIn", tag = "accounts",
    request_body = CredentialsJson,
    responses((status = 200, description = "The user; the session's cookie is set", body = UserJson)))]
pub(crate) async fn login(
    request: HttpRequest,
    state: web::Data<State>,
    session: Session,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (CredentialsJson { email, password }, mut errors, _) = body.read().await?;
    // No valid address is longer. A longer text is refused before any rate limit counts it.
    if email.is_empty() || email.chars().count() > accounts::EMAIL_MAX {
        errors.wrong("email", "Please enter a valid email address");
    }
    errors.require_password("password", &password, "Password must be at least 6 characters");
    errors.finish()?;
    let signed_in = state.app.sign_in(&email, password, visitor(&request, &state)).await;
    let fresh = signed_in.map_err(Problem::of_sign_in)?;
    greet(&state, &session, fresh, HttpResponse::Ok())
}

/// Sets the cookies of a new session and answers with its user.
pub(super) fn greet(
    state: &State,
    session: &Session,
    fresh: Fresh,
    mut answer: HttpResponseBuilder,
) -> Result<HttpResponse, Problem> {
    session::begin(session, &fresh.secret)?;
    answer.cookie(device::cookie(state, &fresh.device));
    Ok(answer.json(UserJson::from(fresh.user)))
}

/// Ends the session.
#[utoipa::path(post, path = "/api/auth/logout", operation_id = "signOut", tag = "accounts",
    responses((status = 200, description = "The session has ended", body = DoneJson)))]
pub(crate) async fn logout(state: web::Data<State>, session: Session) -> Result<HttpResponse, Problem> {
    // Without a live session nothing is written, so that an old cookie causes no jobs.
    if let Some(secret) = session::secret_of(&session)
        && let Some(ended) = lookups::session(&state, secret.clone()).await?
    {
        state.app.sign_out(ended.user.id, &secret).await?;
    }
    // If the session could not be ended, the cookie stays, so that the user can try again.
    session.purge();
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Sets the user's names.
#[utoipa::path(patch, path = "/api/auth/profile", operation_id = "updateProfile", tag = "accounts",
    request_body = ProfileJson,
    responses((status = 200, description = "The user with the new profile", body = UserJson)))]
pub(crate) async fn profile(
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, errors, _) = body.read::<ProfileJson>().await?;
    errors.finish()?;
    let draft = ProfileDraft {
        username: typed.username,
        first_name: typed.first_name.unwrap_or_default(),
        last_name: typed.last_name.unwrap_or_default(),
    };
    let user = state.app.set_profile(user.0.id, &draft).await?;
    Ok(HttpResponse::Ok().json(UserJson::from(user)))
}

/// Changes the password, ends the user's other sessions, and gives this session a new cookie.
#[utoipa::path(patch, path = "/api/auth/password", operation_id = "changePassword", tag = "accounts",
    request_body = NewPasswordJson,
    responses((status = 200, description = "The password is changed; the session's cookie is set anew",
        body = DoneJson)))]
pub(crate) async fn password(
    state: web::Data<State>,
    session: Session,
    user: AnyUser,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<NewPasswordJson>().await?;
    errors.require_password("currentPassword", &typed.current_password, "Current password is required");
    let new = errors.finish_judging(accounts::new_password(&typed.new_password))?;
    let owner = session::owner(user.0, &session);
    let secret = state.app.change_password(owner, typed.current_password, new).await?;
    session::begin(&session, &secret)?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}
