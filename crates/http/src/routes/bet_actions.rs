use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_bets::{Method, Outcome, ShareToken, Side};
use bolts_kernel::BetId;
use bolts_ports::{BetKey, BetView};
use bolts_resolution::Answer;
use bolts_usecases::Actor;
use bolts_usecases::bets::{Accept, AcceptKey, dispute_reason, is_token_of};
use serde::Deserialize;
use utoipa::ToSchema;

use super::bets::seen;
use crate::body::{Body, FieldErrors};
use crate::dto::{BetJson, DoneJson, ProposedJson, Viewer};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond as reply_with};
use crate::server::State;
use crate::session::SignedIn;

/// The bet to accept: `{betId, chosenOption, shareToken?}` or `{shareToken, option}`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"betId": "0198f3c2a1b07c3e9d4f5a6b7c8d9e0f", "chosenOption": "B"}))]
pub(crate) struct AcceptJson {
    bet_id: Option<String>,
    #[schema(schema_with = crate::dto::side_schema)]
    chosen_option: Option<String>,
    share_token: Option<String>,
    #[schema(schema_with = crate::dto::side_schema)]
    option: Option<String>,
}

/// The outcome that is proposed or declared.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"winningOption": "A"}))]
pub(crate) struct ProposalJson {
    #[schema(schema_with = crate::dto::settling_schema)]
    winning_option: String,
}

/// The answer to a proposal.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"accept": true}))]
pub(crate) struct AnswerJson {
    #[schema(value_type = bool)]
    accept: Option<bool>,
    /// The proposal that the user answers. The call is refused if another proposal stands.
    proposal_id: Option<String>,
}

/// The reason of a dispute.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({"reason": "The report says that no snow fell."}))]
pub(crate) struct DisputeJson {
    #[schema(min_length = 1, max_length = 2000)]
    reason: String,
}

/// Reads the bet and the chosen side. The request names the bet by its id, by a share token, or by both
/// (`docs/http-api.md#bets`).
fn accept_of(typed: AcceptJson, mut errors: FieldErrors) -> Result<Accept, Problem> {
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    let (bet, shown, chosen) = (given(typed.bet_id), given(typed.share_token), given(typed.chosen_option));
    let field = if chosen.is_none() && bet.is_none() { "option" } else { "chosenOption" };
    if chosen.is_some() {
        errors.ignore("option");
    }
    let option = chosen.or(typed.option).as_deref().and_then(Side::parse);
    let option = errors.known(field, option, "The chosen option must be A or B");
    if bet.is_none() && shown.is_none() {
        errors.wrong("betId", "Say which bet to accept");
    }
    let option = errors.finish_with(option)?;
    let token = shown.as_deref().and_then(ShareToken::parse);
    let key = match bet {
        None => AcceptKey::Token(token.ok_or_else(Problem::bet_not_found)?),
        Some(bet) => AcceptKey::Id(bet.parse().map_err(|_| Problem::bet_not_found())?, token),
    };
    Ok(Accept { key, option })
}

/// Takes the other side of a bet.
#[utoipa::path(post, path = "/api/bets/accept", operation_id = "acceptBet", tag = "bets",
    request_body = AcceptJson,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The bet, accepted", body = BetJson)))]
pub(crate) async fn accept(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let actor = user.actor();
    let (typed, errors, bytes) = body.read().await?;
    let accept = accept_of(typed, errors)?;
    let shown = match &accept.key {
        AcceptKey::Token(token) | AcceptKey::Id(_, Some(token)) => Some(token.clone()),
        AcceptKey::Id(_, None) => None,
    };
    let viewer = Viewer::user(actor, state.app.now());
    let render = move |view: &BetView| {
        let with_token = is_token_of(&view.bet, shown.as_ref());
        json(&BetJson::of(view, Viewer { with_token, ..viewer }))
    };
    let idempotency = idempotent(&request, actor.user, &bytes, render.clone())?;
    let reply = state.app.accept_bet(actor, accept, idempotency).await?;
    Ok(reply_with(StatusCode::OK, reply, render))
}

/// Reads the bet's id from the path. The action checks that the user may see the bet.
pub(super) fn id_of(path: &web::Path<String>) -> Result<BetId, Problem> {
    path.parse().map_err(|_| Problem::bet_not_found())
}

/// A request about a bet, without its errors if the user may not see the bet: a 404 comes before errors of the body. A right
/// request costs no statement here.
pub(super) async fn of_a_bet<T>(
    state: &web::Data<State>,
    actor: Actor,
    bet: BetId,
    asked: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let asked = asked.await;
    if asked.is_err() {
        seen(state, BetKey::Id(bet), Some(actor), None).await?;
    }
    asked
}

pub(crate) fn as_seen_by(viewer: Viewer) -> impl Fn(&BetView) -> String + Copy + Send + Sync + 'static {
    move |view: &BetView| json(&BetJson::of(view, viewer))
}

/// Deletes a pending bet. The stake goes back to its creator.
#[utoipa::path(delete, path = "/api/bets/{key}", operation_id = "deleteBet", tag = "bets",
    params(("key" = String, Path)),
    responses((status = 200, description = "The bet is deleted, and the stake went back to its creator", body = DoneJson)))]
pub(crate) async fn remove(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    state.app.delete_bet(user.actor(), id_of(&path)?).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Opens the resolution: 'End Bet Early' for the creator, 'Resolve Expired Bet' for the acceptor.
#[utoipa::path(post, path = "/api/bets/{key}/early-resolution", operation_id = "endBetEarly", tag = "bets",
    params(("key" = String, Path)),
    responses((status = 200, description = "The bet, waiting for its outcome", body = BetJson)))]
pub(crate) async fn end_early(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let actor = user.actor();
    let reply = state.app.end_bet_early(actor, id_of(&path)?).await?;
    Ok(reply_with(StatusCode::OK, reply, as_seen_by(Viewer::user(actor, state.app.now()))))
}

/// Proposes an outcome, or declares it under Manual Verification.
#[utoipa::path(post, path = "/api/bets/{key}/propose-resolution", operation_id = "proposeOutcome", tag = "bets",
    request_body = ProposalJson,
    params(("key" = String, Path), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The result of the proposal, and the bet", body = ProposedJson)))]
pub(crate) async fn propose(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (actor, bet) = (user.actor(), id_of(&path)?);
    let viewer = Viewer::user(actor, state.app.now());
    let render = move |view: &BetView| {
        let message = match view.bet.terms.method {
            Method::ManualVerification => {
                "Bet resolved by Manual Verification. The declared outcome is final."
            }
            Method::MutualAgreement => "The other side has been asked to accept or reject it.",
        };
        json(&ProposedJson { message, bet: BetJson::of(view, viewer) })
    };
    let asked = async {
        let (ProposalJson { winning_option }, mut errors, bytes) = body.read().await?;
        let outcome = Outcome::parse(&winning_option);
        let outcome = errors.known("winningOption", outcome, "Winning option must be A, B or void");
        Ok((errors.finish_with(outcome)?, idempotent(&request, actor.user, &bytes, render)?))
    };
    let (outcome, idempotency) = of_a_bet(&state, actor, bet, asked).await?;
    let reply = state.app.propose_outcome(actor, bet, outcome, idempotency).await?;
    Ok(reply_with(StatusCode::OK, reply, render))
}

/// Accepts or rejects the standing proposal.
#[utoipa::path(post, path = "/api/bets/{key}/respond-resolution", operation_id = "answerProposal", tag = "bets",
    request_body = AnswerJson,
    params(("key" = String, Path), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The bet after the answer", body = BetJson)))]
pub(crate) async fn respond(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (actor, bet) = (user.actor(), id_of(&path)?);
    let render = as_seen_by(Viewer::user(actor, state.app.now()));
    let asked = async {
        let (AnswerJson { accept, proposal_id }, mut errors, bytes) = body.read().await?;
        let accept = errors.known("accept", accept, "Say whether you accept the outcome");
        let named = proposal_id.filter(|id| !id.is_empty()).map(|id| id.parse());
        let named = named.transpose().unwrap_or_else(|_| {
            errors.wrong("proposalId", "This is no proposal's id");
            None
        });
        let answer = if errors.finish_with(accept)? { Answer::Accept } else { Answer::Reject };
        Ok((answer, named, idempotent(&request, actor.user, &bytes, render)?))
    };
    let (answer, named, idempotency) = of_a_bet(&state, actor, bet, asked).await?;
    let reply = state.app.respond_to_proposal(actor, bet, answer, named, idempotency).await?;
    Ok(reply_with(StatusCode::OK, reply, render))
}

/// Opens a dispute, on which the arbiter or an admin rules.
#[utoipa::path(post, path = "/api/bets/{key}/dispute", operation_id = "disputeBet", tag = "bets",
    request_body = DisputeJson,
    params(("key" = String, Path)),
    responses((status = 200, description = "The bet, disputed", body = BetJson)))]
pub(crate) async fn dispute(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (actor, bet) = (user.actor(), id_of(&path)?);
    let asked = async {
        let (DisputeJson { reason }, errors, _) = body.read().await?;
        errors.finish_judging(dispute_reason(&reason))
    };
    let reason = of_a_bet(&state, actor, bet, asked).await?;
    let reply = state.app.dispute_bet(actor, bet, reason).await?;
    Ok(reply_with(StatusCode::OK, reply, as_seen_by(Viewer::user(actor, state.app.now()))))
}
