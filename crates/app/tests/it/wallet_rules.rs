//! Refusals of the wallet because of limits, invalid destinations, wrong passwords, a cooldown or a pause. Also tests
//! the operator's commands.

use std::time::Duration;

use bolts_testkit::provider::{Network, Wanted, make, now};
use serde_json::{Value, json};

use crate::harness::{Client, Server, binary, eventually};
use crate::wallet::{invoice, rich, sats, server, server_with, until, withdraw};

fn deposit(client: &Client, amount: Value) -> crate::harness::Answer {
    client.post("/api/deposit/create-invoice", json!({"amount": amount}))
}

#[test]
fn deposits_have_limits() {
    let server = server_with(&["--lightning-test-settle-after", "1h"]);
    let ann = server.user("ann");
    for wrong in
        [json!(99), json!(50_001), json!(-1), json!(100.5), json!("100"), json!(null), json!(1_u64 << 63)]
    {
        deposit(&ann, wrong).invalid(&["amount"]);
    }
    for _ in 0..20 {
        deposit(&ann, json!(100)).ok(201);
    }
    let refused = deposit(&ann, json!(100));
    refused.problem(429, "too_many_invoices");
    let after = refused.headers.get("retry-after").and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    assert!(after.is_some_and(|seconds| (3_000..=3_600).contains(&seconds)), "{refused:?}");
    deposit(&server.user("bob"), json!(100)).ok(201);
}

#[test]
fn simultaneous_requests_get_at_most_twenty_invoices() {
    let server = server_with(&["--lightning-test-settle-after", "1h"]);
    let ann = server.user("ann");
    let cookie = ann.cookie();
    let made: usize = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..30)
            .map(|_| {
                let client = server.client().with_cookie(cookie.clone());
                scope.spawn(move || usize::from(deposit(&client, json!(100)).status == 201))
            })
            .collect();
        asking.into_iter().map(|asked| asked.join().expect("no panic")).sum()
    });
    assert_eq!(made, 20);
}

#[test]
fn only_a_user_who_could_withdraw_causes_a_call_to_an_address() {
    let server = server();
    let ann = server.user("ann");
    let to_nowhere =
        json!({"lightningAddress": "carol@nowhere.invalid", "amount": 700, "password": "secret"});
    ann.post("/api/withdrawals", to_nowhere.clone()).problem(409, "insufficient_balance");
    let rich = rich(&server, "rich", 5_000);
    rich.post("/api/withdrawals", to_nowhere).invalid(&["lightningAddress"]);
}

#[test]
fn a_test_invoice_is_paid_by_a_withdrawal_and_credits_nobody() {
    let server = server();
    let ann = rich(&server, "ann", 5_000);
    for wrong in [json!(99), json!(100_000_001), json!("1000"), json!(null)] {
        ann.post("/api/withdrawals/test-invoice", json!({"amount": wrong})).invalid(&["amount"]);
    }
    let made = ann.post("/api/withdrawals/test-invoice", json!({"amount": 1_000})).ok(201);
    let invoice = made["invoice"].as_str().expect("an invoice");
    assert!(
        invoice.starts_with("lnbcrt") && made["amount"] == 1_000 && made["expiresAt"].is_string(),
        "{made}"
    );
    let quote = ann.post("/api/withdrawals/quote", json!({"invoice": invoice})).ok(200);
    assert_eq!((&quote["amount"], &quote["feeLimit"]), (&json!(1_000), &json!(10)));
    let sent = withdraw(&ann, invoice).ok(201);
    until(&ann, &sent, "paid");
    assert_eq!(sats(&ann), 5_000 - 1_000 - 1);
    server.assert_audit_clean();
}

#[test]
fn test_sats_are_added_only_in_test_mode() {
    let server = server();
    let ann = server.user("ann");
    for wrong in [0, 50_001] {
        ann.post("/api/deposit/test-add", json!({"amount": wrong})).invalid(&["amount"]);
    }
    ann.post("/api/deposit/test-add", json!({"amount": 1})).ok(200);
    assert_eq!(sats(&ann), 1);
    let provider =
        ["--lightning", "lnbits", "--lnbits-url", "http://127.0.0.1:9", "--lnbits-admin-key", "key"];
    let real = Server::start_with(&provider);
    let bob = real.user("bob");
    bob.post("/api/deposit/test-add", json!({"amount": 1})).problem(403, "not_allowed");
    assert_eq!(bob.get("/api/config").ok(200)["isTestMode"], false);
    assert_eq!(sats(&bob), 0);
    deposit(&bob, json!(100)).problem(503, "lightning_unavailable");
}

#[test]
fn a_webhook_only_causes_a_look_up() {
    let server = server_with(&["--lightning-test-settle-after", "1h"]);
    let ann = server.user("ann");
    let made = deposit(&ann, json!(100)).ok(201);
    let anybody = server.client();
    for id in [made["invoiceId"].as_str().expect("an id"), "unknown", &"0".repeat(32)] {
        let path = format!("/api/deposit/webhook/{id}");
        for body in ["", "{\"paid\": true}", "\"{\\\"paid\\\": true}\"", "not JSON"] {
            let answer = anybody.send("POST", &path, &[("Content-Type", "application/json")], body);
            assert_eq!(answer.ok(200), json!({"ok": true}));
        }
    }
    assert_eq!(sats(&ann), 0);
}

#[test]
fn bad_destinations_are_refused_before_anything_is_held() {
    // With this option, no deposit settles while the test runs.
    let server = server_with(&["--lightning-test-settle-after", "1h"]);
    let ann = rich(&server, "ann", 50_000);
    let own = deposit(&ann, json!(500)).ok(201)["lightningInvoice"].clone();
    let others = deposit(&server.user("bob"), json!(500)).ok(201)["lightningInvoice"].clone();
    let of = |wanted: Wanted| json!(make(&wanted).text);
    let hour = Duration::from_secs(3_600);
    let good = invoice(500, "coffee").text;
    let mut spoiled = good.clone();
    spoiled.replace_range(40..41, if &good[40..41] == "q" { "p" } else { "q" });
    let bad = [
        of(Wanted { millisats: None, ..Wanted::test_sats(1) }),
        of(Wanted { made_at: now() - 2 * hour, ..Wanted::test_sats(500) }),
        of(Wanted { network: Network::Main, ..Wanted::test_sats(500) }),
        of(Wanted { network: Network::Signet, ..Wanted::test_sats(500) }),
        of(Wanted::test_sats(99)),
        json!(spoiled),
        json!("lnbcrt"),
        json!("q".repeat(40_000)),
        json!("bitcoin:bc1qxyz"),
    ];
    for invoice in bad {
        let body = json!({"invoice": invoice, "password": "secret"});
        ann.post("/api/withdrawals", body.clone()).invalid(&["invoice"]);
        ann.post("/api/withdrawals/quote", body).invalid(&["invoice"]);
    }
    for deposit in [own, others] {
        let body = json!({"invoice": deposit, "password": "secret"});
        ann.post("/api/withdrawals", body.clone()).invalid(&["invoice"]);
        ann.post("/api/withdrawals/quote", body).invalid(&["invoice"]);
    }
    let both =
        json!({"invoice": good, "lightningAddress": "a@example.com", "amount": 100, "password": "secret"});
    ann.post("/api/withdrawals", both).invalid(&["lightningAddress"]);
    let addresses = ["nobody", "@example.com", "a@", "a b@example.com", "a@b@c"];
    for address in addresses {
        let body = json!({"lightningAddress": address, "amount": 100, "password": "secret"});
        ann.post("/api/withdrawals", body).invalid(&["lightningAddress"]);
    }
    // The server sends no request to private addresses, which may be behind its firewall.
    for host in ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "[::1]"] {
        let body = json!({"lightningAddress": format!("a@{host}"), "amount": 100, "password": "secret"});
        ann.post("/api/withdrawals", body).invalid(&["lightningAddress"]);
    }
    ann.post(
        "/api/withdrawals",
        json!({"lightningAddress": "a@example.com", "amount": 99, "password": "secret"}),
    )
    .invalid(&["amount"]);
    assert_eq!(sats(&ann), 50_000);
    assert_eq!(ann.get("/api/withdrawals").ok(200), json!([]));
    server.assert_audit_clean();
}

#[test]
fn the_password_is_asked_again() {
    let server = server();
    let ann = rich(&server, "ann", 5_000);
    let made = invoice(1_000, "coffee");
    for (password, field) in
        [(json!("wrong!"), "password"), (json!(""), "password"), (json!(null), "password")]
    {
        let body = json!({"invoice": made.text, "password": password});
        ann.post("/api/withdrawals", body).invalid(&[field]);
    }
    assert_eq!(sats(&ann), 5_000);
    let held = withdraw(&ann, &made.text).ok(201);
    until(&ann, &held, "paid");
    let body = json!({"invoice": invoice(1_000, "tea").text, "password": "wrong!"});
    let refused = (0..12).map(|_| ann.post("/api/withdrawals", body.clone()).status).collect::<Vec<_>>();
    assert_eq!(refused.last(), Some(&429), "guessing has an end: {refused:?}");
}

#[test]
fn a_balance_has_to_cover_amount_and_reserve() {
    let server = server();
    let ann = rich(&server, "ann", 1_009);
    let problem = withdraw(&ann, &invoice(1_000, "coffee").text).problem(409, "insufficient_balance");
    assert_eq!(problem["detail"], "You need 1,010 sats but only have 1,009 sats.");
    ann.post("/api/deposit/test-add", json!({"amount": 1})).ok(200);
    let held = withdraw(&ann, &invoice(1_000, "coffee").text).ok(201);
    until(&ann, &held, "paid");
    server.assert_audit_clean();
}

#[test]
fn limits_cover_24_hours_and_leave_out_refunds() {
    let server = server_with(&["--withdrawal-cap-user", "3000", "--withdrawal-cap-total", "5000"]);
    let (ann, bob) = (rich(&server, "ann", 50_000), rich(&server, "bob", 50_000));
    let failed = withdraw(&ann, &invoice(2_500, "fail").text).ok(201);
    until(&ann, &failed, "refunded");
    let held = withdraw(&ann, &invoice(2_500, "coffee").text).ok(201);
    let problem = withdraw(&ann, &invoice(501, "coffee").text).problem(409, "withdrawal_limit_reached");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("500 more sats")), "{problem}");
    // A quarter of the site's cap is reserved for small withdrawals.
    withdraw(&bob, &invoice(1_251, "coffee").text).problem(409, "withdrawal_limit_reached");
    eventually("the operator hears of it", Duration::from_secs(20), || {
        server.log().contains("--withdrawal-cap-total").then_some(())
    });
    withdraw(&bob, &invoice(1_250, "coffee").text).ok(201);
    until(&ann, &held, "paid");
    server.assert_audit_clean();
}

#[test]
fn at_most_three_withdrawals_are_under_way() {
    let server = server();
    let ann = rich(&server, "ann", 50_000);
    let stuck: Vec<Value> = (0..3).map(|_| withdraw(&ann, &invoice(100, "unknown").text).ok(201)).collect();
    withdraw(&ann, &invoice(100, "coffee").text).problem(429, "too_many_withdrawals");
    until(&ann, &stuck[0], "sending");
    settle(&server, &stuck[0], &["refunded"]);
    withdraw(&ann, &invoice(100, "coffee").text).ok(201);
    server.assert_audit_clean();
}

fn settle(server: &Server, withdrawal: &Value, outcome: &[&str]) {
    let id = withdrawal["id"].as_str().expect("an id");
    let why = ["--reason", "as the provider's books say", "--despite", "the test node has no books"];
    let settled = server.settle_when_possible(&[&[id][..], outcome, &why].concat());
    assert!(settled.status.success(), "{settled:?}");
}

#[test]
fn the_operator_settles_an_open_withdrawal_and_this_is_recorded() {
    let server = server();
    let ann = rich(&server, "ann", 50_000);
    let [paid, back] = [(); 2].map(|()| {
        let held = withdraw(&ann, &invoice(1_000, "unknown").text).ok(201);
        until(&ann, &held, "sending")
    });
    let listed = server.command(&["withdrawals", "list"]);
    let said = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(said.contains(paid["id"].as_str().expect("an id")) && said.contains("ann@example.com"), "{said}");
    settle(&server, &paid, &["paid", "--fee", "4"]);
    settle(&server, &back, &["refunded"]);
    assert_eq!(until(&ann, &paid, "paid")["fee"], 4);
    until(&ann, &back, "refunded");
    assert_eq!(sats(&ann), 50_000 - 1_004);
    let id = paid["id"].as_str().expect("an id");
    let again = server.settle(&[id, "refunded", "--reason", "again"]);
    assert_eq!(again.status.code(), Some(1), "{again:?}");
    let unknown = server.settle(&[&"0".repeat(32), "paid", "--reason", "x"]);
    assert_eq!(unknown.status.code(), Some(1), "{unknown:?}");
    let root = server.admin("root");
    let actions = root.get("/api/admin/actions").ok(200);
    let settled = actions.as_array().expect("rows").iter().filter(|row| row["action"] == "settle_withdrawal");
    assert_eq!(settled.count(), 2, "{actions}");
    server.assert_audit_clean();
}

#[test]
fn a_pause_stops_withdrawals_that_were_not_sent() {
    let server = server();
    let ann = rich(&server, "ann", 50_000);
    let root = server.admin("root");
    let paused = server.command(&["withdrawals", "pause", "--reason", "the node moves house"]);
    assert!(paused.status.success(), "{paused:?}");
    let made = invoice(1_000, "coffee").text;
    withdraw(&ann, &made).problem(409, "withdrawals_paused");
    assert_eq!(ann.get("/api/config").ok(200)["withdrawalsPaused"], true);
    let wallet = root.get("/api/admin/wallet").ok(200);
    assert_eq!(wallet["pause"]["reason"], "the node moves house");
    assert!(wallet["solvency"]["isCovered"] == true, "{wallet}");
    assert_eq!(deposit(&ann, json!(100)).status, 201, "deposits go on");
    assert!(server.command(&["withdrawals", "resume"]).status.success());
    let held = withdraw(&ann, &made).ok(201);
    until(&ann, &held, "paid");
    let all = root.get("/api/admin/withdrawals?withdrawalStatus=paid").ok(200);
    assert_eq!(all[0]["userEmail"], "ann@example.com");
    assert_eq!(root.get("/api/admin/withdrawals?withdrawalStatus=held").ok(200), json!([]));
    root.get("/api/admin/withdrawals?withdrawalStatus=lost").invalid(&["withdrawalStatus"]);
}

#[test]
fn a_password_reset_blocks_withdrawals_for_a_day() {
    let server = server();
    let _ann = rich(&server, "ann", 5_000);
    let root = server.admin("root");
    let reset = root.post("/api/admin/reset-password", json!({"userEmail": "ann@example.com"})).ok(200);
    let temporary = reset["temporaryPassword"].as_str().expect("a password");
    let thief = server.client();
    thief.post("/api/auth/login", json!({"email": "ann@example.com", "password": temporary})).ok(200);
    let change = json!({"currentPassword": temporary, "newPassword": "secret"});
    thief.page("PATCH", "/api/auth/password", Some(&change)).ok(200);
    let refused = withdraw(&thief, &invoice(1_000, "coffee").text);
    refused.problem(429, "withdrawals_resting");
    let after = refused.headers.get("retry-after").and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    assert!(after.is_some_and(|seconds| (86_000..=86_400).contains(&seconds)), "{refused:?}");
    assert_eq!(sats(&thief), 5_000);
    server.assert_audit_clean();
}

#[test]
fn a_hundred_simultaneous_withdrawals_never_exceed_the_balance() {
    // The patience is long, because a payment that begins too late is refunded. On a busy machine its sats could then
    // be withdrawn again.
    let server = server_with(&["--withdrawal-cap-user", "0", "--withdrawal-patience", "90s"]);
    let ann = rich(&server, "ann", 5_000);
    let cookie = ann.cookie();
    let taken: Vec<Value> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..100)
            .map(|_| {
                let client = server.client().with_cookie(cookie.clone());
                scope.spawn(move || {
                    let answer = withdraw(&client, &invoice(1_000, "coffee").text);
                    assert!([201, 409, 429, 503].contains(&answer.status), "{answer:?}");
                    (answer.status == 201).then(|| answer.json())
                })
            })
            .collect();
        asking.into_iter().filter_map(|asked| asked.join().expect("no panic")).collect()
    });
    assert!((1..=4).contains(&taken.len()), "{}", taken.len());
    for withdrawal in &taken {
        until(&ann, withdrawal, "paid");
    }
    let spent = i64::try_from(taken.len()).expect("a few") * 1_001;
    eventually("the books agree", Duration::from_secs(10), || (sats(&ann) == 5_000 - spent).then_some(()));
    server.assert_audit_clean();
}

#[test]
fn an_invoice_is_paid_once_for_all_users() {
    let server = server();
    let (ann, bob) = (rich(&server, "ann", 5_000), rich(&server, "bob", 5_000));
    let made = invoice(1_000, "coffee").text;
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let asking = [&ann, &bob].map(|client| scope.spawn(|| withdraw(client, &made).status));
        asking.map(|asked| asked.join().expect("no panic")).to_vec()
    });
    assert!(statuses.contains(&201) && statuses.contains(&409), "{statuses:?}");
    server.assert_audit_clean();
}

#[test]
fn the_kind_of_sats_never_changes() {
    let mut server = server();
    server.stop();
    let real = ["--lightning", "lnbits", "--lnbits-url", "http://127.0.0.1:9", "--lnbits-admin-key", "key"];
    let serve = |options: &[&str]| {
        let mut command = binary();
        command.args(["serve", "--bind", "127.0.0.1:0", "--database-url"]).arg(server.database.url());
        command.args(options).output().expect("it runs")
    };
    let refused = serve(&real);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("this database holds test sats"), "{said}");
    let incomplete = serve(&["--lightning", "lnbits"]);
    assert_eq!(incomplete.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&incomplete.stderr).contains("--lnbits-url"), "{incomplete:?}");
}
