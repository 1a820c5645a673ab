//! The solvency check, which compares the users' sats with the provider's balance.

use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fate, Fault};
use serde_json::{Value, json};

use crate::harness::{Client, eventually};
use crate::sats::{Site, WHILE, both, sats, settle, try_withdraw, until, withdraw};

#[test]
fn a_breach_pauses_withdrawals_and_raises_the_alarm() {
    both(|kind| {
        let (mut site, metrics) = Site::start_with_metrics(kind);
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
            metrics.get("/metrics").text.contains("bolts_solvency_suspicion 2").then_some(())
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

/// Kills the server, starts a new process, and returns the user's browser for the new process.
fn again(site: &mut Site, user: &Client) -> Client {
    site.server.kill();
    site.server.restart();
    site.server.client().with_cookie(user.cookie())
}

/// The operator refunds a withdrawal that the provider still lists as pending, like LNbits after an outage of its node.
/// The provider has subtracted the payment and the routing reserve from its balance. No sat is missing.
#[test]
fn refunded_here_and_still_pending_there_is_no_breach() {
    both(|kind| {
        let (mut site, metrics) = Site::start_with_metrics(kind);
        // All sats in the wallet belong to users.
        site.provider.books(|books| books.balance = 0);
        let ann = site.user("ann", 50_000);
        let made = site.invoice(900);
        site.provider.books(|books| books.fates.insert(made.payment_hash.clone(), Fate::IsHeld));
        let id = withdraw(&ann, &made);
        until(&ann, &id, "sending");
        settle(&site, &id, "refunded");
        assert_eq!((sats(&ann), site.provider.books(|books| books.balance)), (50_000, 49_099_000));

        // After a start the server sends nothing until a check of the balance finds no missing sats.
        let earlier_log = site.server.log();
        let ann = again(&mut site, &ann);
        let other = withdraw(&ann, &site.invoice(500));
        until(&ann, &other, "paid");
        let named = "refunded here, still pending there";
        assert!((earlier_log + &site.server.log()).contains(named), "the log names it");
        let admin = site.server.admin("admin");
        let wallet = admin.get("/api/admin/wallet").ok(200);
        let shown = &wallet["solvency"];
        assert_eq!((&shown["stillPending"], &shown["withheld"]), (&json!(1), &json!(901)), "{wallet}");
        assert_eq!((&shown["isCovered"], &wallet["pause"]), (&json!(true), &Value::Null), "{wallet}");
        let text = metrics.get("/metrics").text;
        for line in ["bolts_solvency_withheld_sats 901\n", "bolts_withdrawals_still_pending 1\n"] {
            assert!(text.contains(line), "{line}: {text}");
        }
        for command in [&["audit"][..], &["withdrawals", "list"]] {
            let line = pending_line(&site, command).expect("it is named");
            assert!(line.contains(&id) && line.contains("withholds 901 sats"), "{line}");
        }

        // The withheld sats do not hide a shortfall: one more sat is missing.
        site.provider.books(|books| books.balance -= 1_000);
        let ann = again(&mut site, &ann);
        let listed =
            || String::from_utf8_lossy(&site.server.command(&["withdrawals", "list"]).stdout).into_owned();
        let paused = eventually("withdrawals are paused", WHILE, || {
            Some(listed()).filter(|listed| listed.contains("Withdrawals are paused"))
        });
        let reason = "holds 1 sats less than the users have, besides 901 sats that it withholds for refunded withdrawals";
        assert!(paused.contains(reason), "{paused}");

        // The sat is back, and the operator has removed the payment at the provider.
        site.provider.books(|books| {
            books.balance += 1_000;
            books.finish(&made.payment_hash, false);
        });
        assert!(site.server.command(&["withdrawals", "resume"]).status.success());
        let ann = again(&mut site, &ann);
        let last = withdraw(&ann, &site.invoice(400));
        until(&ann, &last, "paid");
        assert_eq!(pending_line(&site, &["audit"]), None);
        site.assert_sound();
    });
}

/// The first line of the command's output that names a refund with a pending payment.
fn pending_line(site: &Site, command: &[&str]) -> Option<String> {
    let said = String::from_utf8_lossy(&site.server.command(command).stdout).into_owned();
    said.lines().find(|line| line.starts_with("PENDING")).map(str::to_owned)
}

/// A single sample with missing sats, or samples without an answer of the provider, do not pause withdrawals.
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
            // Without the sample of the killed process, the next sample is one with the fault.
            site.server.database.execute("DELETE FROM settings WHERE name = 'solvency'");
            let asked = site.provider.calls(Call::Balance);
            site.provider.fail(Call::Balance, fault);
            site.server.restart();
            let admin = site.server.client().with_cookie(cookie.clone());
            let wallet = eventually("a sample is taken", WHILE, || {
                let wallet = admin.get("/api/admin/wallet").ok(200);
                (!wallet["solvency"].is_null()).then_some(wallet)
            });
            assert!(site.provider.calls(Call::Balance) > asked, "{kind:?} {fault:?}");
            assert!(wallet["pause"].is_null(), "{kind:?} {fault:?}: {wallet}");
            assert_ne!(wallet["solvency"]["isCovered"], false, "{kind:?} {fault:?}: {wallet}");
            site.provider.heal();
        }
        drop(ann);
        site.assert_sound();
    });
}
