//! The REST interface of LND: `/v1/invoices`, `/v1/invoice`, `/v2/router`, `/v1/balance/channels`.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use lightning_invoice::{Currency, SignedRawBolt11Invoice};
use serde_json::{Value, json};

use super::books::{Books, Own, Record, Status};
use super::fault::{Call, Fault};
use super::invoices::{self, Wanted, now};
use super::server::{Reply, Request};
use super::{MACAROON, text};

/// Returns the kind of call of a request, or the answer that refuses a request with a wrong macaroon or path.
pub(super) fn recognise(request: &Request) -> Result<Call, Reply> {
    if request.header("grpc-metadata-macaroon") != Some(MACAROON) {
        return Err(Reply::json(
            500,
            &status(2, "verification failed: signature mismatch after caveat verification"),
        ));
    }
    match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/v1/invoices") => Ok(Call::CreateInvoice),
        // Bolts sends a request to pay without an invoice, to learn whether the macaroon allows payments.
        ("POST", "/v2/router/send") if request.body["payment_request"].is_null() => Ok(Call::Introduce),
        ("POST", "/v2/router/send") => Ok(Call::Pay),
        ("GET", "/v1/getinfo") => Ok(Call::Introduce),
        ("GET", "/v1/payments" | "/v1/invoices") => Ok(Call::List),
        ("GET", "/v1/balance/channels") => Ok(Call::Balance),
        ("GET", path) if path.starts_with("/v1/invoice/") => Ok(Call::LookUpInvoice),
        ("GET", path) if path.starts_with("/v2/router/track/") => Ok(Call::LookUpPayment),
        _ => Err(Reply::json(404, &status(5, "Not Found"))),
    }
}

/// The payment hash that a request is about.
pub(super) fn subject(request: &Request) -> Option<String> {
    if request.method == "POST" {
        let signed: SignedRawBolt11Invoice = text(&request.body, "payment_request").parse().ok()?;
        return signed.payment_hash().map(|hash| hash.0.to_string());
    }
    let named = request.path.rsplit('/').next().unwrap_or_default();
    Some(if request.path.starts_with("/v2") { hash_in_path(named) } else { named.to_owned() })
}

/// Converts the hash in the path of a look-up from base64 to hexadecimal.
fn hash_in_path(named: &str) -> String {
    URL_SAFE.decode(named.replace("%3D", "=")).map(hex::encode).unwrap_or_default()
}

/// Carries out a request and answers it.
pub(super) fn act(call: Call, request: &Request, books: &mut Books, fault: Option<Fault>) -> Reply {
    match call {
        Call::CreateInvoice => create(request, books, fault),
        Call::LookUpInvoice => show_invoice(request, books, fault),
        Call::Pay => send(request, books, fault),
        Call::LookUpPayment => track(request, books, fault),
        Call::Introduce => introduce(request, books),
        Call::List => list(request, books),
        Call::FeeReserve | Call::Balance => {
            let balance =
                json!({ "sat": (books.balance / 1_000).to_string(), "msat": books.balance.to_string() });
            let sats = (books.balance / 1_000).to_string();
            Reply::json(
                200,
                &json!({ "balance": sats, "pending_open_balance": "0", "local_balance": balance }),
            )
        }
    }
}

fn introduce(request: &Request, books: &Books) -> Reply {
    match request.method.as_str() {
        "GET" => Reply::json(200, &json!({ "identity_pubkey": books.identity, "alias": "bolts" })),
        _ if books.may_pay => stream_error(500, 2, "timeout_seconds must be specified"),
        _ => stream_error(500, 2, "permission denied"),
    }
}

/// A page of the list of payments or invoices, oldest first. The page ends before the entry with the number
/// `index_offset`. Without this number, the page ends with the latest entry.
fn list(request: &Request, books: &Books) -> Reply {
    let asked = |name: &str| {
        let mut pairs = request.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(known, _)| *known == name).and_then(|(_, value)| value.parse::<usize>().ok())
    };
    let time = |hash: &str| books.times.get(hash).copied().unwrap_or_default();
    let is_payments = request.path.ends_with("payments");
    let mut records: Vec<(Duration, Value)> = match is_payments {
        true => {
            books.payments.iter().map(|(hash, record)| (time(hash), listed(hash, record, books))).collect()
        }
        false => books.invoices.keys().map(|hash| (time(hash), invoiced(hash, books))).collect(),
    };
    records.sort_by_key(|(time, _)| *time);
    let limit = asked("max_payments").or_else(|| asked("num_max_invoices")).unwrap_or(100);
    let end = asked("index_offset").filter(|before| *before > 0).map_or(records.len(), |before| before - 1);
    let first = end.saturating_sub(limit);
    let page: Vec<Value> = records[first..end].iter().map(|(_, record)| record.clone()).collect();
    let offset = if page.is_empty() { 0 } else { first + 1 };
    let name = if is_payments { "payments" } else { "invoices" };
    let body = json!({
        name: page, "first_index_offset": offset.to_string(), "last_index_offset": end.to_string(),
    });
    Reply::json(200, &body)
}

/// A payment in the JSON of the list.
fn listed(hash: &str, record: &Record, books: &Books) -> Value {
    let mut shown = update(hash, record, "FAILURE_REASON_NO_ROUTE", books, None)["result"].take();
    let told_at = books.times.get(hash).copied().unwrap_or_default();
    shown["creation_time_ns"] = json!(told_at.as_nanos().to_string());
    shown
}

/// An invoice in the JSON of the list and of the look-up.
fn invoiced(hash: &str, books: &Books) -> Value {
    let own = &books.invoices[hash];
    let (paid, made_at) = (own.received.unwrap_or(0), books.times.get(hash).copied().unwrap_or_default());
    json!({
        "memo": books.notes.get(hash).cloned().unwrap_or_default(), "r_preimage": STANDARD.encode([0; 32]),
        "r_hash": in_base64(hash), "value": (own.millisats / 1_000).to_string(),
        "value_msat": own.millisats.to_string(), "settled": own.received.is_some(),
        "creation_date": made_at.as_secs().to_string(), "payment_request": own.invoice, "expiry": "3600",
        "state": if own.received.is_some() { "SETTLED" } else { "OPEN" },
        "amt_paid_sat": (paid / 1_000).to_string(), "amt_paid_msat": paid.to_string(),
    })
}

fn status(code: i64, message: &str) -> Value {
    json!({ "code": code, "message": message, "details": [] })
}

/// An error of a streaming call: one JSON line.
fn stream_error(http: u16, code: i64, message: &str) -> Reply {
    Reply::lines(http, &[json!({ "error": status(code, message) })])
}

fn in_base64(hex_hash: &str) -> String {
    STANDARD.encode(hex::decode(hex_hash).unwrap_or_default())
}

/// A hash that differs from this hash, for an answer with a wrong hash.
fn other(hex: &str) -> String {
    let flipped = if hex.starts_with('0') { "1" } else { "0" };
    format!("{flipped}{}", &hex[1..])
}

/// A 64-bit number in a request. In the JSON of gRPC such a number may be a string.
fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

fn create(request: &Request, books: &mut Books, fault: Option<Fault>) -> Reply {
    let sats = number(&request.body["value"]);
    let asked = if fault == Some(Fault::WrongAmount) { sats + 1 } else { sats };
    let lifetime = Duration::from_secs(number(&request.body["expiry"]));
    let wanted = Wanted {
        description: text(&request.body, "memo").to_owned(),
        lifetime: books.lifetime.unwrap_or(lifetime),
        made_at: now() - books.age,
        network: books.network,
        ..Wanted::sats(asked)
    };
    let made = invoices::make(&wanted);
    let millisats = i64::try_from(asked * 1_000).unwrap_or(0);
    let own = Own { invoice: made.text.clone(), millisats, received: None, preimage: made.preimage };
    if fault != Some(Fault::Forgotten) {
        books.invoices.insert(made.payment_hash.clone(), own);
    }
    books.times.insert(made.payment_hash.clone(), now());
    books.notes.insert(made.payment_hash.clone(), request.body["memo"].clone());
    let hash = if fault == Some(Fault::WrongHash) { other(&made.payment_hash) } else { made.payment_hash };
    let secret = STANDARD.encode([7; 32]);
    let body = json!({
        "r_hash": in_base64(&hash), "payment_request": made.text, "add_index": "1", "payment_addr": secret,
    });
    Reply::json(200, &body)
}

fn show_invoice(request: &Request, books: &Books, fault: Option<Fault>) -> Reply {
    let hash = request.path.rsplit('/').next().unwrap_or_default();
    let Some(own) = books.invoices.get(hash).filter(|_| fault != Some(Fault::Forgotten)) else {
        return Reply::json(404, &status(5, "unable to locate invoice"));
    };
    let mut body = invoiced(hash, books);
    if fault == Some(Fault::WrongHash) {
        body["r_hash"] = json!(in_base64(&other(hash)));
    }
    if fault == Some(Fault::WrongAmount) {
        let half = own.received.unwrap_or(0) / 2;
        body["amt_paid_sat"] = json!((half / 1_000).to_string());
        body["amt_paid_msat"] = json!(half.to_string());
    }
    Reply::json(200, &body)
}

fn send(request: &Request, books: &mut Books, fault: Option<Fault>) -> Reply {
    let invoice = text(&request.body, "payment_request");
    let Ok(signed) = invoice.parse::<SignedRawBolt11Invoice>() else {
        return stream_error(500, 2, "checksum failed");
    };
    if signed.currency() != Currency::Bitcoin {
        return stream_error(500, 2, "invoice not for current active network 'mainnet'");
    }
    let hash = signed.payment_hash().map(|hash| hash.0.to_string()).unwrap_or_default();
    let millisats = i64::try_from(signed.amount_pico_btc().unwrap_or(0) / 10).unwrap_or(0);
    let expiry = signed.expiry_time().map_or(3_600, |time| time.as_seconds());
    if signed.raw_invoice().data.timestamp.as_unix_timestamp() + expiry < now().as_secs() {
        return stream_error(500, 2, "invoice expired. Valid until 2026-11-20 21:00:00 +0000 UTC");
    }
    if books.invoices.contains_key(&hash) {
        return stream_error(500, 2, "self-payments not allowed");
    }
    match books.payments.get(&hash).map(|record| record.status) {
        Some(Status::Paid) => return stream_error(409, 6, "invoice is already paid"),
        Some(Status::Pending) => return stream_error(409, 6, "payment is in transition"),
        // LND allows another attempt after a payment has failed.
        Some(Status::Failed) | None => {}
    }
    let limit = i64::try_from(number(&request.body["fee_limit_msat"])).unwrap_or(0);
    if books.balance < millisats + limit {
        books.refused += 1;
        let record = Record { invoice: invoice.to_owned(), millisats, fee: 0, status: Status::Failed };
        let line = update(&hash, &record, "FAILURE_REASON_INSUFFICIENT_BALANCE", books, fault);
        books.payments.insert(hash, record);
        return Reply::lines(200, &[line]);
    }
    let record = books.send(&hash, invoice, millisats, limit).clone();
    let on_its_way = Record { status: Status::Pending, ..record.clone() };
    let first = update(&hash, &on_its_way, "FAILURE_REASON_NONE", books, fault);
    if fault == Some(Fault::Forgotten) {
        return stream_error(404, 5, "payment isn't initiated");
    }
    let last = update(&hash, &record, "FAILURE_REASON_NO_ROUTE", books, fault);
    let wants_last_alone = request.body["no_inflight_updates"] == json!(true);
    match record.status {
        Status::Pending if wants_last_alone => Reply::lines(200, &[]).left_open(),
        Status::Pending => Reply::lines(200, &[first]).left_open(),
        Status::Paid | Status::Failed if wants_last_alone => Reply::lines(200, &[last]),
        Status::Paid | Status::Failed => Reply::lines(200, &[first, last]),
    }
}

/// The state of a payment, as a line of LND's stream.
fn update(hash: &str, record: &Record, reason: &str, books: &Books, fault: Option<Fault>) -> Value {
    let (state, preimage, reason) = match record.status {
        Status::Paid if fault == Some(Fault::WrongPreimage) => {
            ("SUCCEEDED", "ab".repeat(32), "FAILURE_REASON_NONE")
        }
        Status::Paid => ("SUCCEEDED", books.preimage(hash), "FAILURE_REASON_NONE"),
        Status::Pending => ("IN_FLIGHT", "0".repeat(64), "FAILURE_REASON_NONE"),
        Status::Failed => ("FAILED", "0".repeat(64), reason),
    };
    let hash = if fault == Some(Fault::WrongHash) { other(hash) } else { hash.to_owned() };
    let value = if fault == Some(Fault::WrongAmount) { record.millisats / 2 } else { record.millisats };
    let fee = if record.status == Status::Paid { record.fee } else { 0 };
    let parts = if record.status == Status::Pending { in_flight(record) } else { json!([]) };
    json!({ "result": {
        "payment_hash": hash, "value": (value / 1_000).to_string(), "value_sat": (value / 1_000).to_string(),
        "value_msat": value.to_string(), "payment_request": record.invoice, "payment_preimage": preimage,
        "status": state, "fee": (fee / 1_000).to_string(), "fee_sat": (fee / 1_000).to_string(),
        "fee_msat": fee.to_string(), "creation_time_ns": "1795208400000000000", "htlcs": parts,
        "payment_index": "1", "failure_reason": reason,
    } })
}

/// The parts of a payment in flight: a failed attempt, and an attempt that is under way.
fn in_flight(record: &Record) -> Value {
    let part = |status: &str, msat: i64| {
        let route = json!({ "total_amt": (msat / 1_000).to_string(), "total_amt_msat": msat.to_string() });
        json!({ "attempt_id": "1", "status": status, "route": route })
    };
    json!([part("FAILED", 7_000), part("IN_FLIGHT", record.millisats + record.fee)])
}

fn track(request: &Request, books: &Books, fault: Option<Fault>) -> Reply {
    let hash = hash_in_path(request.path.rsplit('/').next().unwrap_or_default());
    let Some(record) = books.payments.get(&hash).filter(|_| fault != Some(Fault::Forgotten)) else {
        return stream_error(404, 5, "payment isn't initiated");
    };
    let line = Reply::lines(200, &[update(&hash, record, "FAILURE_REASON_NO_ROUTE", books, fault)]);
    // Like LND, the provider keeps the stream open while the payment is under way.
    if record.status == Status::Pending { line.left_open() } else { line }
}
