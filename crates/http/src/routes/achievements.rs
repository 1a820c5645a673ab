use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_achievements::CATALOGUE;
use serde::Deserialize;
use serde::de::IgnoredAny;
use utoipa::ToSchema;

use crate::body::Body;
use crate::dto::{AchievementJson, DoneJson};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond};
use crate::reads::read;
use crate::server::State;
use crate::session::SignedIn;

/// The achievement whose reward is claimed. The server knows the amount.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimJson {
    achievement_id: String,
    /// Ignored.
    #[serde(rename = "rewardBolts")]
    #[schema(value_type = Option<i64>)]
    _reward_bolts: IgnoredAny,
}

/// Returns every achievement with the user's progress.
#[utoipa::path(get, path = "/api/achievements", operation_id = "listAchievements", tag = "achievements",
    responses((status = 200, description = "All achievements, with the user's progress",
        body = Vec<AchievementJson>)))]
pub(crate) async fn list(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let view = read(&state, move |queries| queries.achievements(user.0.id)).await?;
    let all: Vec<AchievementJson> = CATALOGUE.iter().map(|one| AchievementJson::of(one, &view)).collect();
    Ok(HttpResponse::Ok().json(all))
}

/// Claims the reward of an achievement that the user has reached. A second claim moves nothing.
#[utoipa::path(post, path = "/api/achievements/claim-reward", operation_id = "claimAchievementReward", tag = "achievements",
    request_body = ClaimJson,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The reward is the user's", body = DoneJson)))]
pub(crate) async fn claim(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (ClaimJson { achievement_id, .. }, mut errors, bytes) = body.read().await?;
    errors.require("achievementId", &achievement_id, "Name the achievement");
    errors.finish()?;
    let render = |_: &()| json(&DoneJson { ok: true });
    let idempotency = idempotent(&request, user.0.id, &bytes, render)?;
    let reply = state.app.claim_reward(user.0.id, &achievement_id, idempotency).await?;
    Ok(respond(StatusCode::OK, reply, render))
}
