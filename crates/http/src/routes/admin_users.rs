use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_usecases::admin::{GrantedBolts, grant_amount};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::body::Body;
use crate::dto::{GrantedBoltsJson, TemporaryPasswordJson};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond};
use crate::server::State;
use crate::session::Admin;

/// A gift of Bolts.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GrantJson {
    user_email: String,
    #[schema(minimum = 1, maximum = 100_000_000)]
    amount: i64,
}

/// The user whose password is reset.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResetUserJson {
    user_email: String,
}

/// Gives Bolts to a user.
#[utoipa::path(post, path = "/api/admin/deposit-bolts", operation_id = "depositBolts", tag = "admin",
    request_body = GrantJson,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The user's new balance", body = GrantedBoltsJson)))]
pub(crate) async fn deposit_bolts(
    request: HttpRequest,
    state: web::Data<State>,
    admin: Admin,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let actor = admin.actor();
    let (GrantJson { user_email, amount }, mut errors, bytes) = body.read().await?;
    errors.require("userEmail", &user_email, "User email is required");
    let amount = errors.finish_judging(grant_amount(amount))?;
    let render = |granted: &GrantedBolts| json(&GrantedBoltsJson::from(granted));
    let idempotency = idempotent(&request, actor.user, &bytes, render)?;
    let reply = state.app.grant_bolts(actor, &user_email, amount, idempotency).await?;
    Ok(respond(StatusCode::OK, reply, render))
}

/// Gives a user a one-time password and ends the user's sessions.
#[utoipa::path(post, path = "/api/admin/reset-password", operation_id = "resetPassword", tag = "admin",
    request_body = ResetUserJson,
    responses((status = 200, description = "The one-time password", body = TemporaryPasswordJson)))]
pub(crate) async fn reset_password(
    state: web::Data<State>,
    admin: Admin,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (ResetUserJson { user_email }, mut errors, _) = body.read().await?;
    errors.require("userEmail", &user_email, "User email is required");
    errors.finish()?;
    let temporary_password = state.app.reset_password(admin.actor(), &user_email).await?;
    Ok(HttpResponse::Ok().json(TemporaryPasswordJson { temporary_password }))
}
