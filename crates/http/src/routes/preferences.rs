use std::collections::BTreeMap;

use actix_web::{HttpResponse, web};
use bolts_delivery::{Digest, Preferences, Topic, Wants};
use bolts_kernel::{FieldError, TimeZone};
use bolts_usecases::notifications::{Choices, WebhookChoice, WebhookError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::body::{Body, has_field};
use crate::dto::digest_schema;
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::OwnPassword;

/// The channels of a group of notifications.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
pub(crate) struct ChannelsJson {
    email: bool,
    push: bool,
    webhook: bool,
}

/// The choices of a user about notifications outside of the site.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NotificationPreferences)]
pub(crate) struct PreferencesJson {
    /// The channels of each group of notifications.
    kinds: BTreeMap<&'static str, ChannelsJson>,
    #[schema(schema_with = digest_schema)]
    digest: &'static str,
    /// The IANA name of the time zone in which the digest comes at 08:00.
    time_zone: String,
    /// Whether mails may contain the titles of private bets.
    shows_private_titles: bool,
    /// The address of the user's webhook.
    #[schema(required)]
    webhook_url: Option<String>,
}

/// The choices after a change.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ChangedPreferences)]
struct ChangedPreferencesJson {
    #[serde(flatten)]
    preferences: PreferencesJson,
    /// The key that signs the events of the webhook. Only in the answer to a change that set a new address. No other answer
    /// contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_secret: Option<String>,
}

/// New choices. Fields and groups that are absent stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewPreferencesJson {
    #[schema(value_type = Option<BTreeMap<String, ChannelsJson>>)]
    kinds: Option<Map<String, Value>>,
    #[schema(schema_with = digest_schema)]
    digest: Option<String>,
    time_zone: Option<String>,
    shows_private_titles: Option<bool>,
    /// The address of the webhook, as for `setWebhook`. `null` removes the webhook.
    webhook_url: Option<String>,
}

impl PreferencesJson {
    pub(crate) fn new(preferences: &Preferences, webhook_url: Option<String>) -> Self {
        let channels = |topic: Topic| {
            let Wants { email, push, webhook } = preferences.wants(topic);
            (topic.as_str(), ChannelsJson { email, push, webhook })
        };
        Self {
            kinds: Topic::ALL.into_iter().map(channels).collect(),
            digest: preferences.digest.as_str(),
            time_zone: preferences.time_zone.to_string(),
            shows_private_titles: preferences.shows_private_titles,
            webhook_url,
        }
    }
}

/// The user's choices about notifications outside of the site.
#[utoipa::path(get, path = "/api/notifications/preferences", operation_id = "getNotificationPreferences",
    tag = "notifications",
    responses((status = 200, description = "The choices", body = PreferencesJson)))]
pub(crate) async fn show(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    let id = user.0.id;
    let app = state.app.clone();
    let (preferences, webhook) =
        read(&state, move |queries| Ok((queries.preferences_of(id)?, app.webhook(id)?))).await?;
    Ok(HttpResponse::Ok().json(PreferencesJson::new(&preferences, webhook.map(|webhook| webhook.url))))
}

/// Stores the user's choices, and the address of the webhook.
#[utoipa::path(put, path = "/api/notifications/preferences", operation_id = "setNotificationPreferences",
    tag = "notifications", request_body = NewPreferencesJson,
    responses((status = 200, description = "All choices after the change", body = ChangedPreferencesJson)))]
pub(crate) async fn store(
    state: web::Data<State>,
    user: OwnPassword,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (new, mut errors, bytes) = body.read::<NewPreferencesJson>().await?;
    let chosen = new
        .kinds
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(name, value)| errors.judge(choice(&name, value)));
    let chosen: Vec<(Topic, Wants)> = chosen.collect();
    let digest = new.digest.and_then(|name| {
        errors.known("digest", Digest::parse(&name), "The digest must be off, daily or weekly")
    });
    let time_zone = new.time_zone.and_then(|name| {
        let zone = name.parse::<TimeZone>();
        errors.judge(zone.map_err(|error| FieldError::new("timeZone", error.to_string())))
    });
    let shows_private_titles = new.shows_private_titles;
    errors.finish()?;
    let webhook = match new.webhook_url {
        Some(url) => WebhookChoice::At(url),
        None if has_field(&bytes, WEBHOOK_URL) => WebhookChoice::Remove,
        None => WebhookChoice::Keep,
    };
    let changed = state.app.change_choices(user.0.id, webhook, move |preferences| {
        chosen.iter().for_each(|(topic, wants)| preferences.choose(*topic, *wants));
        preferences.digest = digest.unwrap_or(preferences.digest);
        preferences.time_zone = time_zone.unwrap_or(preferences.time_zone);
        preferences.shows_private_titles = shows_private_titles.unwrap_or(preferences.shows_private_titles);
    });
    let Choices { preferences, webhook, secret } = changed.await.map_err(refusal)?;
    let preferences = PreferencesJson::new(&preferences, webhook.map(|webhook| webhook.url));
    let webhook_secret = secret.map(|secret| secret.reveal().to_owned());
    Ok(HttpResponse::Ok().json(ChangedPreferencesJson { preferences, webhook_secret }))
}

/// The field of the webhook's address.
const WEBHOOK_URL: &str = "webhookUrl";

/// The refusal of a change. The field has another name than in the call about the webhook alone.
fn refusal(error: WebhookError) -> Problem {
    match error {
        WebhookError::BadUrl(detail) => Problem::invalid(vec![FieldError::new(WEBHOOK_URL, detail)]),
        WebhookError::NotFound | WebhookError::TooMany(_) | WebhookError::Store(_) => error.into(),
    }
}

fn choice(name: &str, value: Value) -> Result<(Topic, Wants), FieldError> {
    let wrong = |message: &str| FieldError::new("kinds", message);
    let topic = Topic::parse(name).ok_or_else(|| wrong("There is no such kind of notifications"))?;
    let wants: Wants =
        serde_json::from_value(value).map_err(|_| wrong("Each channel must be true or false"))?;
    let channels = bolts_delivery::Channel::ALL;
    if channels.into_iter().any(|channel| !wants.has(channel) && !topic.can_be_turned_off(channel)) {
        return Err(wrong("Mails about the security of the account cannot be turned off"));
    }
    Ok((topic, wants))
}
