//! Nothing is sent before the provider was seen to hold the users' sats, nor while it seems not to.

use bolts_testkit::provider::{Call, Fault};

use crate::harness::{Client, eventually};
use crate::sats::{Site, WHILE, both, sats, see, try_withdraw, until, withdraw};

/// Waits until the provider was called so this many times more.
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
        for call in [Call::Balance, Call::Introduce, Call::List] {
            let mut site = Site::start(kind);
            let ann = site.user("ann", 50_000);
            site.server.kill();
            site.provider.fail(call, Fault::ErrorBefore);
            let ann = again(&mut site, &ann);
            let id = withdraw(&ann, &site.invoice(900));
            called(&site, call, 2);
            assert_eq!(see(&ann, &id)["status"], "held", "{kind:?} {call:?}");
            assert_eq!(site.provider.calls(Call::Pay), 0, "{kind:?} {call:?}");
            site.provider.heal();
            until(&ann, &id, "paid");
            site.assert_sound();
        }
    });
}

/// A balance that is too small by the second look is one of three that pause; the first one holds back already.
#[test]
fn nothing_is_sent_while_a_look_is_suspicious() {
    both(|kind| {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        let first = withdraw(&ann, &site.invoice(900));
        until(&ann, &first, "paid");
        // As another process would note it that just looked.
        let seen = r#"UPDATE settings SET value = replace(value, '"is_suspect":false', '"is_suspect":true')
                      WHERE name = 'solvency'"#;
        site.server.database.execute(seen);
        let second = withdraw(&ann, &site.invoice(800));
        // A round of the worker has gone by once another one is held beside it.
        let third = withdraw(&ann, &site.invoice(700));
        std::thread::sleep(std::time::Duration::from_secs(3));
        assert_eq!([&second, &third].map(|id| see(&ann, id)["status"].clone()), ["held", "held"], "{kind:?}");
        assert_eq!(site.provider.calls(Call::Pay), 1, "{kind:?}");

        // The next clean look lets them go.
        site.server.kill();
        let ann = again(&mut site, &ann);
        until(&ann, &second, "paid");
        until(&ann, &third, "paid");
        site.assert_sound();
    });
}

/// The operator's own sats cover nobody's.
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
        // A sat of the users' is gone: 49,099 of theirs and 30,000 of the operator's would be there.
        site.provider.books(|books| books.balance = 79_098_999);
        let ann = again(&mut site, &ann);
        let made = site.invoice(500);
        let is_paused = || ann.get("/api/config").ok(200)["withdrawalsPaused"] == true;
        eventually("withdrawals are paused", WHILE, || is_paused().then_some(()));
        try_withdraw(&ann, &made.text).problem(409, "withdrawals_paused");
        assert_eq!((sats(&ann), site.provider.calls(Call::Pay)), (49_099, 1), "{kind:?}");
    });
}
