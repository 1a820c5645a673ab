//! The browsers that get push messages.

use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_kernel::{DestinationId, Timestamp};
use bolts_ports::Browser;
use bolts_usecases::notifications::{BrowserState, PushError, Subscription};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::body::Body;
use crate::dto::DoneJson;
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::{OwnPassword, hash_of};
use crate::user_agent;

/// The browsers that get push messages of the user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PushSubscriptions)]
struct SubscriptionsJson {
    /// The public key of the site in base64url: the `applicationServerKey` of a subscription.
    public_key: String,
    subscriptions: Vec<SubscriptionJson>,
}

/// A browser that gets push messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PushSubscription)]
struct SubscriptionJson {
    /// The id, with which the subscription can be ended from another device.
    #[schema(value_type = String)]
    id: DestinationId,
    /// Browser and system in words.
    #[schema(required)]
    device: Option<String>,
    /// The address that the push service gave to the browser.
    endpoint: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Whether the browser subscribed in the session of the request.
    is_current: bool,
}

impl From<BrowserState> for SubscriptionJson {
    fn from(BrowserState { id, device, endpoint, since, is_current }: BrowserState) -> Self {
        Self { id, device, endpoint, created_at: since, is_current }
    }
}

/// The subscription of a browser, as its `PushSubscription.toJSON()` gives it.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewSubscriptionJson {
    /// An https address on the public internet, at most 1,024 characters.
    endpoint: String,
    /// The keys of the browser in base64url.
    #[schema(value_type = KeysJson)]
    keys: Map<String, Value>,
}

/// The keys of a browser in base64url.
#[derive(ToSchema)]
#[schema(as = PushKeys)]
#[expect(
    dead_code,
    reason = "the schema of `NewSubscriptionJson::keys`, whose fields have one error together"
)]
struct KeysJson {
    p256dh: String,
    auth: String,
}

/// A browser whose subscription ends.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EndpointJson {
    /// The address that the push service gave to the browser.
    endpoint: String,
}

/// Lists the browsers that get push messages, the one that subscribed last at the end.
#[utoipa::path(get, path = "/api/notifications/push-subscriptions", operation_id = "listPushSubscriptions",
    tag = "notifications",
    responses((status = 200, description = "The public key of the site, and the browsers", body = SubscriptionsJson)))]
pub(crate) async fn list(
    state: web::Data<State>,
    session: Session,
    user: OwnPassword,
) -> Result<HttpResponse, Problem> {
    let (app, current) = (state.app.clone(), hash_of(&session));
    let browsers = read(&state, move |_| app.browsers(user.0.id, &current)).await?;
    let subscriptions = browsers.into_iter().map(SubscriptionJson::from).collect();
    Ok(HttpResponse::Ok().json(SubscriptionsJson { public_key: state.push_key.clone(), subscriptions }))
}

/// Subscribes a browser. The subscription ends with the session.
#[utoipa::path(post, path = "/api/notifications/push-subscriptions", operation_id = "addPushSubscription",
    tag = "notifications", request_body = NewSubscriptionJson,
    responses((status = 200, description = "The browser is subscribed", body = DoneJson)))]
pub(crate) async fn add(
    state: web::Data<State>,
    request: HttpRequest,
    session: Session,
    user: OwnPassword,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<NewSubscriptionJson>().await?;
    errors.require("endpoint", &typed.endpoint, "Enter an address that begins with https://");
    errors.finish()?;
    let key = |name: &str| typed.keys.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let new = Subscription { p256dh: key("p256dh"), auth: key("auth"), endpoint: typed.endpoint };
    let browser = Browser { session: hash_of(&session), device: user_agent::in_words(&request) };
    state.app.subscribe_browser(user.0.id, browser, &new).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Ends the subscription of the browser with this address.
#[utoipa::path(delete, path = "/api/notifications/push-subscriptions", operation_id = "removePushSubscription",
    tag = "notifications", request_body = EndpointJson,
    responses((status = 200, description = "The browser is not subscribed any more", body = DoneJson)))]
pub(crate) async fn remove(
    state: web::Data<State>,
    user: OwnPassword,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<EndpointJson>().await?;
    errors.require("endpoint", &typed.endpoint, "Name the address of the browser");
    errors.finish()?;
    state.app.unsubscribe_browser(user.0.id, typed.endpoint).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Ends the subscription of one of the user's browsers, from any device.
#[utoipa::path(delete, path = "/api/notifications/push-subscriptions/{id}", operation_id = "endPushSubscription",
    tag = "notifications", params(("id" = String, Path)),
    responses((status = 200, description = "The browser is not subscribed any more", body = DoneJson)))]
pub(crate) async fn end(
    state: web::Data<State>,
    user: OwnPassword,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = path.parse::<DestinationId>().map_err(|_| PushError::NotFound)?;
    state.app.remove_browser(user.0.id, id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Sends a test message to all browsers of the user.
#[utoipa::path(post, path = "/api/notifications/push-subscriptions/test", operation_id = "testPushSubscriptions",
    tag = "notifications",
    responses((status = 200, description = "The messages are on their way", body = DoneJson)))]
pub(crate) async fn test(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    state.app.test_push(user.0.id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}
