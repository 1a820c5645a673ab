use actix_web::http::StatusCode;
use actix_web::rt::System;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_kernel::WithdrawalId;
use bolts_usecases::Reply;
use bolts_usecases::wallet::{Destination, Withdraw};
use bolts_wallet::{Withdrawal, withdrawal_amount};
use serde::Deserialize;
use tracing::Instrument;
use utoipa::ToSchema;

use crate::body::{Body, FieldErrors};
use crate::dto::{QuoteJson, TestInvoiceJson, WithdrawalJson};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond};
use crate::paging::list_query;
use crate::reads::read;
use crate::server::State;
use crate::session::{SignedIn, requester};

/// The destination: an invoice with an amount, or a Lightning address with a number of sats.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DestinationJson {
    /// BOLT 11.
    invoice: Option<String>,
    lightning_address: Option<String>,
    /// In sats. Only with an address.
    #[schema(minimum = 100, maximum = 100_000_000)]
    amount: Option<i64>,
}

/// A new withdrawal.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"lightningAddress": "ann@example.com", "amount": 1000, "password": "secret"}))]
pub(crate) struct NewWithdrawalJson {
    /// BOLT 11.
    invoice: Option<String>,
    lightning_address: Option<String>,
    /// In sats. Only with an address.
    #[schema(minimum = 100, maximum = 100_000_000)]
    amount: Option<i64>,
    /// The user's password.
    #[schema(format = Password)]
    password: String,
}

/// Previews a withdrawal. Nothing is held, and no other server is asked.
#[utoipa::path(post, path = "/api/withdrawals/quote", operation_id = "quoteWithdrawal", tag = "wallet",
    request_body = DestinationJson,
    responses((status = 200, description = "The preview of the withdrawal", body = QuoteJson)))]
pub(crate) async fn quote(
    state: web::Data<State>,
    _user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<DestinationJson>().await?;
    let destination = destination(typed, &mut errors);
    let destination = errors.finish_with(destination)?;
    let wallets = state.wallets.clone();
    let quote = read(&state, move |_| Ok(wallets.look_at_destination(&destination))).await??;
    Ok(HttpResponse::Ok().json(QuoteJson::from(quote)))
}

/// Holds the sats of a withdrawal and begins to pay it.
#[utoipa::path(post, path = "/api/withdrawals", operation_id = "createWithdrawal", tag = "wallet",
    request_body = NewWithdrawalJson,
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 201, description = "The withdrawal, its sats held", body = WithdrawalJson)))]
pub(crate) async fn create(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, mut errors, _) = body.read::<NewWithdrawalJson>().await?;
    let NewWithdrawalJson { invoice, lightning_address, amount, password } = typed;
    let destination = destination(DestinationJson { invoice, lightning_address, amount }, &mut errors);
    errors.require_password("password", &password, "Your password is required");
    let destination = errors.finish_with(destination)?;
    let now = state.app.now();
    let render = move |withdrawal: &Withdrawal| json(&WithdrawalJson::of(withdrawal, now));
    // The idempotency key covers only the destination, because a hash of the password must not be stored.
    let idempotency = idempotent(&request, user.0.id, sameness(&destination).as_bytes(), render)?;
    let owner = requester(user.0, &request);
    let reply = state.wallets.withdraw(Withdraw { owner, password, destination }, idempotency).await?;
    if let Reply::Done(withdrawal) = &reply {
        send(&state, withdrawal.id);
    }
    Ok(respond(StatusCode::CREATED, reply, render))
}

/// Starts a task that pays a new withdrawal. If the task is lost, the next sweep pays the withdrawal. The task
/// does not run on the thread of this request, because that thread may end in the middle of a payment.
fn send(state: &web::Data<State>, id: WithdrawalId) {
    let wallets = state.wallets.clone();
    let sent = async move {
        if let Err(error) = wallets.move_on(id).await {
            tracing::warn!(%error, withdrawal = %id, "a withdrawal waits for the next sweep");
        }
    };
    System::current().arbiter().spawn(sent.in_current_span());
}

/// The amount of a test invoice.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewTestInvoiceJson {
    #[schema(minimum = 100, maximum = 100_000_000)]
    amount: i64,
}

/// Creates a regtest invoice for trying a withdrawal. Only on a site with test sats. Its payment credits no user.
#[utoipa::path(post, path = "/api/withdrawals/test-invoice", operation_id = "createTestInvoice", tag = "wallet",
    request_body = NewTestInvoiceJson,
    responses((status = 201, description = "The invoice", body = TestInvoiceJson)))]
pub(crate) async fn test_invoice(
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (NewTestInvoiceJson { amount }, errors, _) = body.read().await?;
    let amount = errors.finish_judging(withdrawal_amount(amount))?;
    let made = state.wallets.test_invoice(user.0.id, amount).await?;
    Ok(HttpResponse::Created().json(TestInvoiceJson::from(made)))
}

/// Reads the destination of a withdrawal. The request must contain either an invoice or a Lightning address.
fn destination(typed: DestinationJson, errors: &mut FieldErrors) -> Option<Destination> {
    let invoice = typed.invoice.unwrap_or_default().trim().to_owned();
    let address = typed.lightning_address.unwrap_or_default().trim().to_owned();
    if address.is_empty() || !invoice.is_empty() {
        errors.ignore("amount");
    }
    match (invoice.is_empty(), address.is_empty()) {
        (false, true) => Some(Destination::Invoice(invoice)),
        (true, false) => {
            let amount = errors.known("amount", typed.amount, "Amount is required");
            let amount = errors.judge(withdrawal_amount(amount?));
            amount.map(|amount| Destination::Address(address, amount))
        }
        (true, true) => {
            errors.wrong("invoice", "Paste an invoice or a Lightning address");
            None
        }
        (false, false) => {
            errors.wrong("lightningAddress", "Give an invoice or a Lightning address, not both");
            None
        }
    }
}

/// The text that the idempotency key covers. Requests with one key are repeats if their texts are equal.
fn sameness(destination: &Destination) -> String {
    match destination {
        Destination::Invoice(invoice) => format!("invoice {invoice}"),
        Destination::Address(address, amount) => format!("address {address} {}", amount.get()),
    }
}

/// Lists the user's withdrawals, latest first.
#[utoipa::path(get, path = "/api/withdrawals", operation_id = "listWithdrawals", tag = "wallet", params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of the user's withdrawals, latest first",
        body = Vec<WithdrawalJson>)))]
pub(crate) async fn list(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &[])?;
    let (page, owner, now) = (query.page, user.0.id, state.app.now());
    let page = read(&state, move |queries| queries.withdrawals_of(owner, page)).await?;
    Ok(query.respond(
        &request,
        page.next,
        page.items.iter().map(|withdrawal| WithdrawalJson::of(withdrawal, now)),
    ))
}

/// Returns one of the user's withdrawals.
#[utoipa::path(get, path = "/api/withdrawals/{id}", operation_id = "getWithdrawal", tag = "wallet",
    params(("id" = String, Path)),
    responses((status = 200, description = "The withdrawal", body = WithdrawalJson)))]
pub(crate) async fn show(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = path.parse::<WithdrawalId>().map_err(|_| Problem::withdrawal_not_found())?;
    let found = read(&state, move |queries| queries.withdrawal(id)).await?;
    let own = found.filter(|withdrawal| withdrawal.user == user.0.id);
    let own = own.ok_or_else(Problem::withdrawal_not_found)?;
    Ok(HttpResponse::Ok().json(WithdrawalJson::of(&own, state.app.now())))
}
