use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::rt::System;
use actix_web::{HttpRequest, HttpResponse, rt, web};
use bolts_kernel::{Amount, DepositId};
use bolts_wallet::{Deposit, deposit_amount, test_amount};
use serde::Deserialize;
use tracing::Instrument;
use utoipa::ToSchema;

use crate::body::Body;
use crate::dto::{AddedSatsJson, DepositStatusJson, DoneJson, InvoiceJson};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond};
use crate::reads::read;
use crate::server::State;
use crate::session::SignedIn;

/// A number of sats.
#[derive(Deserialize, ToSchema)]
pub(crate) struct DepositJson {
    #[schema(minimum = 100, maximum = 50_000)]
    amount: i64,
}

/// A number of test sats.
#[derive(Deserialize, ToSchema)]
pub(crate) struct TestDepositJson {
    #[schema(minimum = 1, maximum = 50_000)]
    amount: i64,
}

/// Creates an invoice. Its payment adds the sats to the user's balance.
#[utoipa::path(post, path = "/api/deposit/create-invoice", operation_id = "createDepositInvoice", tag = "wallet",
    request_body = DepositJson,
    responses((status = 201, description = "The invoice to be paid", body = InvoiceJson)))]
pub(crate) async fn create(
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (DepositJson { amount }, errors, _) = body.read().await?;
    let amount = errors.finish_judging(deposit_amount(amount))?;
    // The task continues if the client disconnects. So every invoice that the provider has created is stored
    // and counts towards the user's limit.
    let wallets = state.wallets.clone();
    let created = async move { wallets.create_deposit(user.0.id, amount).await };
    let created = rt::spawn(created.in_current_span()).await;
    let deposit = created.map_err(|_| Problem::internal())??;
    Ok(HttpResponse::Created().json(InvoiceJson::of(&deposit, state.wallets.sats())))
}

/// Asks the provider about a deposit, and returns the state of the deposit.
#[utoipa::path(get, path = "/api/deposit/check-status/{id}", operation_id = "getDepositStatus", tag = "wallet",
    params(("id" = String, Path)),
    responses((status = 200, description = "Whether the deposit was paid", body = DepositStatusJson)))]
pub(crate) async fn status(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let found = find(&state, &path).await?;
    let deposit = state.wallets.check_deposit(user.0.id, found).await?;
    let deposit = deposit.ok_or_else(Problem::deposit_not_found)?;
    Ok(HttpResponse::Ok().json(DepositStatusJson::of(&deposit, state.app.now())))
}

async fn find(state: &web::Data<State>, id: &str) -> Result<Option<Deposit>, Problem> {
    let Ok(id) = id.parse::<DepositId>() else { return Ok(None) };
    read(state, move |queries| queries.deposit(id)).await
}

/// Receives a webhook about a deposit, from the provider or any other sender. The body is ignored, and the server asks the
/// provider. The answer is the same for every id.
#[utoipa::path(post, path = "/api/deposit/webhook/{id}", operation_id = "notifyDeposit", tag = "wallet",
    params(("id" = String, Path)),
    responses((status = 200, description = "The provider will be asked about the deposit", body = DoneJson)))]
pub(crate) async fn webhook(
    state: web::Data<State>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let found = find(&state, &path).await?;
    let id = found.as_ref().map(|deposit| deposit.id);
    let wait = state.wallets.hear_of_deposit(found).await?;
    if let (Some(id), Some(wait)) = (id, wait) {
        look_later(&state, id, wait);
    }
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Looks the deposit up at the provider after `wait`, because the last look-up was only a moment ago. The task does
/// not run on the thread of this request, because that thread may end first. If the server stops, a scheduled look-up
/// finds the payment after the next start.
fn look_later(state: &web::Data<State>, id: DepositId, wait: Duration) {
    let wallets = state.wallets.clone();
    System::current().arbiter().spawn(async move {
        let mut next = Some(wait);
        while let Some(wait) = next {
            rt::time::sleep(wait).await;
            next = wallets.look_for_webhook(id).await.unwrap_or_else(|error| {
                tracing::warn!(%error, deposit = %id, "a deposit waits for the next look at the provider's list");
                None
            });
        }
    });
}

/// Adds test sats without a payment. Only on a site with test sats.
#[utoipa::path(post, path = "/api/deposit/test-add", operation_id = "addTestSats", tag = "wallet",
    request_body = TestDepositJson,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, description = "The number of added test sats", body = AddedSatsJson)))]
pub(crate) async fn test_add(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (TestDepositJson { amount }, errors, bytes) = body.read().await?;
    let amount = errors.finish_judging(test_amount(amount))?;
    let render = |amount: &Amount| json(&AddedSatsJson { amount: amount.get() });
    let idempotency = idempotent(&request, user.0.id, &bytes, render)?;
    let reply = state.wallets.add_test_sats(user.0.id, amount, idempotency).await?;
    Ok(respond(StatusCode::OK, reply, render))
}
