//! A backup replaces the database after sats have moved. `lnbits_restores` tests this with a real LNbits.

use std::fs;
use std::path::{Path, PathBuf};

use bolts_testkit::provider::{Call, Kind, Made, Point};
use serde_json::json;

use crate::harness::{Client, Server, eventually};
use crate::sats::{Site, WHILE, both, sats, see, try_withdraw, until, withdraw};

/// Runs `bolts backup`. The backup is a file in the folder of the database.
pub(crate) fn back_up(server: &Server) -> PathBuf {
    let file = server.database.file().with_file_name("backup.db");
    let copied = server.command(&["backup", &file.display().to_string()]);
    assert!(copied.status.success(), "{copied:?}");
    file
}

/// Replaces the database of a stopped server by a copy, as docs/operations.md describes.
pub(crate) fn put_back(server: &Server, copy: &Path) {
    let file = server.database.file();
    for ending in ["-wal", "-shm"] {
        let beside = format!("{}{ending}", file.display());
        if Path::new(&beside).exists() {
            fs::remove_file(beside).expect("it can be removed");
        }
    }
    fs::copy(copy, file).expect("it can be copied");
}

/// Makes a copy in which withdrawals are not paused, like a snapshot of the machine. SQLite makes the copy, because the
/// last write of a stopped server may be only in the write-ahead log, and not in the database file.
pub(crate) fn snapshot(server: &Server) -> PathBuf {
    let file = server.database.file().with_file_name("snapshot.db");
    server.database.execute(&format!("VACUUM INTO '{}'", file.display()));
    file
}

fn again(site: &mut Site, user: &Client) -> Client {
    site.server.restart();
    site.server.client().with_cookie(user.cookie())
}

/// Books the payments of both users. Returns the exit status and the output of the last command.
fn book_payments(site: &Site, of_ann: &Made, of_bob: &Made) -> (Option<i32>, String) {
    let book = |whose: &[&str]| site.reconcile("withdrawals", &[whose, &["--reason", "restored"]].concat());
    match site.provider.kind() {
        Kind::Lnbits => book(&["--apply"]),
        // LND's records do not name the users.
        Kind::Lnd => {
            book(&[&of_bob.payment_hash, "--user", "bob@example.com"]);
            book(&[&of_ann.payment_hash, "--user", "ann@example.com"])
        }
    }
}

/// Bob deposits after the backup, and withdraws a part of the same sats.
#[test]
fn a_restored_backup_pays_nothing_twice() {
    both(|kind| {
        let mut site = Site::start(kind);
        let (ann, bob) = (site.user("ann", 10_000), site.user("bob", 0));
        let copy = back_up(&site.server);
        let made = site.invoice(4_000);
        let id = withdraw(&ann, &made);
        until(&ann, &id, "paid");
        let deposit = site.deposit(&bob, 25_000);
        site.provider.receive(&deposit.hash, 25_000_000);
        eventually("the deposit is credited", WHILE, || deposit.is_paid(&bob).then_some(()));
        let of_bob = site.invoice(20_000);
        let id = withdraw(&bob, &of_bob);
        until(&bob, &id, "paid");

        site.server.kill();
        put_back(&site.server, &copy);
        let ann = again(&mut site, &ann);
        let bob = site.server.client().with_cookie(bob.cookie());
        assert_eq!((sats(&ann), sats(&bob)), (10_000, 0), "{kind:?}");
        try_withdraw(&ann, &made.text).problem(409, "withdrawals_paused");
        assert_eq!(site.server.command(&["withdrawals", "resume"]).status.code(), Some(1));

        let (status, said) = site.reconcile("withdrawals", &[]);
        assert!(status == Some(1) && said.contains(&made.payment_hash), "{kind:?} {said}");
        let (status, said) =
            site.reconcile("withdrawals", &[&of_bob.payment_hash, "--own", "--reason", "restored"]);
        assert!(status == Some(1) && said.contains("bolts deposits reconcile"), "{kind:?} {said}");
        let (status, said) = site.reconcile("deposits", &["--apply", "--reason", "restored"]);
        assert_eq!(status, Some(0), "{kind:?} {said}");
        assert_eq!(site.server.command(&["withdrawals", "resume"]).status.code(), Some(1), "payments differ");
        let (status, said) = book_payments(&site, &made, &of_bob);
        assert_eq!(status, Some(0), "{kind:?} {said}");
        assert_eq!((sats(&ann), sats(&bob)), (10_000 - 4_001, 25_000 - 20_001), "{kind:?}");
        assert_eq!(deposit.status(&bob)["credited"], 25_000, "the page that is open finds it: {kind:?}");

        let resumed = site.server.command(&["withdrawals", "resume"]);
        assert!(resumed.status.success(), "{resumed:?}");
        try_withdraw(&ann, &made.text).problem(409, "invoice_used");
        let id = withdraw(&ann, &site.invoice(900));
        until(&ann, &id, "paid");
        assert_eq!(site.provider.calls(Call::Pay), 3, "{kind:?}");
        site.assert_sound();
    });
}

/// A snapshot contains no pause of withdrawals, and the provider's balance is high enough. Only the provider's lists
/// show that the database is an old snapshot.
#[test]
fn a_snapshot_that_was_rolled_back_is_noticed() {
    both(|kind| {
        let mut site = Site::start(kind);
        let ann = site.user("ann", 10_000);
        site.server.stop();
        let copy = snapshot(&site.server);
        let ann = again(&mut site, &ann);
        let made = site.invoice(4_000);
        let id = withdraw(&ann, &made);
        until(&ann, &id, "paid");

        site.server.kill();
        put_back(&site.server, &copy);
        let ann = again(&mut site, &ann);
        // Soon after the restore, the user requests a withdrawal with the payment hash of the lost payment, and another one.
        let lost = try_withdraw(&ann, &made.text);
        assert_eq!(lost.status, 409, "{kind:?}: {lost:?}");
        let asked = try_withdraw(&ann, &site.invoice(5_000).text);
        assert!([201, 409].contains(&asked.status), "{asked:?}");
        let config = || ann.get("/api/config").ok(200);
        eventually("withdrawals are paused", WHILE, || {
            (config()["withdrawalsPaused"] == json!(true)).then_some(())
        });
        assert_eq!(site.provider.calls(Call::Pay), 1, "{kind:?}");
        site.assert_sound();
    });
}

/// In the restored database the withdrawal was never sent, but the provider has paid it since the backup.
#[test]
fn a_withdrawal_of_a_restored_copy_is_not_settled_before_it_is_reconciled() {
    let mut site = Site::start(Kind::Lnbits);
    let ann = site.user("ann", 10_000);
    let made = site.invoice(4_000);
    let gate = site.provider.stall(Call::FeeReserve, Point::BeforeAnswering);
    let id = withdraw(&ann, &made);
    gate.wait();
    let copy = back_up(&site.server);
    drop(gate);
    until(&ann, &id, "paid");

    site.server.kill();
    put_back(&site.server, &copy);
    let ann = again(&mut site, &ann);
    assert_eq!(see(&ann, &id)["status"], "held");
    let settled = site.server.settle(&[&id, "refunded", "--reason", "it was never sent"]);
    let said = String::from_utf8_lossy(&settled.stderr).into_owned();
    assert!(settled.status.code() == Some(1) && said.contains("withdrawals reconcile"), "{settled:?}");

    let (status, said) = site.reconcile("withdrawals", &["--apply", "--reason", "restored"]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!((&see(&ann, &id)["status"], sats(&ann)), (&json!("paid"), 10_000 - 4_001));
    site.assert_sound();
}
