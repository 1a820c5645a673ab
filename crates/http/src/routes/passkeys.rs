//! Passkeys (`docs/product.md#second-factor`). The options and the answers have the JSON forms of WebAuthn, level 3:
//! `PublicKeyCredentialCreationOptionsJSON` and its siblings.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_factors::{PasskeyName, RecoveryCode};
use bolts_kernel::PasskeyId;
use bolts_usecases::accounts::{PasskeyAnswer, PasskeyError};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::accounts::greet;
use super::factors::{PasswordJson, ProofJson};
use crate::body::{Body, FieldErrors};
use crate::device::visitor;
use crate::dto::{CeremonyJson, DoneJson, RecoveryCodesJson, UserJson};
use crate::error::Problem;
use crate::server::State;
use crate::session::{AnyUser, SignedIn, owner};

/// The longest secret of a ceremony that is looked at, in characters.
const LONGEST: usize = 64;

/// The answer of an authenticator.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PasskeyAnswerJson {
    /// The secret of the ceremony, from its options.
    ceremony: String,
    /// The credential, as `toJSON()` of the browser writes it.
    #[schema(value_type = Object)]
    credential: Option<Map<String, Value>>,
}

/// The answer of an authenticator that made a passkey.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPasskeyJson {
    /// The user's name for the passkey: 1 to 40 characters.
    name: String,
    /// The secret of the ceremony, from its options.
    ceremony: String,
    /// The credential, as `toJSON()` of the browser writes it.
    #[schema(value_type = Object)]
    credential: Option<Map<String, Value>>,
}

/// A name.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PasskeyNameJson {
    /// 1 to 40 characters.
    name: String,
}

/// The challenge of a sign-in.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ChallengeJson {
    /// The challenge in the answer to the first step.
    challenge: String,
}

impl PasskeyAnswerJson {
    fn judge(self, errors: &mut FieldErrors) -> Option<PasskeyAnswer> {
        errors.require("ceremony", &self.ceremony, "The ceremony is required");
        if self.ceremony.chars().count() > LONGEST {
            errors.wrong("ceremony", "This is not a ceremony");
        }
        let credential = errors.known("credential", self.credential, "The credential is required");
        Some(PasskeyAnswer { ceremony: self.ceremony, credential: Value::Object(credential?) })
    }
}

/// The answer in the field `passkey` of a proof. `None` if it is no answer.
pub(super) fn nested(mut passkey: Map<String, Value>) -> Option<PasskeyAnswer> {
    let (Some(Value::String(ceremony)), Some(credential @ Value::Object(_))) =
        (passkey.remove("ceremony"), passkey.remove("credential"))
    else {
        return None;
    };
    (ceremony.chars().count() <= LONGEST).then_some(PasskeyAnswer { ceremony, credential })
}

fn passkey_id(text: &str) -> Result<PasskeyId, Problem> {
    text.parse().map_err(|_| PasskeyError::NotFound.into())
}

/// Begins a sign-in without a password.
#[utoipa::path(post, path = "/api/auth/login/passkey/options", operation_id = "beginPasskeySignIn", tag = "accounts",
    responses((status = 200, description = "The options for the browser", body = CeremonyJson)))]
pub(crate) async fn sign_in_options(
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, Problem> {
    let new = state.app.begin_passkey_sign_in(visitor(&request, &state)).await?;
    Ok(HttpResponse::Ok().json(CeremonyJson::from(new)))
}

/// Signs in with a passkey. The authenticator has verified the user, so this counts as both factors.
#[utoipa::path(post, path = "/api/auth/login/passkey", operation_id = "signInWithPasskey", tag = "accounts",
    request_body = PasskeyAnswerJson,
    responses((status = 200, description = "The user; the session's cookie is set", body = UserJson)))]
pub(crate) async fn sign_in(
    request: HttpRequest,
    state: web::Data<State>,
    session: Session,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<PasskeyAnswerJson>().await?;
    let answer = typed.judge(&mut errors);
    let answer = errors.finish_with(answer)?;
    let fresh = state.app.sign_in_with_passkey(answer, visitor(&request, &state)).await?;
    greet(&state, &session, fresh, HttpResponse::Ok())
}

/// Begins the proof with a passkey in the second step of a sign-in.
#[utoipa::path(post, path = "/api/auth/login/factor/options", operation_id = "beginSecondStep", tag = "accounts",
    request_body = ChallengeJson,
    responses((status = 200, description = "The options for the browser", body = CeremonyJson)))]
pub(crate) async fn second_step_options(
    request: HttpRequest,
    state: web::Data<State>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (ChallengeJson { challenge }, mut errors, _) = body.read().await?;
    errors.require("challenge", &challenge, "The challenge is required");
    errors.finish()?;
    let new = state.app.begin_second_step(&challenge, visitor(&request, &state)).await?;
    Ok(HttpResponse::Ok().json(CeremonyJson::from(new)))
}

/// Begins a proof with a passkey, for the actions that ask for the second factor again.
#[utoipa::path(post, path = "/api/auth/step-up/options", operation_id = "beginStepUp", tag = "accounts",
    responses((status = 200, description = "The options for the browser", body = CeremonyJson)))]
pub(crate) async fn step_up_options(
    state: web::Data<State>,
    session: Session,
    user: AnyUser,
) -> Result<HttpResponse, Problem> {
    let new = state.app.begin_step_up(owner(user.0, &session)).await?;
    Ok(HttpResponse::Ok().json(CeremonyJson::from(new)))
}

/// Begins the registration of a passkey.
#[utoipa::path(post, path = "/api/auth/passkeys/options", operation_id = "beginPasskey", tag = "accounts",
    request_body = PasswordJson,
    responses((status = 200, description = "The options for the browser", body = CeremonyJson)))]
pub(crate) async fn registration_options(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, errors, _) = body.read::<PasswordJson>().await?;
    let password = typed.judge(errors)?;
    let new = state.app.begin_passkey(owner(user.0, &session), password).await?;
    Ok(HttpResponse::Ok().json(CeremonyJson::from(new)))
}

/// Adds a passkey.
#[utoipa::path(post, path = "/api/auth/passkeys", operation_id = "addPasskey", tag = "accounts",
    request_body = NewPasskeyJson,
    responses((status = 200, description = "The recovery codes, which are shown only once; none if the user has some",
        body = RecoveryCodesJson)))]
pub(crate) async fn add(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (NewPasskeyJson { name, ceremony, credential }, mut errors, _) = body.read().await?;
    let name = errors.judge(PasskeyName::parse(&name));
    let answer = PasskeyAnswerJson { ceremony, credential }.judge(&mut errors);
    let (name, answer) = errors.finish_with(name.zip(answer))?;
    let codes = state.app.add_passkey(owner(user.0, &session), name, answer).await?;
    Ok(HttpResponse::Ok().json(RecoveryCodesJson::from(codes)))
}

/// Renames a passkey.
#[utoipa::path(patch, path = "/api/auth/passkeys/{id}", operation_id = "renamePasskey", tag = "accounts",
    params(("id" = String, Path)), request_body = PasskeyNameJson,
    responses((status = 200, description = "The passkey has the name", body = DoneJson)))]
pub(crate) async fn rename(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let id = passkey_id(&path)?;
    let (PasskeyNameJson { name }, mut errors, _) = body.read().await?;
    let name = errors.judge(PasskeyName::parse(&name));
    state.app.rename_passkey(user.0.id, id, errors.finish_with(name)?).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Removes a passkey. Without a proof, the second factor must have been proved in the last 5 minutes.
#[utoipa::path(delete, path = "/api/auth/passkeys/{id}", operation_id = "removePasskey", tag = "accounts",
    params(("id" = String, Path)), request_body = ProofJson,
    responses((status = 200, description = "The passkey is removed", body = DoneJson)))]
pub(crate) async fn remove(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let id = passkey_id(&path)?;
    let (typed, mut errors, _) = body.read::<ProofJson>().await?;
    let proof = typed.judge(&mut errors);
    errors.finish()?;
    state.app.remove_passkey(owner(user.0, &session), id, proof).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Replaces the recovery codes. The second factor must have been proved in the last 5 minutes.
#[utoipa::path(post, path = "/api/auth/recovery-codes", operation_id = "replaceRecoveryCodes", tag = "accounts",
    responses((status = 200, description = "The new recovery codes, which are shown only once",
        body = RecoveryCodesJson)))]
pub(crate) async fn replace_codes(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let codes: Vec<RecoveryCode> = state.app.replace_recovery_codes(owner(user.0, &session)).await?;
    Ok(HttpResponse::Ok().json(RecoveryCodesJson::from(codes)))
}
