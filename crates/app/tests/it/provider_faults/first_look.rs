//! The server sends no payment until a check has shown that the provider holds the users' sats. While sats seem to be
//! missing, the server sends no payment either.

use bolts_testkit::provider::{Call, Fault, Kind};

use super::metric;
use crate::harness::{Client, eventually};
use crate::sats::{Site, WHILE, both, sats, see, try_withdraw, until, withdraw};

/// Waits until the provider has got this number of further calls of this kind.
fn called(site: &Site, call: Call, times: usize) {
    let before = site.provider.calls(call);
    eventually("it is asked", WHILE, || (site.provider.calls(call) >= before + times).then_some(()));
}

fn again(site: &mut Site, user: &Client) -> Client {
    site.server.restart();
    site.server.client().with_cookie(user.cookie())
}

#[test]
fn nothing_is_sent_before_a_clean_first_look() {
    both(|kind| {
        std::thread::scope(|scope| {
            for call in [Call::Balance, Call::Introduce, Call::List] {
                scope.spawn(move || nothing_is_sent_while_this_fails(kind, call));
            }
        });
    });
}

fn nothing_is_sent_while_this_fails(kind: Kind, call: Call) {
    let (mut site, metrics) = Site::start_with_metrics(kind);
    let ann = site.user("ann", 50_000);
    site.server.kill();
    site.provider.fail(call, Fault::ErrorBefore);
    let ann = again(&mut site, &ann);
    let id = withdraw(&ann, &site.invoice(900));
    called(&site, call, 2);
    assert_eq!(see(&ann, &id)["status"], "held", "{kind:?} {call:?}");
    assert_eq!(site.provider.calls(Call::Pay), 0, "{kind:?} {call:?}");
    assert_eq!(ann.get("/api/config").ok(200)["withdrawalsWaiting"], true, "{kind:?} {call:?}");
    let metric = |name| metric(&metrics, name);
    assert_eq!(metric("bolts_withdrawals_unchecked"), 1.0, "{kind:?} {call:?}");
    assert!(metric("bolts_withdrawals_held_oldest_seconds") > 0.0, "{kind:?} {call:?}");
    site.provider.heal();
    until(&ann, &id, "paid");
    let is_checked = || metric("bolts_withdrawals_unchecked") == 0.0;
    eventually("the metrics show the clean check", WHILE, || is_checked().then_some(()));
    assert_eq!(metric("bolts_withdrawals_held_oldest_seconds"), 0.0, "{kind:?} {call:?}");
    assert_eq!(ann.get("/api/config").ok(200)["withdrawalsWaiting"], false, "{kind:?} {call:?}");
    site.assert_sound();
}

/// A single check that finds too low a balance stops the sending at once. Only three such checks pause withdrawals.
#[test]
fn nothing_is_sent_while_a_look_is_suspicious() {
    both(|kind| {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        let first = withdraw(&ann, &site.invoice(900));
        until(&ann, &first, "paid");
        // If the provider reports no balance, the server's own checks do not change `is_suspect`.
        site.provider.fail(Call::Balance, Fault::ErrorBefore);
        // This statement writes the same record as another process would after a check that finds missing sats.
        let seen = r#"UPDATE settings SET value = replace(value, '"is_suspect":false', '"is_suspect":true')
                      WHERE name = 'solvency'"#;
        site.server.database.execute(seen);
        let second = withdraw(&ann, &site.invoice(800));
        // The worker runs every second, so it sees both held withdrawals during the 3 s.
        let third = withdraw(&ann, &site.invoice(700));
        std::thread::sleep(std::time::Duration::from_secs(3));
        assert_eq!([&second, &third].map(|id| see(&ann, id)["status"].clone()), ["held", "held"], "{kind:?}");
        assert_eq!(site.provider.calls(Call::Pay), 1, "{kind:?}");

        // After the next check without missing sats, the server sends both withdrawals.
        site.server.kill();
        site.provider.heal();
        let ann = again(&mut site, &ann);
        until(&ann, &second, "paid");
        until(&ann, &third, "paid");
        site.assert_sound();
    });
}

/// The operator's own sats must not make up for missing sats of users.
#[test]
fn the_operators_float_hides_no_loss() {
    both(|kind| {
        let mut site = Site::start_with(kind, &["--float", "30000"]);
        let ann = site.user("ann", 50_000);
        site.server.kill();
        site.provider.books(|books| books.balance = 80_000_000);
        let ann = again(&mut site, &ann);
        let id = withdraw(&ann, &site.invoice(900));
        until(&ann, &id, "paid");

        site.server.kill();
        // The balance is 1 msat lower than the sum of 49,099 sats of users and 30,000 sats of the operator.
        site.provider.books(|books| books.balance = 79_098_999);
        let ann = again(&mut site, &ann);
        let made = site.invoice(500);
        let is_paused = || ann.get("/api/config").ok(200)["withdrawalsPaused"] == true;
        eventually("withdrawals are paused", WHILE, || is_paused().then_some(()));
        try_withdraw(&ann, &made.text).problem(409, "withdrawals_paused");
        assert_eq!((sats(&ann), site.provider.calls(Call::Pay)), (49_099, 1), "{kind:?}");
        site.assert_sound();
    });
}
