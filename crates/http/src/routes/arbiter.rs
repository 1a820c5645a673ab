//! The calls of a bet's arbiter, and the search for a user who may be one.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_bets::Outcome;
use bolts_kernel::FieldError;
use bolts_usecases::bets::arbiters_note;
use serde::Deserialize;
use utoipa::ToSchema;

use super::bet_actions::{as_seen_by, bet_of};
use crate::body::Body;
use crate::dto::{BetJson, NamedUserJson, Viewer};
use crate::error::Problem;
use crate::idempotency::{idempotent, respond};
use crate::reads::read;
use crate::server::State;
use crate::session::SignedIn;

/// The maximum number of users that a search returns.
const MOST_FOUND: u32 = 8;

/// The answer to the invitation to be the arbiter.
#[derive(Deserialize, ToSchema)]
pub(crate) struct InvitationJson {
    /// `false` declines the invitation. After an acceptance it gives the task up.
    #[schema(value_type = bool)]
    accept: Option<bool>,
}

/// The arbiter's decision on a dispute.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ArbitersRulingJson {
    #[schema(schema_with = crate::dto::settling_schema)]
    outcome: String,
    /// The reason, which the parties read.
    #[schema(min_length = 1, max_length = 2000)]
    note: String,
}

/// Answers the invitation to be the arbiter of a bet, or gives the task up.
#[utoipa::path(post, path = "/api/bets/{key}/arbiter", operation_id = "answerInvitation", tag = "bets",
    request_body = InvitationJson,
    params(("key" = String, Path)),
    responses((status = 200, description = "The bet after the answer", body = BetJson)))]
pub(crate) async fn answer(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let actor = user.actor();
    let bet = bet_of(&state, actor, &path).await?;
    let (InvitationJson { accept }, mut errors, _) = body.read().await?;
    let accept = errors.known("accept", accept, "Whether the invitation is accepted is required");
    let accept = errors.finish_with(accept)?;
    let reply = state.app.answer_invitation(actor, bet, accept).await?;
    Ok(respond(StatusCode::OK, reply, as_seen_by(Viewer::user(actor, state.app.now()))))
}

/// Decides a dispute as the arbiter of the bet.
#[utoipa::path(post, path = "/api/bets/{key}/rule", operation_id = "ruleAsArbiter", tag = "bets",
    request_body = ArbitersRulingJson,
    params(("key" = String, Path), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The bet, settled as ruled", body = BetJson)))]
pub(crate) async fn rule(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let actor = user.actor();
    let bet = bet_of(&state, actor, &path).await?;
    let (ArbitersRulingJson { outcome, note }, mut errors, bytes) = body.read().await?;
    let outcome = errors.known("outcome", Outcome::parse(&outcome), "The outcome must be A, B or void");
    let note = errors.judge(arbiters_note(&note));
    let (outcome, note) = errors.finish_with(outcome.zip(note))?;
    let render = as_seen_by(Viewer::user(actor, state.app.now()));
    let idempotency = idempotent(&request, actor.user, &bytes, render)?;
    let reply = state.app.rule_as_arbiter(actor, bet, outcome, note, idempotency).await?;
    Ok(respond(StatusCode::OK, reply, render))
}

/// The beginning of a username in the parameter `q`: 1 to 20 letters, digits or underscores.
fn beginning(request: &HttpRequest) -> Result<String, Problem> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(request.query_string());
    let found = pairs.ok().and_then(|pairs| pairs.into_inner().into_iter().find(|(name, _)| name == "q"));
    let text = found.map(|(_, text)| text).unwrap_or_default();
    let fits = (1..=20).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let message = "Type 1 to 20 letters, digits or underscores";
    if fits { Ok(text) } else { Err(Problem::invalid(vec![FieldError::new("q", message)])) }
}

/// Finds users by the beginning of their usernames, at most 8.
#[utoipa::path(get, path = "/api/users/search", operation_id = "searchUsers", tag = "accounts",
    params(("q" = String, Query, min_length = 1, max_length = 20, pattern = "^[A-Za-z0-9_]*$")),
    responses((status = 200, description = "The users in the order of their usernames, without the reader",
        body = Vec<NamedUserJson>)))]
pub(crate) async fn search(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let reader = user.actor().user;
    state.app.count_search(reader)?;
    let beginning = beginning(&request)?;
    let mut found = read(&state, move |queries| queries.users_named(&beginning, MOST_FOUND + 1)).await?;
    found.retain(|user| user.id != reader);
    found.truncate(MOST_FOUND as usize);
    Ok(HttpResponse::Ok().json(found.into_iter().map(NamedUserJson::from).collect::<Vec<_>>()))
}
