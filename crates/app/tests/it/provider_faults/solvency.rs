//! The solvency check: the users' sats against the provider's balance.

use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fault};

use crate::harness::eventually;
use crate::sats::{Site, WHILE, both, sats, try_withdraw, until, withdraw};

#[test]
fn a_breach_pauses_withdrawals_and_raises_the_alarm() {
    both(|kind| {
        let (mut site, figures) = Site::start_with_figures(kind);
        let ann = site.user("ann", 50_000);
        site.server.kill();
        site.provider.books(|books| books.balance = 49_999_999);
        site.server.restart();
        let ann = site.server.client().with_cookie(ann.cookie());
        let admin = site.server.admin("admin");
        let wallet = eventually("withdrawals are paused", WHILE, || {
            Some(admin.get("/api/admin/wallet").ok(200)).filter(|wallet| !wallet["pause"].is_null())
        });
        assert!(
            wallet["pause"]["reason"].as_str().is_some_and(|why| why.contains("1 sats less")),
            "{wallet}"
        );
        assert_eq!(wallet["solvency"]["isCovered"], false, "{wallet}");
        assert_eq!(wallet["solvency"]["liabilities"], 50_000, "{wallet}");
        assert_eq!(ann.get("/api/config").ok(200)["withdrawalsPaused"], true);
        eventually("the alarm is a metric", WHILE, || {
            figures.get("/metrics").text.contains("bolts_solvency_suspicion 2").then_some(())
        });
        let alarms = || {
            let is_alarm = |line: &&str| line.contains("users' sats are not covered; withdrawals are paused");
            site.server.log().lines().filter(is_alarm).filter(|line| line.contains("ERROR")).count()
        };
        eventually("the alarm is in the log", WHILE, || (alarms() == 1).then_some(()));

        let made = site.invoice(500);
        try_withdraw(&ann, &made.text).problem(409, "withdrawals_paused");
        assert_eq!((sats(&ann), site.provider.calls(Call::Pay)), (50_000, 0));
        // Withdrawals do not resume by themselves. The operator must look into the breach first.
        site.provider.books(|books| books.balance = 100_000_000);
        let resumed = site.server.command(&["withdrawals", "resume"]);
        assert!(resumed.status.success());
        let id = withdraw(&ann, &made);
        until(&ann, &id, "paid");
        assert_eq!(alarms(), 1, "it is raised once");
        site.assert_sound();
    });
}

/// One bad or missing sample is no breach.
#[test]
fn flapping_answers_do_not_pause() {
    both(|kind| {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        site.server.kill();
        // The first sample shows missing sats. At the second and third sample the provider does not answer.
        site.provider.books(|books| books.balance = 1_000);
        site.server.restart();
        let asked = site.provider.calls(Call::Balance);
        eventually("a bad sample is taken", WHILE, || {
            (site.provider.calls(Call::Balance) > asked).then_some(())
        });
        site.provider.books(|books| books.balance = 100_000_000);
        site.provider.fail_once(Call::Balance, Fault::ErrorBefore);
        site.provider.fail_once(Call::Balance, Fault::Garbage);
        let asked = site.provider.calls(Call::Balance);
        eventually("three more are", WHILE, || {
            (site.provider.calls(Call::Balance) >= asked + 3).then_some(())
        });
        thread::sleep(Duration::from_millis(500));
        let ann = site.server.client().with_cookie(ann.cookie());
        assert_eq!(ann.get("/api/config").ok(200)["withdrawalsPaused"], false);
        let made = site.invoice(500);
        let id = withdraw(&ann, &made);
        until(&ann, &id, "paid");
        site.assert_sound();
    });
}

/// If the provider does not report its balance, the check neither raises nor clears an alarm.
#[test]
fn faults_on_the_balance_change_nothing() {
    both(|kind| {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        let cookie = site.server.admin("admin").cookie();
        for fault in Fault::ALL {
            site.server.kill();
            let asked = site.provider.calls(Call::Balance);
            site.provider.fail(Call::Balance, fault);
            site.server.restart();
            let admin = site.server.client().with_cookie(cookie.clone());
            eventually("the balance is asked for", WHILE, || {
                (site.provider.calls(Call::Balance) > asked).then_some(())
            });
            thread::sleep(Duration::from_millis(300));
            let wallet = admin.get("/api/admin/wallet").ok(200);
            assert!(wallet["pause"].is_null(), "{kind:?} {fault:?}: {wallet}");
            assert_ne!(wallet["solvency"]["isCovered"], false, "{kind:?} {fault:?}: {wallet}");
            site.provider.heal();
        }
        drop(ann);
        site.assert_sound();
    });
}
