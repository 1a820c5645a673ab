//! Deposits are credited once, with the amount that arrived, whichever process or request notices the
//! payment.

use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fault, Kind};
use serde_json::json;

use super::{Site, WHILE, both, sats};
use crate::harness::{Client, eventually};

#[test]
fn a_hundred_webhooks_and_polls_at_once_credit_once() {
    both(|kind| {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 0);
        let deposit = site.deposit(&ann, 2_500);
        let stranger = site.server.client();
        let path = format!("/api/deposit/webhook/{}", deposit.id);
        let claims = json!({"paid": true, "payment_hash": deposit.hash, "amount": 99_000_000}).to_string();
        // Forged webhooks change nothing, whatever their content.
        for _ in 0..3 {
            assert_eq!(stranger.send("POST", &path, &[], &claims).status, 200);
            thread::sleep(Duration::from_millis(400));
        }
        assert_eq!(deposit.status(&ann)["paid"], false);

        site.provider.receive(&deposit.hash, 2_500_000);
        thread::scope(|scope| {
            for n in 0..100 {
                let (stranger, ann, deposit) = (&stranger, &ann, &deposit);
                let (path, claims) = (&path, &claims);
                scope.spawn(move || {
                    thread::sleep(Duration::from_millis(20 * n));
                    if n % 2 == 0 {
                        assert_eq!(stranger.send("POST", path, &[], claims).status, 200);
                    } else {
                        deposit.status(ann);
                    }
                });
            }
        });
        eventually("the deposit is credited", WHILE, || deposit.is_paid(&ann).then_some(()));
        assert_eq!(sats(&ann), 2_500);

        site.server.kill();
        site.server.restart();
        let ann = site.server.client().with_cookie(ann.cookie());
        let stranger = site.server.client();
        assert_eq!(stranger.send("POST", &path, &[], &claims).status, 200);
        thread::sleep(Duration::from_secs(2));
        assert_eq!(sats(&ann), 2_500);
        // The number of requests to the provider is limited, however many webhooks arrive.
        let asked = site.provider.calls_for(&deposit.hash, Call::LookUpInvoice);
        assert!(asked <= 12, "{asked}");
        site.assert_sound();
    });
}

/// If the site has a public URL, it gives LNbits the URL of its webhook.
#[test]
fn lnbits_gets_the_url_of_the_webhook() {
    let site = Site::start_with(Kind::Lnbits, &["--public-url", "https://bolts.example"]);
    let ann = site.server.client();
    let headers = [("Origin", "https://bolts.example"), ("Content-Type", "application/json")];
    let user = json!({"email": "ann@example.com", "password": "secret"}).to_string();
    ann.send("POST", "/api/auth/register", &headers, &user).ok(201);
    let amount = json!({"amount": 100}).to_string();
    let made = ann.send("POST", "/api/deposit/create-invoice", &headers, &amount).ok(201);
    let id = made["invoiceId"].as_str().expect("an id");
    let told: Vec<String> = site.provider.books(|books| books.webhooks.values().cloned().collect());
    assert_eq!(told, [format!("https://bolts.example/api/deposit/webhook/{id}")]);
}

/// Simultaneous requests of a user create no more invoices than the user may have open.
#[test]
fn invoices_are_made_one_at_a_time() {
    let site = Site::start(Kind::Lnbits);
    let ann = site.user("ann", 0);
    thread::scope(|scope| {
        for _ in 0..40 {
            let ann = site.server.client().with_cookie(ann.cookie());
            scope.spawn(move || {
                let made = ann.post("/api/deposit/create-invoice", json!({"amount": 100}));
                assert!([201, 429].contains(&made.status), "{made:?}");
            });
        }
    });
    assert_eq!(site.provider.calls(Call::CreateInvoice), 20);
}

#[test]
fn webhooks_without_a_deposit_are_harmless() {
    let site = Site::start(Kind::Lnbits);
    for id in ["nonsense", "0198c0de0000700080000000000000ff", "%2e%2e"] {
        let answer = site.server.client().send("POST", &format!("/api/deposit/webhook/{id}"), &[], "{}");
        assert_eq!(answer.status, 200, "{id}: no id can be told from another");
    }
    assert_eq!(site.provider.calls(Call::LookUpInvoice), 0);
}

#[test]
fn other_amounts_than_asked_are_credited_in_whole_sats() {
    let site = Site::start(Kind::Lnd);
    let ann = site.user("ann", 0);
    for (received, credited) in [
        (2_500_000, 2_500),
        (1_000_000, 1_000),
        (9_000_000, 9_000),
        (2_500_999, 2_500),
        (1_001, 1),
        (999, 0),
        (1, 0),
    ] {
        let before = sats(&ann);
        let deposit = site.deposit(&ann, 2_500);
        site.provider.receive(&deposit.hash, received);
        eventually("the deposit is credited", WHILE, || deposit.is_paid(&ann).then_some(()));
        assert_eq!(deposit.status(&ann)["credited"], credited, "{received} msat");
        assert_eq!(sats(&ann), before + credited, "{received} msat");
    }
    site.assert_sound();
}

#[test]
fn a_late_payment_is_credited() {
    both(|kind| {
        let site = Site::start(kind);
        site.provider.books(|books| books.lifetime = Some(Duration::from_secs(2)));
        let ann = site.user("ann", 0);
        let deposit = site.deposit(&ann, 2_500);
        eventually("the invoice expires", WHILE, || {
            (deposit.status(&ann)["status"] == "expired").then_some(())
        });
        // No page asks about an expired invoice. The background worker notices the payment.
        site.provider.receive(&deposit.hash, 2_500_000);
        eventually("it is credited all the same", WHILE, || (sats(&ann) == 2_500).then_some(()));
        assert_eq!(deposit.status(&ann)["status"], "paid");
        site.assert_sound();
    });
}

/// Only the owner of a deposit can see the deposit.
#[test]
fn deposits_of_others_are_not_found() {
    let site = Site::start(Kind::Lnbits);
    let (ann, bob) = (site.user("ann", 0), site.user("bob", 0));
    let deposit = site.deposit(&ann, 100);
    let path = format!("/api/deposit/check-status/{}", deposit.id);
    bob.get(&path).problem(404, "deposit_not_found");
    let nobody: Client = site.server.client();
    nobody.get(&path).problem(401, "not_signed_in");
    assert_eq!(site.provider.calls(Call::LookUpInvoice), 0);
}

/// If the provider does not say for a day whether an invoice was paid, an alarm is raised, because the user may have
/// paid.
#[test]
fn a_deposit_without_an_answer_for_a_day_raises_the_alarm() {
    both(|kind| {
        let (mut site, metrics) = Site::start_with_metrics(kind);
        let ann = site.user("ann", 0);
        site.deposit(&ann, 700);
        site.provider.fail(Call::LookUpInvoice, Fault::Garbage);
        site.server.kill();
        // The database refuses a change of a deposit's times, so the test inserts a deposit that was created two days
        // ago.
        let (id, hash, ago) = ("0".repeat(32), "ab".repeat(32), 2 * 86_400 * 1_000_000_i64);
        site.server.database.execute(&format!(
            "INSERT INTO deposits (id, user_id, asked, invoice, payment_hash, created_at, expires_at, status, checks, \
             next_check_at) SELECT '{id}', user_id, asked, invoice, '{hash}', created_at - {ago}, expires_at - {ago}, \
             status, checks, next_check_at FROM deposits"
        ));
        site.server.restart();
        eventually("the alarm is a metric", WHILE, || {
            metrics.get("/metrics").text.contains("bolts_deposits_unanswered 1").then_some(())
        });
    });
}
