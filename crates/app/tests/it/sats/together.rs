//! Many withdrawals at once.

use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fault, Kind, Made};

use super::{Site, WHILE, both, sats, try_withdraw, until};
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
            // And once more, after it was paid.
            try_withdraw(&users[0], &made.text).problem(409, "invoice_used");
        }
        eventually("both are charged for what was theirs", WHILE, || {
            (users.iter().map(sats).sum::<i64>() == 100_000 - 5 * 501).then_some(())
        });
        site.assert_sound();
    });
}

/// A hundred at once that ask for twice what is there. Who is told to wait tries again, until the balance is spent.
#[test]
fn a_hundred_that_exceed_the_balance() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        let invoices: Vec<Made> = (0..100).map(|_| site.invoice(1_000)).collect();
        let statuses = at_once(&invoices, |made| insist(&ann, made));
        let taken = count(&statuses, 201);
        assert_eq!(taken + count(&statuses, 409), 100, "{statuses:?}");
        // Each holds 1,010 and costs 1,001; one that could not be sent at all was refunded.
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

/// Asks until it is taken or refused for good.
fn insist(user: &Client, made: &Made) -> u16 {
    loop {
        let answer = try_withdraw(user, &made.text);
        match answer.status {
            429 => thread::sleep(Duration::from_millis(50)),
            // Short only as long as others hold their reserve: the last sats may come back.
            409 if user.get("/api/withdrawals?limit=3").text.contains("\"sending\"") => {
                thread::sleep(Duration::from_millis(50));
            }
            status => return status,
        }
    }
}

/// All at once, over a provider that breaks off every other answer.
#[test]
fn many_users_over_a_flapping_provider() {
    let site = Site::start(Kind::Lnd);
    let users: Vec<Client> = (0..6).map(|n| site.user(&format!("user{n}"), 5_000)).collect();
    for call in [Call::Pay, Call::LookUpPayment] {
        site.provider.flap(call, Fault::CloseAfter);
    }
    let wanted: Vec<(&Client, Made)> = users
        .iter()
        .flat_map(|user| (0..3).map(move |_| user))
        .map(|user| (user, site.invoice(1_000)))
        .collect();
    let ids = at_once(&wanted, |(user, made)| {
        let taken = try_withdraw(user, &made.text);
        assert_eq!(taken.status, 201, "{taken:?}");
        taken.status
    });
    assert_eq!(count(&ids, 201), 18);
    for user in &users {
        let all = user.get("/api/withdrawals").ok(200);
        for withdrawal in all.as_array().expect("a list") {
            until(user, withdrawal["id"].as_str().expect("an id"), "paid");
        }
        assert_eq!(sats(user), 5_000 - 3 * 1_001);
    }
    assert_eq!(site.provider.books(|books| books.paid.len()), 18);
    site.assert_sound();
}
