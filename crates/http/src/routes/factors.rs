//! Second factors (`docs/product.md#second-factor`).

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_usecases::accounts::Proof;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::accounts::greet;
use super::passkeys::{PasskeyAnswerJson, nested};
use crate::body::{Body, FieldErrors};
use crate::device::visitor;
use crate::dto::{DoneJson, FactorsJson, NewTotpJson, RecoveryCodesJson, SteppedUpJson, UserJson};
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::{AnyUser, SignedIn, owner};

/// The longest code that is looked at, in characters.
const LONGEST: usize = 64;

/// The password, to confirm an action.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordJson {
    #[schema(format = Password)]
    password: String,
}

/// A code of an authenticator app.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CodeJson {
    /// 6 digits.
    code: String,
}

impl PasswordJson {
    pub(super) fn judge(self, mut errors: FieldErrors) -> Result<String, Problem> {
        errors.require_password("password", &self.password, "Your password is required");
        errors.finish()?;
        Ok(self.password)
    }
}

/// A proof of the second factor: one of the three fields.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProofJson {
    /// The code of an authenticator app: 6 digits.
    code: Option<String>,
    /// A recovery code.
    recovery_code: Option<String>,
    /// The answer of an authenticator: `ceremony` from the options, and `credential`.
    #[schema(value_type = Option<PasskeyAnswerJson>)]
    passkey: Option<Map<String, Value>>,
}

/// The second step of a sign-in: the challenge, and one of the three proofs.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SecondStepJson {
    /// The challenge in the answer to the first step.
    challenge: String,
    /// The code of an authenticator app: 6 digits.
    code: Option<String>,
    /// A recovery code.
    recovery_code: Option<String>,
    /// The answer of an authenticator: `ceremony` from the options, and `credential`.
    #[schema(value_type = Option<PasskeyAnswerJson>)]
    passkey: Option<Map<String, Value>>,
}

impl ProofJson {
    pub(super) fn judge(self, errors: &mut FieldErrors) -> Option<Proof> {
        if let Some(passkey) = self.passkey {
            let answer =
                errors.known("passkey", nested(passkey), "This is not an answer of an authenticator");
            return answer.map(Proof::Passkey);
        }
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let (field, text) = match (given(self.code), given(self.recovery_code)) {
            (Some(code), _) => ("code", code),
            (None, Some(code)) => ("recoveryCode", code),
            (None, None) => return None,
        };
        if text.chars().count() > LONGEST {
            errors.wrong(field, "This is not a code");
        }
        Some(if field == "code" { Proof::Code(text) } else { Proof::RecoveryCode(text) })
    }

    fn require(self, errors: &mut FieldErrors) -> Option<Proof> {
        let has_passkey = self.passkey.is_some();
        let proof = self.judge(errors);
        // A passkey that cannot be read has its own error.
        if has_passkey { proof } else { errors.known("code", proof, "A code is required") }
    }
}

/// Ends a sign-in that asked for the second factor.
#[utoipa::path(post, path = "/api/auth/login/factor", operation_id = "finishSignIn", tag = "accounts",
    request_body = SecondStepJson,
    responses((status = 200, description = "The user; the session's cookie is set", body = UserJson)))]
pub(crate) async fn login(
    request: HttpRequest,
    state: web::Data<State>,
    session: Session,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<SecondStepJson>().await?;
    let SecondStepJson { challenge, code, recovery_code, passkey } = typed;
    errors.require("challenge", &challenge, "The challenge is required");
    let proof = ProofJson { code, recovery_code, passkey }.require(&mut errors);
    let proof = errors.finish_with(proof)?;
    let fresh = state.app.sign_in_with_factor(&challenge, proof, visitor(&request, &state)).await?;
    greet(&state, &session, fresh, HttpResponse::Ok())
}

/// Proves the second factor again, for the actions that ask for it.
#[utoipa::path(post, path = "/api/auth/step-up", operation_id = "stepUp", tag = "accounts",
    request_body = ProofJson,
    responses((status = 200, description = "The proof counts until this time", body = SteppedUpJson)))]
pub(crate) async fn step_up(
    state: web::Data<State>,
    session: Session,
    user: AnyUser,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<ProofJson>().await?;
    let proof = typed.require(&mut errors);
    let proof = errors.finish_with(proof)?;
    let until = state.app.step_up(owner(user.0, &session), proof).await?;
    Ok(HttpResponse::Ok().json(SteppedUpJson { ok: true, until }))
}

/// The user's second factors.
#[utoipa::path(get, path = "/api/auth/factors", operation_id = "getFactors", tag = "accounts",
    responses((status = 200, description = "The user's second factors", body = FactorsJson)))]
pub(crate) async fn show(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let factors = read(&state, move |queries| queries.factors(user.0.id)).await?;
    Ok(HttpResponse::Ok().json(FactorsJson::from(factors)))
}

/// Makes the secret of a new authenticator app, which waits for its first code.
#[utoipa::path(post, path = "/api/auth/totp", operation_id = "beginAuthenticatorApp", tag = "accounts",
    request_body = PasswordJson,
    responses((status = 200, description = "The secret, and the address for a QR code", body = NewTotpJson)))]
pub(crate) async fn begin_totp(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, errors, _) = body.read::<PasswordJson>().await?;
    let password = typed.judge(errors)?;
    let new = state.app.begin_totp(owner(user.0, &session), password).await?;
    Ok(HttpResponse::Ok().json(NewTotpJson { secret: new.secret, uri: new.uri }))
}

/// Confirms a new authenticator app with its first code.
#[utoipa::path(post, path = "/api/auth/totp/confirm", operation_id = "confirmAuthenticatorApp", tag = "accounts",
    request_body = CodeJson,
    responses((status = 200, description = "The recovery codes, which are shown only once; none if the user has some",
        body = RecoveryCodesJson)))]
pub(crate) async fn confirm_totp(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (CodeJson { code }, mut errors, _) = body.read().await?;
    errors.require("code", &code, "A code is required");
    if code.chars().count() > LONGEST {
        errors.wrong("code", "This is not a code");
    }
    errors.finish()?;
    let codes = state.app.confirm_totp(owner(user.0, &session), code).await?;
    Ok(HttpResponse::Ok().json(RecoveryCodesJson::from(codes)))
}

/// Removes the authenticator app. Without a code, the second factor must have been proved in the last 5 minutes.
#[utoipa::path(delete, path = "/api/auth/totp", operation_id = "removeAuthenticatorApp", tag = "accounts",
    request_body = ProofJson,
    responses((status = 200, description = "The app is removed", body = DoneJson)))]
pub(crate) async fn remove_totp(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<ProofJson>().await?;
    let proof = typed.judge(&mut errors);
    errors.finish()?;
    state.app.remove_totp(owner(user.0, &session), proof).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}
