use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_bets::{ShareToken, Side, TermsDraft};
use bolts_ports::BetKey;
use bolts_usecases::bets::{Create, SeenBet, is_concerned};
use bolts_usecases::{Actor, App};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::body::{Body, FieldErrors};
use crate::dto::{BetJson, TimelineJson, Viewer};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond};
use crate::reads::{read, read_public};
use crate::server::State;
use crate::session::{MaybeSignedIn, SignedIn};

/// The data of a new bet.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "title": "Will it snow on Friday?", "optionA": "Snow", "optionB": "No snow", "stakeAmount": 100,
    "resolutionMethod": "Mutual Agreement", "expiresAt": "2027-01-15T12:00:00Z",
}))]
pub(crate) struct NewBetJson {
    #[schema(min_length = 5, max_length = 200)]
    title: String,
    #[schema(max_length = 5000)]
    description: Option<String>,
    #[schema(min_length = 1, max_length = 100)]
    option_a: String,
    #[schema(min_length = 1, max_length = 100)]
    option_b: String,
    /// At least 1 bolt or 100 sats.
    #[schema(minimum = 1, maximum = 100_000_000)]
    stake_amount: i64,
    /// The stake of the user who takes the other side. Absent: the same as `stakeAmount`. The larger stake may be at
    /// most 100 times the smaller one.
    #[schema(minimum = 1, maximum = 100_000_000)]
    opponent_stake: Option<i64>,
    #[schema(schema_with = crate::dto::currency_schema)]
    currency_type: Option<String>,
    category: Option<String>,
    is_private: Option<bool>,
    /// The opposite of `isPrivate`.
    is_public: Option<bool>,
    #[schema(schema_with = crate::dto::method_schema)]
    resolution_method: String,
    #[schema(format = DateTime)]
    resolution_date: Option<String>,
    #[schema(max_length = 2048)]
    source_url: Option<String>,
    #[schema(schema_with = crate::dto::side_schema)]
    creator_option: Option<String>,
    #[schema(format = DateTime)]
    expires_at: String,
    /// The creator's time zone, an IANA name.
    time_zone: Option<String>,
    /// The username of the user who shall rule on a dispute. Absent or empty: the admins rule.
    arbiter: Option<String>,
}

/// Converts the data of a new bet, and checks the creator's side and the visibility. These fields and `currencyType`
/// are optional and have the same defaults as the form (`docs/domain-rules.md#details`).
fn new_bet(typed: NewBetJson, mut errors: FieldErrors) -> Result<Create, Problem> {
    let or_default = |text: Option<String>, default: &str| {
        text.filter(|text| !text.is_empty()).unwrap_or_else(|| default.to_owned())
    };
    let side = Side::parse(&or_default(typed.creator_option, "A"));
    let side = errors.known("creatorOption", side, "Creator option must be A or B");
    if typed.is_private.is_some() && typed.is_private == typed.is_public {
        errors.wrong("isPublic", "A bet is either private or public");
    }
    let is_private = typed.is_private.or(typed.is_public.map(|public| !public)).unwrap_or(false);
    let arbiter = typed.arbiter.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let draft = TermsDraft {
        title: typed.title,
        description: typed.description.unwrap_or_default(),
        option_a: typed.option_a,
        option_b: typed.option_b,
        stake_amount: typed.stake_amount,
        opponent_stake: typed.opponent_stake,
        currency: or_default(typed.currency_type, "bolts"),
        category: typed.category.unwrap_or_default(),
        method: typed.resolution_method,
        source_url: typed.source_url.unwrap_or_default(),
        expires_at: typed.expires_at,
        resolution_date: typed.resolution_date.unwrap_or_default(),
        time_zone: typed.time_zone.unwrap_or_default(),
    };
    Ok(Create { draft, side: errors.finish_with(side)?, is_private, arbiter })
}

/// Creates a bet. The creator's stake goes into escrow.
#[utoipa::path(post, path = "/api/bets", operation_id = "createBet", tag = "bets", request_body = NewBetJson,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 201, description = "The new bet", body = BetJson)))]
pub(crate) async fn create(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let actor = user.actor();
    let (typed, errors, bytes) = body.read().await?;
    let create = new_bet(typed, errors)?;
    let viewer = Viewer::user(actor, state.app.now());
    let render = move |view: &_| json(&BetJson::of(view, viewer));
    let idempotency = idempotent(&request, actor.user, &bytes, render)?;
    let reply = state.app.create_bet(actor, create, idempotency).await?;
    Ok(respond(StatusCode::CREATED, reply, render))
}

/// The key of a bet in a path: an id or a share token. 404 if the text is neither of them.
pub(crate) fn key(text: &str) -> Result<BetKey, Problem> {
    let id = text.parse().ok().map(BetKey::Id);
    id.or_else(|| ShareToken::parse(text).map(BetKey::Token)).ok_or_else(Problem::bet_not_found)
}

/// The share token in the parameter `token` of the query string.
pub(crate) fn token(request: &HttpRequest) -> Option<ShareToken> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(request.query_string()).ok()?;
    let found = pairs.into_inner().into_iter().find(|(name, value)| name == "token" && !value.is_empty());
    found.and_then(|(_, value)| ShareToken::parse(&value))
}

/// Reads the bet with this key. 404 if the bet does not exist, or if the viewer may not see it.
pub(crate) async fn seen(
    state: &web::Data<State>,
    key: BetKey,
    viewer: Option<Actor>,
    token: Option<ShareToken>,
) -> Result<SeenBet, Problem> {
    let see = move |app: &App| app.see_bet(&key, viewer, token.as_ref());
    let is_visitor = viewer.is_none();
    let found = read_public(state, is_visitor, see.clone()).await?;
    if found.is_none() && is_visitor && state.replicas.is_some() {
        // The creator of a new bet may have sent its link to somebody, and a replica does not have the bet yet.
        let app = state.app.clone();
        return read(state, move |_| see(&app)).await?.ok_or_else(Problem::bet_not_found);
    }
    found.ok_or_else(Problem::bet_not_found)
}

/// Returns a bet by its id or its share token.
#[utoipa::path(get, path = "/api/bets/{key}", operation_id = "getBet", tag = "bets",
    params(("key" = String, Path, description = "an id or a share token"), ("token" = Option<String>, Query)),
    responses((status = 200, description = "The bet", body = BetJson)))]
pub(crate) async fn show(
    request: HttpRequest,
    state: web::Data<State>,
    viewer: MaybeSignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let found = seen(&state, key(&path)?, viewer.actor(), token(&request)).await?;
    let (actor, now) = (viewer.actor(), state.app.now());
    let viewer = Viewer { actor, now, with_token: found.with_token, in_list: false };
    Ok(HttpResponse::Ok().json(BetJson::of(&found.view, viewer)))
}

/// Returns a private bet by its share token, for signed-in users.
#[utoipa::path(get, path = "/api/bets/share/{token}", operation_id = "getSharedBet", tag = "bets",
    params(("token" = String, Path)),
    responses((status = 200, description = "The bet", body = BetJson)))]
pub(crate) async fn shared(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let key = BetKey::Token(ShareToken::parse(&path).ok_or_else(Problem::bet_not_found)?);
    let found = seen(&state, key, Some(user.actor()), None).await?;
    let viewer = Viewer { with_token: found.with_token, ..Viewer::user(user.actor(), state.app.now()) };
    Ok(HttpResponse::Ok().json(BetJson::of(&found.view, viewer)))
}

/// Returns the history of a bet, and the next step of the clock if nobody acts.
#[utoipa::path(get, path = "/api/bets/{key}/timeline", operation_id = "getBetTimeline", tag = "bets",
    params(("key" = String, Path), ("token" = Option<String>, Query)),
    responses((status = 200, description = "The history of the bet, and the next step of the clock",
        body = TimelineJson)))]
pub(crate) async fn timeline(
    request: HttpRequest,
    state: web::Data<State>,
    viewer: MaybeSignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let bet = seen(&state, key(&path)?, viewer.actor(), token(&request)).await?.view.bet;
    let id = bet.id;
    let is_visitor = viewer.actor().is_none();
    let events = read_public(&state, is_visitor, move |app| app.queries().events(id)).await?;
    Ok(HttpResponse::Ok().json(TimelineJson::of(&bet, events, is_concerned(&bet, viewer.actor()))))
}
