//! Payments and invoices in the provider's lists that the database does not know, because the database was rolled back
//! or because another program uses the wallet.

use bolts_testkit::provider::{Call, Kind, Made, Point};
use serde_json::json;

use super::{Site, WHILE, both, sats, see, try_withdraw, until, withdraw};
use crate::harness::{Client, eventually};

fn restarted(site: &mut Site, user: &Client) -> Client {
    site.server.restart();
    site.server.client().with_cookie(user.cookie())
}

/// A site, and a user with this number of sats. The provider has made a payment of 4,000 sats that the database does
/// not know.
fn forgotten(kind: Kind, sats: i64) -> (Site, Client, Made) {
    let mut site = Site::start(kind);
    let ann = site.user("ann", sats);
    site.server.kill();
    let unknown = site.invoice(4_000);
    site.provider.books(|books| {
        books.send(&unknown.payment_hash, &unknown.text, 4_000_000, 40_000);
    });
    let ann = restarted(&mut site, &ann);
    (site, ann, unknown)
}

fn await_pause(site: &Site) -> String {
    eventually("withdrawals are paused", WHILE, || {
        let listed = site.server.command(&["withdrawals", "list"]);
        let said = String::from_utf8_lossy(&listed.stdout).into_owned();
        said.contains("are paused since").then_some(said)
    })
}

#[test]
fn an_unknown_payment_stops_withdrawals_until_it_is_accounted_for() {
    both(|kind| {
        let (mut site, ann, unknown) = forgotten(kind, 50_000);
        let hash = unknown.payment_hash.clone();
        let said = await_pause(&site);
        assert!(said.contains("may have been restored") && said.contains("reconcile"), "{said}");
        let made = site.invoice(900);
        try_withdraw(&ann, &made.text).problem(409, "withdrawals_paused");
        let resumed = site.server.command(&["withdrawals", "resume"]);
        assert_eq!(resumed.status.code(), Some(1), "{resumed:?}");

        let (status, said) = site.reconcile("withdrawals", &[]);
        assert!(status == Some(1) && said.contains(&hash) && said.contains("4000 sats"), "{kind:?} {said}");
        let (status, said) = site.reconcile("deposits", &[]);
        assert_eq!(status, Some(0), "{kind:?} {said}");
        // The payment is from before this period.
        let (status, said) = site.reconcile("withdrawals", &["--since", "2999-01-01T00:00:00Z"]);
        assert!(status == Some(0) && said.contains("does not count"), "{kind:?} {said}");
        assert_eq!(site.server.command(&["withdrawals", "resume"]).status.code(), Some(1), "{kind:?}");
        // The payment was the operator's own. The command refuses to book it without a reason.
        assert_eq!(site.reconcile("withdrawals", &[&hash, "--own"]).0, Some(2));
        let (status, said) =
            site.reconcile("withdrawals", &[&hash, "--own", "--reason", "rent of the server"]);
        assert_eq!(status, Some(0), "{kind:?} {said}");
        let actions = site.server.admin("admin").get("/api/admin/actions").ok(200).to_string();
        assert!(
            actions.contains("reconcile_withdrawal") && actions.contains("rent of the server"),
            "{actions}"
        );

        let resumed = site.server.command(&["withdrawals", "resume"]);
        assert!(resumed.status.success(), "{resumed:?}");
        let id = withdraw(&ann, &made);
        until(&ann, &id, "paid");
        // A payment that was booked does not count as a difference any more.
        site.server.kill();
        let ann = restarted(&mut site, &ann);
        let id = withdraw(&ann, &site.invoice(800));
        until(&ann, &id, "paid");
        assert_eq!(sats(&ann), 50_000 - 901 - 801);
        site.assert_sound();
    });
}

/// The unknown payment was a withdrawal that the database has lost. The operator books it to the user who made it.
#[test]
fn an_unknown_payment_is_booked_to_its_user() {
    both(|kind| {
        let (site, ann, unknown) = forgotten(kind, 50_000);
        let hash = unknown.payment_hash.clone();
        await_pause(&site);
        let book =
            |email: &str| site.reconcile("withdrawals", &[&hash, "--user", email, "--reason", "she said so"]);
        assert_eq!(book("nobody@example.com").0, Some(1));
        let (status, said) = book("Ann@example.com");
        assert_eq!(status, Some(0), "{kind:?} {said}");
        assert_eq!(sats(&ann), 50_000 - 4_001, "{kind:?}");
        assert_eq!(book("ann@example.com").0, Some(1), "it is no difference any more");
        let mine = ann.get("/api/withdrawals").ok(200);
        assert_eq!((&mine[0]["status"], &mine[0]["fee"]), (&json!("paid"), &json!(1)), "{mine}");
        // The payment hash of the booked withdrawal counts as used.
        assert_eq!(site.reconcile("deposits", &[]).0, Some(0));
        assert!(site.server.command(&["withdrawals", "resume"]).status.success());
        try_withdraw(&ann, &unknown.text).problem(409, "invoice_used");
        assert_eq!(site.provider.books(|books| books.times_paid(&hash)), 1);
        site.assert_sound();
    });
}

/// If the user's balance is lower than the payment, nothing is booked, not even a part.
#[test]
fn what_a_user_does_not_have_any_more_is_not_taken() {
    let (site, ann, unknown) = forgotten(Kind::Lnd, 4_000);
    let hash = unknown.payment_hash.clone();
    await_pause(&site);
    let (status, said) =
        site.reconcile("withdrawals", &[&hash, "--user", "ann@example.com", "--reason", "hers"]);
    assert!(status == Some(1) && said.contains("--own"), "{said}");
    assert_eq!(sats(&ann), 4_000);
    site.assert_sound();
}

/// A stopped site whose database is a copy from before a withdrawal of 900 sats was sent. The provider has paid the
/// withdrawal since then. Also returns the user with 50,000 sats, the invoice, and the id of the withdrawal.
fn sent_after_the_copy(kind: Kind) -> (Site, Client, Made, String) {
    let mut site = Site::start(kind);
    let ann = site.user("ann", 50_000);
    let gate = site.provider.stall(Call::Pay, Point::BeforeAnswering);
    let made = site.invoice(900);
    let id = withdraw(&ann, &made);
    gate.wait();
    site.server.kill();
    drop(gate);
    let back = "UPDATE withdrawals SET status = 'held', attempts = 0, first_attempt_at = NULL, questions = 0";
    site.server.database.execute(back);
    (site, ann, made, id)
}

/// The server neither sends nor refunds the withdrawal.
#[test]
fn a_withdrawal_that_was_sent_after_the_copy_is_neither_sent_nor_refunded() {
    both(|kind| {
        let (mut site, ann, _, id) = sent_after_the_copy(kind);
        let ann = restarted(&mut site, &ann);
        await_pause(&site);
        let status = || ann.get(&format!("/api/withdrawals/{id}")).ok(200)["status"].clone();
        assert_eq!(status(), "held", "{kind:?}");
        let (status_code, said) = site.reconcile("withdrawals", &["--apply", "--reason", "restored"]);
        assert_eq!(status_code, Some(0), "{kind:?} {said}");
        assert_eq!(status(), "paid", "{kind:?}");
        assert_eq!((sats(&ann), site.provider.calls(Call::Pay)), (50_000 - 901, 1), "{kind:?}");
        site.assert_sound();
    });
}

/// The provider has paid 4,000 sats for this payment hash, and the withdrawal is of 900 sats.
#[test]
fn a_payment_of_another_amount_is_left_to_the_operator() {
    both(|kind| {
        let (mut site, ann, made, id) = sent_after_the_copy(kind);
        let hash = made.payment_hash;
        site.provider.books(|books| books.payments.get_mut(&hash).expect("a payment").millisats = 4_000_000);
        let ann = restarted(&mut site, &ann);
        await_pause(&site);
        let (status, said) = site.reconcile("withdrawals", &["--apply", "--reason", "restored"]);
        let differs =
            "900 sats with the same payment hash is held here; so the payment is not the one of this";
        assert!(status == Some(1) && said.contains(differs) && said.contains("4000 sats"), "{kind:?} {said}");
        assert_eq!(see(&ann, &id)["status"], "held", "{kind:?}");
        assert_eq!(site.reconcile("deposits", &[]).0, Some(0), "{kind:?}");
        let (status, said) = site.reconcile("withdrawals", &[&hash, "--own", "--reason", "a thief"]);
        assert_eq!(status, Some(0), "{kind:?} {said}");
        assert_eq!((&see(&ann, &id)["status"], sats(&ann)), (&json!("refunded"), 50_000), "{kind:?}");
        assert!(site.server.command(&["withdrawals", "resume"]).status.success(), "{kind:?}");
        assert_eq!(site.provider.calls_for(&hash, Call::Pay), 1, "{kind:?}");
        site.assert_sound();
    });
}
