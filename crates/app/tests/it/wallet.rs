//! The wallet over HTTP, with test sats.

use std::time::Duration;

use bolts_testkit::provider::{Made, Wanted, make};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, eventually};

/// Options under which invoices settle at once and the provider is asked about payments after a short time.
const QUICK: [&str; 4] = ["--lightning-test-settle-after", "1s", "--withdrawal-patience", "1s"];

/// A server with test sats.
pub(crate) fn server() -> Server {
    Server::start_with(&QUICK)
}

/// A server with test sats and other options. These options replace the default options with the same name, because an
/// option may be given only once.
pub(crate) fn server_with(options: &[&str]) -> Server {
    let usual = QUICK.chunks(2).filter(|pair| !options.contains(&pair[0]));
    Server::start_with(&[&usual.collect::<Vec<_>>().concat()[..], options].concat())
}

pub(crate) fn sats(client: &Client) -> i64 {
    client.get("/api/auth/user").ok(200)["satsBalance"].as_i64().expect("a number")
}

/// A user with this number of test sats.
pub(crate) fn rich(server: &Server, name: &str, units: i64) -> Client {
    let client = server.user(name);
    let mut left = units;
    while left > 0 {
        let amount = left.min(50_000);
        client.post("/api/deposit/test-add", json!({"amount": amount})).ok(200);
        left -= amount;
    }
    client
}

/// An invoice of another node for this number of test sats, with this description.
pub(crate) fn invoice(units: u64, description: &str) -> Made {
    make(&Wanted { description: description.to_owned(), ..Wanted::test_sats(units) })
}

pub(crate) fn withdraw(client: &Client, invoice: &str) -> Answer {
    client.post("/api/withdrawals", json!({"invoice": invoice, "password": "secret"}))
}

/// Waits until the withdrawal has this status, and returns it.
pub(crate) fn until(client: &Client, withdrawal: &Value, status: &str) -> Value {
    let path = format!("/api/withdrawals/{}", withdrawal["id"].as_str().expect("an id"));
    eventually(status, Duration::from_secs(20), || {
        let now = client.get(&path).ok(200);
        (now["status"] == status).then_some(now)
    })
}

#[test]
fn a_deposit_is_credited_when_its_invoice_settles() {
    let server = server();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let made = ann.post("/api/deposit/create-invoice", json!({"amount": 5_000})).ok(201);
    assert_eq!((&made["amount"], &made["isTestMode"]), (&json!(5_000), &json!(true)), "{made}");
    assert!(made["lightningInvoice"].as_str().is_some_and(|text| text.starts_with("lnbcrt50u")), "{made}");
    let path = format!("/api/deposit/check-status/{}", made["invoiceId"].as_str().expect("an id"));
    bob.get(&path).problem(404, "deposit_not_found");
    let paid = eventually("paid", Duration::from_secs(10), || {
        let state = ann.get(&path).ok(200);
        (state["paid"] == true).then_some(state)
    });
    assert_eq!(paid, json!({"paid": true, "status": "paid", "credited": 5_000}));
    assert_eq!(sats(&ann), 5_000);
    let notes = ann.get("/api/notifications").ok(200);
    assert_eq!(notes[0]["message"], "5,000 sats have been added to your balance.");
    server.assert_audit_clean();
}

#[test]
fn a_deposit_is_credited_without_polling() {
    let server = server();
    let ann = server.user("ann");
    ann.post("/api/deposit/create-invoice", json!({"amount": 100})).ok(201);
    eventually("credited", Duration::from_secs(20), || (sats(&ann) == 100).then_some(()));
    server.assert_audit_clean();
}

#[test]
fn a_withdrawal_is_held_paid_and_shown() {
    let server = server();
    let ann = rich(&server, "ann", 20_000);
    let made = invoice(5_000, "coffee");
    let quote = ann.post("/api/withdrawals/quote", json!({"invoice": made.text})).ok(200);
    assert_eq!((&quote["amount"], &quote["feeLimit"]), (&json!(5_000), &json!(50)), "{quote}");
    assert_eq!(quote["description"], "coffee");
    let upper = format!("lightning:{}", made.text.to_uppercase());
    let held = withdraw(&ann, &upper).ok(201);
    assert_eq!(
        (&held["status"], &held["paymentHash"]),
        (&json!("held"), &json!(made.payment_hash)),
        "{held}"
    );
    let paid = until(&ann, &held, "paid");
    assert_eq!((&paid["fee"], &paid["isInDoubt"]), (&json!(1), &json!(false)), "{paid}");
    assert_eq!(sats(&ann), 20_000 - 5_000 - 1);
    let listed = ann.get("/api/withdrawals").ok(200);
    assert_eq!(listed, json!([paid]));
    let shown: Vec<(String, i64)> =
        ann.get("/api/wallet/history").ok(200).as_array().expect("rows").iter().map(told).collect();
    let expected =
        [("reserve_back", 49), ("hold", -5_050), ("test_deposit", 20_000), ("sign_up_grant", 1_000)];
    assert_eq!(shown, expected.map(|(kind, amount)| (kind.to_owned(), amount)));
    server.assert_audit_clean();
}

fn told(row: &Value) -> (String, i64) {
    (row["kind"].as_str().expect("a kind").to_owned(), row["amount"].as_i64().expect("a number"))
}

#[test]
fn a_failed_withdrawal_is_refunded_and_an_unclear_one_waits() {
    let server = server();
    let ann = rich(&server, "ann", 20_000);
    let failed = withdraw(&ann, &invoice(1_000, "fail").text).ok(201);
    let refunded = until(&ann, &failed, "refunded");
    assert!(refunded["refundReason"].as_str().is_some_and(|why| why.contains("failed")), "{refunded}");
    assert_eq!(sats(&ann), 20_000);
    let unclear = withdraw(&ann, &invoice(1_000, "unknown").text).ok(201);
    until(&ann, &unclear, "sending");
    std::thread::sleep(Duration::from_secs(3));
    until(&ann, &unclear, "sending");
    assert_eq!(sats(&ann), 20_000 - 1_010);
    server.assert_audit_clean();
}

#[test]
fn a_repeated_request_withdraws_once() {
    let server = server();
    let ann = rich(&server, "ann", 20_000);
    let body = json!({"invoice": invoice(1_000, "coffee").text, "password": "secret"});
    let send =
        |body: &Value| ann.page_with("POST", "/api/withdrawals", &[("Idempotency-Key", "one")], Some(body));
    let first = send(&body).ok(201);
    let again = send(&body);
    assert_eq!(again.ok(201), first);
    assert_eq!(again.headers.get("idempotent-replayed").and_then(|value| value.to_str().ok()), Some("true"));
    let other = json!({"invoice": invoice(1_000, "tea").text, "password": "secret"});
    send(&other).problem(409, "idempotency_key_reused");
    // Without an idempotency key, the payment hash prevents a second withdrawal.
    until(&ann, &first, "paid");
    ann.post("/api/withdrawals", body).problem(409, "invoice_used");
    assert_eq!(sats(&ann), 20_000 - 1_001);
    server.assert_audit_clean();
}

#[test]
fn the_csv_history_contains_no_formulas() {
    let server = server();
    let ann = server.user("ann");
    ann.bet_with(json!({"title": "=HYPERLINK(\"https://evil.example\"),\r\nnext"}));
    let csv = ann.get("/api/wallet/history.csv");
    assert_eq!(csv.status, 200);
    let kind = csv.headers.get("content-type").and_then(|value| value.to_str().ok());
    assert_eq!(kind, Some("text/csv; charset=utf-8"));
    let lines: Vec<&str> = csv.text.split("\r\n").collect();
    assert_eq!(lines[0], "time,kind,currency,amount,bet,deposit,withdrawal");
    assert!(lines[1].contains("stake,bolts,-200,\"'=HYPERLINK(\"\"https://evil.example\"\"),"), "{csv:?}");
}

#[test]
fn the_pages_of_a_history_are_complete() {
    let server = server();
    let ann = rich(&server, "ann", 150_000);
    let first = ann.get("/api/wallet/history?limit=3");
    let link = first.headers.get("link").and_then(|value| value.to_str().ok()).expect("a next page");
    let next = link.trim_start_matches('<').split('>').next().expect("an address");
    let rest = ann.get(next);
    assert_eq!(
        (first.ok(200).as_array().map(Vec::len), rest.ok(200).as_array().map(Vec::len)),
        (Some(3), Some(1))
    );
    assert!(rest.headers.get("link").is_none());
    ann.get("/api/wallet/history?limit=0").invalid(&["limit"]);
}
