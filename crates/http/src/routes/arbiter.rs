//! The calls of a bet's arbiter.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_bets::Outcome;
use bolts_usecases::bets::arbiters_note;
use serde::Deserialize;
use utoipa::ToSchema;

use super::bet_actions::{as_seen_by, id_of, of_a_bet};
use crate::body::Body;
use crate::dto::{BetJson, Viewer};
use crate::error::Problem;
use crate::idempotency::{idempotent, respond};
use crate::server::State;
use crate::session::SignedIn;

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
    let (actor, bet) = (user.actor(), id_of(&path)?);
    let asked = async {
        let (InvitationJson { accept }, mut errors, _) = body.read().await?;
        let accept = errors.known("accept", accept, "Say whether you accept the invitation");
        errors.finish_with(accept)
    };
    let accept = of_a_bet(&state, actor, bet, asked).await?;
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
    let (actor, bet) = (user.actor(), id_of(&path)?);
    let render = as_seen_by(Viewer::user(actor, state.app.now()));
    let asked = async {
        let (ArbitersRulingJson { outcome, note }, mut errors, bytes) = body.read().await?;
        let outcome = errors.known("outcome", Outcome::parse(&outcome), "The outcome must be A, B or void");
        let note = errors.judge(arbiters_note(&note));
        let (outcome, note) = errors.finish_with(outcome.zip(note))?;
        Ok((outcome, note, idempotent(&request, actor.user, &bytes, render)?))
    };
    let (outcome, note, idempotency) = of_a_bet(&state, actor, bet, asked).await?;
    let reply = state.app.rule_as_arbiter(actor, bet, outcome, note, idempotency).await?;
    Ok(respond(StatusCode::OK, reply, render))
}
