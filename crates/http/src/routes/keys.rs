//! The user's API keys. A key itself cannot call these operations: it could make itself immortal.

use actix_session::Session;
use actix_web::{HttpResponse, web};
use bolts_kernel::ApiKeyId;
use bolts_keys::{KeyName, Scopes, lifetime};
use bolts_usecases::accounts::{KeyError, MadeKey, NewKey};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::Body;
use crate::dto::{ApiKeyJson, DoneJson, scopes_schema};
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::{SignedIn, owner};

/// A new API key.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"name": "Trading bot", "scopes": ["read", "bet"], "expiresInDays": 90, "password": "secret"}))]
pub(crate) struct NewKeyJson {
    /// The user's name for it: 1 to 50 characters.
    name: String,
    /// What the key may do. At least one; no scope includes another one.
    #[schema(schema_with = scopes_schema)]
    scopes: Vec<String>,
    /// 90 if it is absent.
    #[schema(minimum = 1, maximum = 365)]
    expires_in_days: Option<i64>,
    /// The user's password.
    #[schema(format = Password)]
    password: String,
}

/// A key that was just made.
#[derive(Serialize, ToSchema)]
#[schema(as = MadeApiKey)]
struct MadeKeyJson {
    key: ApiKeyJson,
    /// The key for the header `Authorization: Bearer …`. It is shown only once.
    #[schema(example = "bolts_3xK9aQd0mJ8b7VYcXwq2RzT5nHsLfEuPGkAoi16DWvM")]
    secret: String,
}

/// Lists the user's API keys, oldest first.
#[utoipa::path(get, path = "/api/auth/keys", operation_id = "listApiKeys", tag = "accounts",
    responses((status = 200, description = "The user's API keys", body = Vec<ApiKeyJson>)))]
pub(crate) async fn list(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let app = state.app.clone();
    let keys = read(&state, move |_| app.keys_of(user.0.id)).await?;
    Ok(HttpResponse::Ok().json(keys.into_iter().map(ApiKeyJson::from).collect::<Vec<_>>()))
}

/// Makes an API key. A second factor must have been proved in the last 5 minutes, if the user has one.
#[utoipa::path(post, path = "/api/auth/keys", operation_id = "makeApiKey", tag = "accounts",
    request_body = NewKeyJson,
    responses((status = 201, description = "The key, which is shown only once", body = MadeKeyJson)))]
pub(crate) async fn make(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<NewKeyJson>().await?;
    let name = errors.judge(KeyName::parse(&typed.name));
    let scopes = errors.judge(Scopes::parse(typed.scopes.iter().map(String::as_str)));
    let lifetime = errors.judge(lifetime(typed.expires_in_days));
    errors.require_password("password", &typed.password, "Your password is required");
    let ((name, scopes), lifetime) = errors.finish_with(name.zip(scopes).zip(lifetime))?;
    let new = NewKey { name, scopes, lifetime };
    let MadeKey { key, secret } = state.app.make_key(owner(user.0, &session), typed.password, new).await?;
    let json = MadeKeyJson { key: key.into(), secret: secret.reveal().to_owned() };
    Ok(HttpResponse::Created().json(json))
}

/// Revokes an API key.
#[utoipa::path(delete, path = "/api/auth/keys/{id}", operation_id = "revokeApiKey", tag = "accounts",
    params(("id" = String, Path)),
    responses((status = 200, description = "The key is revoked", body = DoneJson)))]
pub(crate) async fn revoke(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = path.parse::<ApiKeyId>().map_err(|_| KeyError::NotFound)?;
    state.app.revoke_key(user.0.id, id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}
