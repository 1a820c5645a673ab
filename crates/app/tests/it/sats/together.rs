//! Many simultaneous withdrawals.

use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fault, Kind, Made};
use serde_json::Value;

use super::{Site, WHILE, age, both, come_to_rest, sats, settle, try_withdraw};
use crate::harness::{Client, eventually};
use crate::races::{at_once, count};

#[test]
fn the_same_invoice_by_two_users_is_paid_once() {
    both(|kind| {
        let site = Site::start(kind);
        let users = [site.user("ann", 50_000), site.user("bob", 50_000)];
        for _ in 0..5 {
            let made = site.invoice(500);
            let statuses = at_once(&users, |user| try_withdraw(user, &made.text).status);
            assert_eq!((count(&statuses, 201), count(&statuses, 409)), (1, 1), "{statuses:?}");
            eventually("it is paid", WHILE, || {
                (site.provider.books(|books| books.times_paid(&made.payment_hash)) == 1).then_some(())
            });
            // A further request after the payment is refused too.
            try_withdraw(&users[0], &made.text).problem(409, "invoice_used");
        }
        eventually("both are charged for what was theirs", WHILE, || {
            (users.iter().map(sats).sum::<i64>() == 100_000 - 5 * 501).then_some(())
        });
        site.assert_sound();
    });
}

/// A hundred simultaneous withdrawals ask for twice the balance. Each request that has to wait is repeated until it is
/// accepted or the balance is spent.
#[test]
fn a_hundred_withdrawals_beyond_the_balance() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        let invoices: Vec<Made> = (0..100).map(|_| site.invoice(1_000)).collect();
        let statuses = at_once(&invoices, |made| insist(&ann, made));
        let taken = count(&statuses, 201);
        assert_eq!(taken + count(&statuses, 409), 100, "{statuses:?}");
        // Each withdrawal holds 1,010 sats and costs 1,001. A withdrawal that was not sent is refunded.
        let rest = || {
            let all = ann.get("/api/withdrawals?limit=100").ok(200);
            let count = |status: &str| {
                all.as_array().expect("a list").iter().filter(|one| one["status"] == status).count()
            };
            (count("paid") + count("refunded") == taken).then(|| (count("paid"), count("refunded")))
        };
        let (paid, refunded) = eventually("all have ended", WHILE, rest);
        assert!(paid == 49 || (paid < 49 && refunded > 0), "{kind:?}: {paid} paid, {refunded} refunded");
        assert_eq!(site.provider.books(|books| books.paid.len()), paid);
        assert_eq!(sats(&ann), 50_000 - 1_001 * i64::try_from(paid).expect("few"));
        assert!(site.provider.books(|books| books.sent()) <= 50_000_000);
        site.assert_sound();
    });
}

/// Repeats the request until it is accepted or finally refused.
fn insist(user: &Client, made: &Made) -> u16 {
    loop {
        let answer = try_withdraw(user, &made.text);
        match answer.status {
            429 => thread::sleep(Duration::from_millis(50)),
            // The balance may be too low only while other withdrawals hold their reserve, so a later attempt
            // may succeed.
            409 if user.get("/api/withdrawals?limit=3").text.contains("\"sending\"") => {
                thread::sleep(Duration::from_millis(50));
            }
            status => return status,
        }
    }
}

/// Runs many withdrawals at once while every second call to the provider fails with this fault.
fn over_a_flapping_provider(kind: Kind, fault: Fault) {
    let site = Site::start(kind);
    let users: Vec<Client> = (0..6).map(|n| site.user(&format!("user{n}"), 5_000)).collect();
    for call in [Call::FeeReserve, Call::Pay, Call::LookUpPayment] {
        site.provider.flap(call, fault);
    }
    let wanted: Vec<(&Client, Made)> = users
        .iter()
        .flat_map(|user| (0..3).map(move |_| user))
        .map(|user| (user, site.invoice(1_000)))
        .collect();
    let statuses = at_once(&wanted, |(user, made)| try_withdraw(user, &made.text).status);
    assert_eq!(count(&statuses, 201), 18, "{statuses:?}");

    // The faults end after 5 s. The intervals between look-ups grow, so after a longer fault the withdrawals would take
    // minutes to end.
    thread::sleep(Duration::from_secs(5));
    site.provider.heal();
    let left = come_to_rest(&site, &users);
    let paid = site.provider.books(|books| books.paid.len());
    match kind {
        // Half of the withdrawals fail at the request for the fee reserve, and are refunded. Half of the others fail at
        // the payment. If LNbits has not paid them, they stay open, because LNbits cannot prove that it has not paid.
        Kind::Lnbits if fault == Fault::CloseBefore || fault == Fault::ErrorBefore => {
            assert!(paid > 0 && !left.is_empty() && paid + left.len() < 18, "{paid} paid, {left:?}");
        }
        Kind::Lnbits => assert!(paid > 0 && paid < 18 && left.is_empty(), "{paid} paid, {left:?}"),
        Kind::Lnd => assert_eq!((paid, left.len()), (18, 0), "{left:?}"),
    }
    site.assert_sound();
    settle_what_is_left(&site, &left);
    let rest: i64 = users.iter().map(sats).sum();
    assert_eq!(rest, 6 * 5_000 - 1_001 * i64::try_from(paid).expect("few"));
    site.assert_sound();
}

/// The operator settles the withdrawals whose result only the operator can find out. After an hour, the admin panel
/// counts them as in doubt.
fn settle_what_is_left(site: &Site, left: &[Value]) {
    let admin = site.server.admin("admin");
    assert_eq!(admin.get("/api/admin/wallet").ok(200)["inDoubt"], 0);
    age(site, 1);
    assert_eq!(admin.get("/api/admin/wallet").ok(200)["inDoubt"], left.len());
    for withdrawal in left {
        settle(site, withdrawal["id"].as_str().expect("an id"), "refunded");
    }
    assert_eq!(admin.get("/api/admin/wallet").ok(200)["inDoubt"], 0);
}

#[test]
fn many_users_over_a_provider_that_closes_connections() {
    both(|kind| over_a_flapping_provider(kind, Fault::CloseAfter));
}

#[test]
fn many_users_over_a_provider_that_does_nothing() {
    both(|kind| over_a_flapping_provider(kind, Fault::CloseBefore));
}

#[test]
fn many_users_behind_a_proxy_that_loses_the_answer() {
    both(|kind| over_a_flapping_provider(kind, Fault::ErrorAfter));
}

#[test]
fn many_users_behind_a_proxy_that_loses_the_request() {
    both(|kind| over_a_flapping_provider(kind, Fault::ErrorBefore));
}

#[test]
fn many_users_over_a_provider_that_cuts_its_answers() {
    both(|kind| over_a_flapping_provider(kind, Fault::CutBody));
}
