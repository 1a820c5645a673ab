//! Withdrawals and providers that are refused before sats are held and before the provider is asked.

use std::time::{Duration, Instant};

use bolts_testkit::provider::{Call, Kind, Network, Provider, Reply, Wanted, make, now};
use serde_json::{Value, json};

use super::identity::left_open;
use super::{Site, both, provider_options, sats, try_withdraw, until};
use crate::harness::Server;

/// The number of calls to the provider about payments: fee reserve, payment and look-up.
fn asked(site: &Site) -> usize {
    [Call::FeeReserve, Call::Pay, Call::LookUpPayment].map(|call| site.provider.calls(call)).iter().sum()
}

#[test]
fn invoices_that_cannot_be_paid_are_refused() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        let text = |wanted: Wanted| make(&wanted).text;
        let good = text(Wanted::sats(500));
        let long_ago = now() - Duration::from_secs(7_200);
        for (what, invoice) in [
            ("without amount", text(Wanted { millisats: None, ..Wanted::sats(0) })),
            ("expired", text(Wanted { made_at: long_ago, ..Wanted::sats(500) })),
            ("regtest", text(Wanted::test_sats(500))),
            ("testnet", text(Wanted { network: Network::Testnet, ..Wanted::sats(500) })),
            ("too small", text(Wanted::sats(99))),
            ("too large", text(Wanted::sats(100_000_001))),
            ("cut", good[..good.len() - 1].to_owned()),
            ("damaged", good.replacen('q', "p", 1)),
            ("nonsense", "lnbc1".to_owned()),
            ("an address", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4".to_owned()),
            ("long", format!("lnbc{}", "x".repeat(50_000))),
        ] {
            try_withdraw(&ann, &invoice).invalid(&["invoice"]);
            assert_eq!(sats(&ann), 50_000, "{what}");
            let quote = ann.post("/api/withdrawals/quote", json!({"invoice": invoice}));
            assert_eq!(quote.status, 422, "{what}");
        }
        let huge = try_withdraw(&ann, &"x".repeat(100_000));
        huge.problem(413, "body_too_large");
        assert_eq!(asked(&site), 0);
        assert_eq!(ann.get("/api/withdrawals").ok(200), json!([]));
        site.assert_sound();
    });
}

#[test]
fn deposit_invoices_of_this_site_are_refused() {
    both(|kind| {
        let site = Site::start(kind);
        let (ann, bob) = (site.user("ann", 50_000), site.user("bob", 0));
        for deposit in [site.deposit(&ann, 500), site.deposit(&bob, 500)] {
            for text in [
                deposit.invoice.clone(),
                deposit.invoice.to_uppercase(),
                format!("lightning:{}", deposit.invoice),
            ] {
                try_withdraw(&ann, &text).invalid(&["invoice"]);
            }
        }
        assert_eq!((sats(&ann), asked(&site)), (50_000, 0));
        site.assert_sound();
    });
}

#[test]
fn test_sats_and_real_sats_are_separate() {
    let site = Site::start(Kind::Lnbits);
    let ann = site.user("ann", 0);
    ann.post("/api/deposit/test-add", json!({"amount": 1_000})).problem(403, "not_allowed");
    ann.post("/api/withdrawals/test-invoice", json!({"amount": 1_000})).problem(403, "not_allowed");
    assert_eq!(ann.get("/api/config").ok(200)["isTestMode"], false);
    assert_eq!(sats(&ann), 0);
    // The same database cannot be served with test sats.
    refused(&site, &["--lightning".to_owned(), "test".to_owned()]);
}

/// Tries to serve the site's database with other options, asserts that this is refused, and returns the
/// message.
pub(super) fn refused(site: &Site, options: &[String]) -> String {
    let mut command = crate::harness::binary();
    command.args(["serve", "--bind", "127.0.0.1:0", "--database-url"]).arg(site.server.database.url());
    let refused = command.args(options).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    String::from_utf8_lossy(&refused.stderr).into_owned()
}

/// Another provider does not know the payments of the first provider, so its answers prove nothing about them.
#[test]
fn another_provider_waits_until_no_payment_is_open() {
    let mut site = Site::start(Kind::Lnbits);
    let (ann, id) = left_open(&mut site);

    let other = Provider::start(Kind::Lnd);
    let files = tempfile::TempDir::new().expect("a temporary folder");
    let said = refused(&site, &provider_options(&other, files.path()));
    assert!(said.contains("Withdrawals are open at another provider"), "{said}");
    assert_eq!(other.calls(Call::LookUpPayment), 0);

    // The first provider knows the result of the payment. After this result is recorded, the other provider may serve
    // the database.
    site.server.restart();
    let ann = site.server.client().with_cookie(ann.cookie());
    until(&ann, &id, "paid");
    site.server.kill();
    let moved = Server::on(site.server.database.clone(), provider_options(&other, files.path()));
    assert_eq!(sats(&moved.client().with_cookie(ann.cookie())), 50_000 - 901);
    moved.assert_audit_clean();
}

/// A repeated request gets the first answer, even if the invoice has expired since.
#[test]
fn a_repeated_withdrawal_gets_its_first_answer() {
    let site = Site::start(Kind::Lnd);
    let ann = site.user("ann", 50_000);
    // A busy machine may begin the payment late, and the server never pays an expired invoice.
    let lifetime = Duration::from_secs(15);
    let made = site.provider.invoice(&Wanted { lifetime, ..Wanted::sats(900) });
    let expired = Instant::now() + lifetime + Duration::from_secs(1);
    let body = json!({"invoice": made.text, "password": "secret"});
    let ask = || ann.page_with("POST", "/api/withdrawals", &[("Idempotency-Key", "one")], Some(&body));
    let first = ask().ok(201);
    until(&ann, first["id"].as_str().expect("an id"), "paid");
    std::thread::sleep(expired.saturating_duration_since(Instant::now()));
    try_withdraw(&ann, &made.text).invalid(&["invoice"]);
    assert_eq!(ask().ok(201), first);
    let other = json!({"invoice": site.provider.invoice(&Wanted::sats(800)).text, "password": "secret"});
    ann.page_with("POST", "/api/withdrawals", &[("Idempotency-Key", "one")], Some(&other))
        .problem(409, "idempotency_key_reused");
    assert_eq!(sats(&ann), 50_000 - 901);
    site.assert_sound();
}

/// One Lightning address returns the right invoice, and another address returns a wrong invoice.
#[test]
fn lightning_addresses_must_give_the_right_invoice() {
    const METADATA: &str = r#"[["text/plain","Sats for Carol"]]"#;
    let invoice =
        |sats| make(&Wanted { description: METADATA.to_owned(), is_hashed: true, ..Wanted::sats(sats) });
    let made = invoice(700);
    let asked_for = made.text.clone();
    let origin = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let own = origin.clone();
    let carol = bolts_testkit::provider::Server::start(None, move |request| {
        let (_, name) = request.path.rsplit_once('/').expect("a path");
        if request.path.starts_with("/.well-known") {
            let callback = format!("{}/pay/{name}", own.lock().expect("a lock"));
            return Reply::json(
                200,
                &json!({
                    "tag": "payRequest", "callback": callback, "metadata": METADATA,
                    "minSendable": 1_000, "maxSendable": 1_000_000_000,
                }),
            );
        }
        let text = if name == "carol" { asked_for.clone() } else { invoice(701).text };
        Reply::json(200, &json!({ "pr": text }))
    });
    *origin.lock().expect("a lock") = carol.url();
    let to = |name: &str| {
        let address = format!("{name}@{}", carol.address());
        json!({"lightningAddress": address, "amount": 700, "password": "secret"})
    };

    let site = Site::start_with(Kind::Lnd, &["--lnurl-allow-private"]);
    site.provider.books(|books| books.preimages.insert(made.payment_hash, made.preimage));
    let ann = site.user("ann", 50_000);
    let taken: Value = ann.post("/api/withdrawals", to("carol")).ok(201);
    let paid = until(&ann, taken["id"].as_str().expect("an id"), "paid");
    assert_eq!(paid["lightningAddress"], format!("carol@{}", carol.address()));
    assert_eq!(sats(&ann), 50_000 - 701);
    ann.post("/api/withdrawals", to("mallory")).invalid(&["lightningAddress"]);
    assert_eq!(sats(&ann), 50_000 - 701);

    // Without the option `--lnurl-allow-private` the server calls no private address.
    let careful = Site::start(Kind::Lnd);
    let ann = careful.user("ann", 50_000);
    for host in [carol.address().to_string(), "127.0.0.1".to_owned(), "localhost".to_owned()] {
        let body = json!({"lightningAddress": format!("carol@{host}"), "amount": 700, "password": "secret"});
        ann.post("/api/withdrawals", body).invalid(&["lightningAddress"]);
    }
    assert_eq!(sats(&ann), 50_000);
    careful.assert_sound();
}
