use std::collections::BTreeMap;

use actix_web::{HttpResponse, web};
use bolts_delivery::{Digest, Preferences, TimeZone, Topic, Wants};
use bolts_kernel::FieldError;
use bolts_ports::Destination;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::body::Body;
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
}

fn digest_schema() -> utoipa::openapi::schema::Object {
    use utoipa::openapi::schema::{ObjectBuilder, Type};
    let names = Digest::ALL.into_iter().map(Digest::as_str);
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).build()
}

impl PreferencesJson {
    pub(crate) fn new(preferences: &Preferences, webhook: Option<Destination>) -> Self {
        let channels = |topic: Topic| {
            let Wants { email, push, webhook } = preferences.wants(topic);
            (topic.as_str(), ChannelsJson { email, push, webhook })
        };
        Self {
            kinds: Topic::ALL.into_iter().map(channels).collect(),
            digest: preferences.digest.as_str(),
            time_zone: preferences.time_zone.to_string(),
            shows_private_titles: preferences.shows_private_titles,
            webhook_url: webhook.map(|webhook| webhook.address),
        }
    }
}

/// The user's choices about notifications outside of the site.
#[utoipa::path(get, path = "/api/notifications/preferences", operation_id = "getNotificationPreferences",
    tag = "notifications",
    responses((status = 200, description = "The choices", body = PreferencesJson)))]
pub(crate) async fn show(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    let id = user.0.id;
    let (preferences, webhook) =
        read(&state, move |queries| Ok((queries.preferences_of(id)?, queries.webhook(id)?))).await?;
    Ok(HttpResponse::Ok().json(PreferencesJson::new(&preferences, webhook)))
}

/// Stores the user's choices.
#[utoipa::path(put, path = "/api/notifications/preferences", operation_id = "setNotificationPreferences",
    tag = "notifications", request_body = NewPreferencesJson,
    responses((status = 200, description = "All choices after the change", body = PreferencesJson)))]
pub(crate) async fn store(
    state: web::Data<State>,
    user: OwnPassword,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (new, mut errors, _) = body.read::<NewPreferencesJson>().await?;
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
    let changed = state.app.change_preferences(user.0.id, move |preferences| {
        chosen.iter().for_each(|(topic, wants)| preferences.choose(*topic, *wants));
        preferences.digest = digest.unwrap_or(preferences.digest);
        preferences.time_zone = time_zone.unwrap_or(preferences.time_zone);
        preferences.shows_private_titles = shows_private_titles.unwrap_or(preferences.shows_private_titles);
    });
    let changed = changed.await?;
    let webhook = read(&state, move |queries| queries.webhook(user.0.id)).await?;
    Ok(HttpResponse::Ok().json(PreferencesJson::new(&changed, webhook)))
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
