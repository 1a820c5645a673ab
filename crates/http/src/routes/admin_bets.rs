use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_bets::Outcome;
use bolts_ports::BetView;
use bolts_usecases::admin::ruling_note;
use serde::Deserialize;
use utoipa::ToSchema;

use super::bet_actions::{as_seen_by, id_of, of_a_bet};
use crate::body::Body;
use crate::dto::{BetJson, DoneJson, RefundJson, Viewer};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond};
use crate::paging::list_query;
use crate::reads::read;
use crate::server::State;
use crate::session::Admin;

/// An admin's decision on a dispute.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RulingJson {
    #[schema(schema_with = crate::dto::settling_schema)]
    outcome: String,
    /// The reason, which the parties read.
    #[schema(max_length = 2000)]
    note: Option<String>,
}

/// Lists the disputes that wait for a ruling, the longest wait first.
#[utoipa::path(get, path = "/api/admin/disputes", operation_id = "listDisputes", tag = "admin", params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of the bets that wait for a ruling",
        body = Vec<BetJson>)))]
pub(crate) async fn disputes(
    request: HttpRequest,
    state: web::Data<State>,
    admin: Admin,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &[])?;
    let page = query.page;
    let page = read(&state, move |queries| queries.disputes(page)).await?;
    let viewer = Viewer::of_list(Some(admin.actor()), state.app.now());
    Ok(query.respond(&request, page.next, page.items.iter().map(|view| BetJson::of(view, viewer))))
}

/// Decides a dispute.
#[utoipa::path(post, path = "/api/admin/bets/{key}/rule", operation_id = "ruleBet", tag = "admin",
    request_body = RulingJson,
    params(("key" = String, Path), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The bet, settled as ruled", body = BetJson)))]
pub(crate) async fn rule(
    request: HttpRequest,
    state: web::Data<State>,
    admin: Admin,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (actor, bet) = (admin.actor(), id_of(&path)?);
    let render = as_seen_by(Viewer::user(actor, state.app.now()));
    let asked = async {
        let (RulingJson { outcome, note }, mut errors, bytes) = body.read().await?;
        let outcome = errors.known("outcome", Outcome::parse(&outcome), "The outcome must be A, B or void");
        let note = errors.judge(ruling_note(&note.unwrap_or_default()));
        let (outcome, note) = errors.finish_with(outcome.zip(note))?;
        Ok((outcome, note, idempotent(&request, actor.user, &bytes, render)?))
    };
    let (outcome, note, idempotency) = of_a_bet(&state, actor, bet, asked).await?;
    let reply = state.app.rule_on_bet(actor, bet, outcome, note, idempotency).await?;
    Ok(respond(StatusCode::OK, reply, render))
}

/// Lists all bets, with private bets, latest first.
#[utoipa::path(get, path = "/api/admin/bets", operation_id = "listAllBets", tag = "admin",
    params(("status" = Option<String>, Query),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of all bets, newest first", body = Vec<BetJson>)))]
pub(crate) async fn bets(
    request: HttpRequest,
    state: web::Data<State>,
    admin: Admin,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &["status"])?;
    let (status, page) = (query.filter.status, query.page);
    let page = read(&state, move |queries| queries.all_bets(status, page)).await?;
    let viewer = Viewer::of_list(Some(admin.actor()), state.app.now());
    Ok(query.respond(&request, page.next, page.items.iter().map(|view| BetJson::of(view, viewer))))
}

/// Gives back every stake of a bet.
#[utoipa::path(post, path = "/api/admin/bets/{key}/refund", operation_id = "refundBet", tag = "admin",
    params(("key" = String, Path), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The refund, and the bet", body = RefundJson)))]
pub(crate) async fn refund(
    request: HttpRequest,
    state: web::Data<State>,
    admin: Admin,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let (actor, bet) = (admin.actor(), id_of(&path)?);
    let viewer = Viewer::user(actor, state.app.now());
    let render = move |view: &BetView| json(&RefundJson::of(view, viewer));
    let asked = async { idempotent(&request, actor.user, &[], render) };
    let idempotency = of_a_bet(&state, actor, bet, asked).await?;
    let reply = state.app.refund_bet(actor, bet, idempotency).await?;
    Ok(respond(StatusCode::OK, reply, render))
}

/// Removes a bet from all lists and pages. Stakes in escrow go back to their owners.
#[utoipa::path(delete, path = "/api/admin/bets/{key}", operation_id = "deleteBetAsAdmin", tag = "admin",
    params(("key" = String, Path)),
    responses((status = 200, description = "The bet is deleted, and every stake in escrow is back",
        body = DoneJson)))]
pub(crate) async fn remove(
    state: web::Data<State>,
    admin: Admin,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    state.app.remove_bet(admin.actor(), id_of(&path)?).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}
