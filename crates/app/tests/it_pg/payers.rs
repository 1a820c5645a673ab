//! Several server processes that handle the same deposits and withdrawals.

use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fault, Kind, Made};
use serde_json::json;

use crate::harness::{Client, Server, eventually};
use crate::races::at_once;
use crate::sats::{Site, WHILE, sats, until, withdraw};

/// A second process of the site.
fn another(site: &Site) -> Server {
    Server::on(site.server.database.clone(), site.server.arguments.clone())
}

/// A second process of the site, and the user's browser at that process.
fn other(site: &Site, user: &Client) -> (Server, Client) {
    let other = another(site);
    let user = other.client().with_cookie(user.cookie());
    (other, user)
}

#[test]
fn each_hash_is_sent_once() {
    let site = Site::start(Kind::Lnbits);
    let users: Vec<Client> = (0..8).map(|n| site.user(&format!("user{n}"), 5_000)).collect();
    let second = another(&site);
    let wanted: Vec<(Client, Made)> = users
        .iter()
        .flat_map(|user| (0..3).map(move |n| (user, n)))
        .map(|(user, n)| {
            let server = if n % 2 == 0 { &site.server } else { &second };
            (server.client().with_cookie(user.cookie()), site.invoice(1_000))
        })
        .collect();
    // The answers are delayed, so that both processes see open withdrawals.
    site.provider.fail(Call::Pay, Fault::Slow(Duration::from_millis(1_800)));
    at_once(&wanted, |(user, made)| {
        withdraw(user, made);
        201
    });
    for user in &users {
        let all = user.get("/api/withdrawals").ok(200);
        for withdrawal in all.as_array().expect("a list") {
            until(user, withdrawal["id"].as_str().expect("an id"), "paid");
        }
        assert_eq!(sats(user), 5_000 - 3 * 1_001);
    }
    for (_, made) in &wanted {
        assert_eq!(site.provider.calls_for(&made.payment_hash, Call::Pay), 1);
    }
    site.assert_sound();
}

#[test]
fn another_process_ends_a_withdrawal() {
    for kind in Kind::ALL {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        let made = site.invoice(1_000);
        let (_second, there) = other(&site, &ann);
        let gate = site.provider.stall(Call::Pay, bolts_testkit::provider::Point::BeforeAnswering);
        let id = withdraw(&ann, &made);
        gate.wait();
        site.server.kill();
        drop(gate);
        until(&there, &id, "paid");
        assert_eq!(site.provider.books(|books| books.times_paid(&made.payment_hash)), 1);
        site.assert_sound();
    }
}

#[test]
fn a_deposit_that_several_processes_notice_is_credited_once() {
    let site = Site::start(Kind::Lnd);
    let ann = site.user("ann", 0);
    let (_second, there) = other(&site, &ann);
    let deposits: Vec<_> = (0..10).map(|_| site.deposit(&ann, 2_500)).collect();
    deposits.iter().for_each(|deposit| site.provider.receive(&deposit.hash, 2_500_000));
    thread::scope(|scope| {
        for deposit in &deposits {
            for user in [&ann, &there] {
                scope.spawn(move || {
                    eventually("it is credited", WHILE, || deposit.is_paid(user).then_some(()));
                    let path = format!("/api/deposit/webhook/{}", deposit.id);
                    assert_eq!(user.send("POST", &path, &[], &json!({"paid": true}).to_string()).status, 200);
                });
            }
        }
    });
    assert_eq!(sats(&ann), 25_000);
    site.assert_sound();
}
