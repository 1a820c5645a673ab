//! The HTTP interface of LNbits 1.6: `/api/v1/payments`, `/api/v1/wallet`.

use std::time::Duration;

use bolts_kernel::Timestamp;
use lightning_invoice::SignedRawBolt11Invoice;
use serde_json::{Value, json};

use super::books::{Books, Own, Record, Status};
use super::fault::{Call, Fault};
use super::invoices::{self, Wanted, now};
use super::server::{Reply, Request};
use super::{ADMIN_KEY, INVOICE_KEY, text};

const PAYMENTS: &str = "/api/v1/payments";

/// Returns the kind of call of a request, or the answer that refuses a request with a wrong key or path.
pub(super) fn recognise(request: &Request, books: &Books) -> Result<Call, Reply> {
    let key = request.header("x-api-key");
    let is_admin = key == Some(ADMIN_KEY);
    let known = if is_admin || key == Some(INVOICE_KEY) {
        Ok(())
    } else {
        let (status, detail) = key.map_or((401, "No Api Key provided."), |_| (404, "Wallet not found."));
        Err(refuse(status, detail))
    };
    let call = match (request.method.as_str(), request.path.as_str()) {
        ("POST", PAYMENTS) if request.body["out"] == json!(false) => Call::CreateInvoice,
        ("POST", PAYMENTS) if known.is_ok() && !is_admin => {
            return Err(refuse(403, "Invoice (or Admin) key required."));
        }
        ("POST", PAYMENTS) => Call::Pay,
        // Bolts asks for the wallet's identity with the admin key, and for its balance with the invoice key.
        ("GET", "/api/v1/wallet") if is_admin => Call::Introduce,
        ("GET", "/api/v1/wallet") => Call::Balance,
        ("GET", PAYMENTS) => Call::List,
        // LNbits requires no key for the fee reserve and for look-ups.
        ("GET", "/api/v1/payments/fee-reserve") => return Ok(Call::FeeReserve),
        ("GET", path) => match path.strip_prefix("/api/v1/payments/") {
            Some(hash) if books.invoices.contains_key(hash) => return Ok(Call::LookUpInvoice),
            Some(_) => return Ok(Call::LookUpPayment),
            None => return Err(refuse(404, "Not Found")),
        },
        _ => return Err(refuse(405, "Method Not Allowed")),
    };
    known.map(|()| call)
}

/// The payment hash that a request is about.
pub(super) fn subject(request: &Request) -> Option<String> {
    if request.method == "POST" {
        return decode(text(&request.body, "bolt11")).map(|(hash, _)| hash);
    }
    match request.query.strip_prefix("invoice=") {
        Some(invoice) => decode(invoice).map(|(hash, _)| hash),
        None => Some(named(request).to_owned()),
    }
}

/// Carries out a request and answers it.
pub(super) fn act(call: Call, request: &Request, books: &mut Books, fault: Option<Fault>) -> Reply {
    match call {
        Call::CreateInvoice => create(request, books, fault),
        Call::LookUpInvoice => show_invoice(request, books, fault),
        Call::FeeReserve => reserve(request, books),
        Call::Pay => pay(request, books, fault),
        Call::LookUpPayment => show_payment(request, books, fault),
        Call::Balance => Reply::json(200, &json!({ "name": "Bolts", "balance": books.balance })),
        Call::Introduce => {
            Reply::json(200, &json!({ "name": "Bolts", "balance": books.balance, "id": books.identity }))
        }
        Call::List => list(request, books),
    }
}

fn refuse(status: u16, detail: &str) -> Reply {
    Reply::json(status, &json!({ "detail": detail }))
}

fn error(detail: &str, status: &str) -> Reply {
    Reply::json(520, &json!({ "detail": detail, "status": status }))
}

/// A payment or an invoice in the JSON of LNbits. Outgoing amounts and fees are below 0.
fn payment(hash: &str, invoice: &str, amount: i64, fee: i64, status: &str, preimage: &Value) -> Value {
    json!({
        "checking_id": hash, "payment_hash": hash, "wallet_id": "0b5e55edb01d", "amount": amount, "fee": fee,
        "bolt11": invoice, "payment_request": invoice, "fiat_provider": null, "status": status, "memo": "coffee",
        "expiry": null, "webhook": null, "webhook_status": null, "preimage": preimage, "tag": null,
        "extension": null, "time": "2026-11-20T21:00:00+00:00", "created_at": "2026-11-20T21:00:00+00:00",
        "updated_at": "2026-11-20T21:00:00+00:00", "labels": [], "extra": {}, "external_id": null,
    })
}

/// Adds the recorded time, the field `extra` and the wallet's id to a payment in JSON.
fn listed(hash: &str, mut record: Value, books: &Books) -> Value {
    let made_at = books.times.get(hash).copied().unwrap_or_default();
    let micros = i64::try_from(made_at.as_micros()).unwrap_or_default();
    record["time"] = json!(Timestamp::from_micros(micros).expect("a time").to_string());
    record["extra"] = books.notes.get(hash).cloned().unwrap_or_else(|| json!({}));
    record["wallet_id"] = json!(books.identity);
    record
}

/// A page of the list of invoices and payments, latest first. LNbits does not list failed payments.
fn list(request: &Request, books: &Books) -> Reply {
    let asked = |name: &str| {
        let pairs = request.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    };
    let number = |name: &str, usual: usize| asked(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let invoices = books.invoices.iter().map(|(hash, own)| {
        let status = if own.received.is_some() { "success" } else { "pending" };
        let amount = own.received.unwrap_or(own.millisats);
        listed(hash, payment(hash, &own.invoice, amount, 0, status, &json!(own.preimage)), books)
    });
    let payments = books.payments.iter().filter(|(_, record)| record.status != Status::Failed);
    let payments = payments.map(|(hash, record)| listed(hash, shown(hash, record, books, None), books));
    let mut records: Vec<Value> = invoices.chain(payments).collect();
    records.retain(|record| asked("status").is_none_or(|status| record["status"] == status));
    let is_outgoing = |record: &Value| record["amount"].as_i64().is_some_and(|amount| amount < 0);
    records.retain(|record| asked("amount%5Blt%5D").is_none() || is_outgoing(record));
    records.sort_by(|one, other| other["time"].as_str().cmp(&one["time"].as_str()));
    let page: Vec<Value> = records.into_iter().skip(number("offset", 0)).take(number("limit", 10)).collect();
    Reply::json(200, &json!(page))
}

/// A hash that differs from this hash, for an answer with a wrong hash.
fn other(hex: &str) -> String {
    let flipped = if hex.starts_with('0') { "1" } else { "0" };
    format!("{flipped}{}", &hex[1..])
}

fn create(request: &Request, books: &mut Books, fault: Option<Fault>) -> Reply {
    let sats = request.body["amount"].as_u64().unwrap_or(0);
    let asked = if fault == Some(Fault::WrongAmount) { sats + 1 } else { sats };
    let lifetime = Duration::from_secs(request.body["expiry"].as_u64().unwrap_or(3_600));
    let wanted = Wanted {
        description: text(&request.body, "memo").to_owned(),
        lifetime: books.lifetime.unwrap_or(lifetime),
        made_at: now() - books.age,
        network: books.network,
        has_features: false,
        ..Wanted::sats(asked)
    };
    let made = invoices::make(&wanted);
    let millisats = i64::try_from(asked * 1_000).unwrap_or(0);
    let own = Own { invoice: made.text.clone(), millisats, received: None, preimage: made.preimage.clone() };
    if fault != Some(Fault::Forgotten) {
        books.invoices.insert(made.payment_hash.clone(), own);
    }
    books.times.insert(made.payment_hash.clone(), now());
    books.notes.insert(made.payment_hash.clone(), request.body["extra"].clone());
    if let Some(webhook) = request.body["webhook"].as_str() {
        books.webhooks.insert(made.payment_hash.clone(), webhook.to_owned());
    }
    let hash =
        if fault == Some(Fault::WrongHash) { other(&made.payment_hash) } else { made.payment_hash.clone() };
    let record = payment(&hash, &made.text, millisats, 0, "pending", &json!(made.preimage));
    Reply::json(201, &listed(&made.payment_hash, record, books))
}

/// The hash in the path of a look-up.
fn named(request: &Request) -> &str {
    request.path.rsplit('/').next().unwrap_or_default()
}

fn show_invoice(request: &Request, books: &Books, fault: Option<Fault>) -> Reply {
    let hash = named(request);
    let Some(own) = books.invoices.get(hash).filter(|_| fault != Some(Fault::Forgotten)) else {
        return refuse(404, "Payment does not exist.");
    };
    let shown = if fault == Some(Fault::WrongHash) { other(hash) } else { hash.to_owned() };
    // LNbits itself knows only the amount of the invoice. A test may record another received amount.
    let amount = own.received.unwrap_or(own.millisats);
    let amount = if fault == Some(Fault::WrongAmount) { amount / 2 } else { amount };
    let preimage = own.received.map(|_| own.preimage.as_str());
    let status = if own.received.is_some() { "success" } else { "pending" };
    let details = payment(&shown, &own.invoice, amount, 0, status, &json!(preimage));
    show(status, &json!(preimage), details, request)
}

/// The answer to a look-up. Like LNbits, the answer has no status at the top level if the invoice is paid, and
/// no details if the request has no known key.
fn show(status: &str, preimage: &Value, details: Value, request: &Request) -> Reply {
    let mut shown = json!({ "paid": status == "success" });
    if status != "failed" {
        shown["preimage"] = preimage.clone();
    }
    let knows = [Some(ADMIN_KEY), Some(INVOICE_KEY)].contains(&request.header("x-api-key"));
    if status != "success" && knows {
        shown["status"] = json!(status);
    }
    if knows {
        shown["details"] = details;
    }
    Reply::json(200, &shown)
}

fn usual_reserve(millisats: i64) -> i64 {
    (millisats / 100).max(2_000)
}

fn decode(invoice: &str) -> Option<(String, i64)> {
    let signed: SignedRawBolt11Invoice = invoice.parse().ok()?;
    let hash = signed.payment_hash()?.0.to_string();
    let millisats = signed.amount_pico_btc().map_or(0, |pico| pico / 10);
    Some((hash, i64::try_from(millisats).ok()?))
}

fn reserve(request: &Request, books: &Books) -> Reply {
    let invoice = request.query.strip_prefix("invoice=").unwrap_or_default();
    let Some((_, millisats)) = decode(invoice) else { return refuse(400, "Invalid bolt11 string.") };
    Reply::json(200, &json!({ "fee_reserve": books.reserve.unwrap_or_else(|| usual_reserve(millisats)) }))
}

fn pay(request: &Request, books: &mut Books, fault: Option<Fault>) -> Reply {
    let invoice = text(&request.body, "bolt11");
    let Some((hash, millisats)) = decode(invoice) else { return error("Bolt11 decoding failed.", "failed") };
    if millisats == 0 {
        return error("Amountless invoices not supported.", "failed");
    }
    let reserve = books.reserve.unwrap_or_else(|| usual_reserve(millisats));
    if books.balance < millisats {
        books.refused += 1;
        return error("Insufficient balance.", "failed");
    }
    if books.balance < millisats + reserve {
        books.refused += 1;
        let sats = reserve / 1_000;
        let words = format!("You must reserve at least ({sats}  sat) to cover potential routing fees.");
        return error(&words, "failed");
    }
    match books.payments.get(&hash).map(|record| record.status) {
        Some(Status::Pending) => return error("Payment is still pending.", "pending"),
        Some(Status::Paid) => return error("Payment already paid.", "success"),
        Some(Status::Failed) => return error("Payment is failed node, retrying is not possible.", "failed"),
        None => {}
    }
    books.notes.insert(hash.clone(), request.body["extra"].clone());
    let record = books.send(&hash, invoice, millisats, reserve).clone();
    let reply = shown(&hash, &record, books, fault);
    if fault == Some(Fault::Forgotten) {
        books.forget(&hash);
        return error("Unexpected error", "pending");
    }
    match record.status {
        Status::Failed => error("Payment failed: no route", "failed"),
        Status::Paid | Status::Pending => Reply::json(201, &reply),
    }
}

fn shown(hash: &str, record: &Record, books: &Books, fault: Option<Fault>) -> Value {
    let preimage = match record.status {
        Status::Paid if fault == Some(Fault::WrongPreimage) => json!("ab".repeat(32)),
        Status::Paid => json!(books.preimage(hash)),
        Status::Pending | Status::Failed => Value::Null,
    };
    let status = match record.status {
        Status::Paid => "success",
        Status::Pending => "pending",
        Status::Failed => "failed",
    };
    let hash = if fault == Some(Fault::WrongHash) { other(hash) } else { hash.to_owned() };
    let amount = if fault == Some(Fault::WrongAmount) { record.millisats / 2 } else { record.millisats };
    payment(&hash, &record.invoice, -amount, -record.fee, status, &preimage)
}

fn show_payment(request: &Request, books: &Books, fault: Option<Fault>) -> Reply {
    let hash = named(request);
    let Some(record) = books.payments.get(hash).filter(|_| fault != Some(Fault::Forgotten)) else {
        return refuse(404, "Payment does not exist.");
    };
    let details = shown(hash, record, books, fault);
    let (status, preimage) = (text(&details, "status").to_owned(), details["preimage"].clone());
    show(&status, &preimage, details, request)
}
