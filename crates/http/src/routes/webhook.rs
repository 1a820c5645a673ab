//! The user's webhook.

use actix_web::{HttpResponse, web};
use bolts_kernel::Timestamp;
use bolts_usecases::notifications::WebhookState;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::Body;
use crate::dto::DoneJson;
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::OwnPassword;

/// The user's webhook.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = Webhook)]
struct WebhookJson {
    /// Its address. `null` without a webhook.
    #[schema(required)]
    url: Option<String>,
    /// The time at which its address and secret were set.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// The reason why it gets no more events.
    #[schema(required)]
    stopped: Option<String>,
}

impl From<WebhookState> for WebhookJson {
    fn from(WebhookState { url, since, stopped }: WebhookState) -> Self {
        Self { url: Some(url), since: Some(since), stopped }
    }
}

/// A webhook whose secret was made just now.
#[derive(Serialize, ToSchema)]
#[schema(as = NewWebhook)]
struct NewWebhookJson {
    #[serde(flatten)]
    webhook: WebhookJson,
    /// The key that signs its events, in the form of Standard Webhooks. No other answer contains it.
    secret: String,
}

/// The address of a webhook.
#[derive(Deserialize, ToSchema)]
pub(crate) struct WebhookUrlJson {
    /// An https address on the public internet, at most 500 characters.
    url: String,
}

/// Returns the user's webhook.
#[utoipa::path(get, path = "/api/notifications/webhook", operation_id = "getWebhook", tag = "notifications",
    responses((status = 200, description = "The webhook", body = WebhookJson)))]
pub(crate) async fn show(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    let app = state.app.clone();
    let webhook = read(&state, move |_| app.webhook(user.0.id)).await?;
    Ok(HttpResponse::Ok().json(webhook.map_or_else(WebhookJson::default, WebhookJson::from)))
}

/// Sets the address of the user's webhook, and makes a new secret.
#[utoipa::path(put, path = "/api/notifications/webhook", operation_id = "setWebhook", tag = "notifications",
    request_body = WebhookUrlJson,
    responses((status = 200, description = "The webhook and its new secret", body = NewWebhookJson)))]
pub(crate) async fn store(
    state: web::Data<State>,
    user: OwnPassword,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<WebhookUrlJson>().await?;
    errors.require("url", &typed.url, "Enter an address that begins with https://");
    errors.finish()?;
    let (webhook, secret) = state.app.set_webhook(user.0.id, &typed.url).await?;
    let json = NewWebhookJson { webhook: webhook.into(), secret: secret.reveal().to_owned() };
    Ok(HttpResponse::Ok().json(json))
}

/// Removes the user's webhook.
#[utoipa::path(delete, path = "/api/notifications/webhook", operation_id = "removeWebhook", tag = "notifications",
    responses((status = 200, description = "There is no webhook any more", body = DoneJson)))]
pub(crate) async fn remove(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    state.app.remove_webhook(user.0.id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Sends an event of the kind `test` to the user's webhook.
#[utoipa::path(post, path = "/api/notifications/webhook/test", operation_id = "testWebhook", tag = "notifications",
    responses((status = 200, description = "The event is on its way", body = DoneJson)))]
pub(crate) async fn test(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    state.app.test_webhook(user.0.id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}
