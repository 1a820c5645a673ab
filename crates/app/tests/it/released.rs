//! Databases of released versions: the newest program migrates them, audits them and serves them.
//! `packaging/released.py` made them with the program of the release.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use flate2::read::GzDecoder;
use serde_json::json;

use crate::database::Database;
use crate::harness::{Client, Server, binary, eventually};

/// The folders of all released versions.
pub(crate) fn released() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released");
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).expect("the releases").map(|entry| entry.expect("a release").path()).collect();
    found.sort();
    assert!(found.iter().any(|path| path.ends_with("0.1.0")), "{found:?}");
    found
}

/// The content of a compressed file.
pub(crate) fn unpacked(path: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    GzDecoder::new(file).read_to_end(&mut content).expect("a gzip file");
    content
}

pub(crate) fn migrate(database: &Database, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = binary();
    command.arg("migrate").args(arguments).arg("--database-url").arg(database.url());
    let done = command.output().expect("it runs");
    (done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned())
}

#[test]
fn every_release_is_migrated_audited_and_served() {
    for release in released() {
        let database = Arc::new(Database::released(&release));
        let (status, said) = migrate(&database, &["--check"]);
        let (again, same) = migrate(&database, &["--check"]);
        assert_eq!((status, &said), (again, &same), "the check changes nothing");
        assert_eq!(status == Some(1), said.contains("would apply "), "{said}");

        let server = Server::on(database.clone(), vec![]);
        server.assert_audit_clean();
        let (status, said) = migrate(&database, &["--check"]);
        assert!(status == Some(0) && said.contains("The schema is current"), "{said}");
        plays(&server, &release);
        server.assert_audit_clean();
    }
}

/// Users of the release sign in, see their sats and bets, and settle a new bet. Each check holds at any time after the
/// release: the deadlines of its bets pass, and its open deposit may be paid.
fn plays(server: &Server, release: &Path) {
    let password = fs::read_to_string(release.join("password")).expect("the password");
    let signed_in = |name: &str| {
        let client = server.client();
        let login = json!({"email": format!("{name}@example.com"), "password": password.trim()});
        client.post("/api/auth/login", login).ok(200);
        client
    };
    let (ada, ben) = (signed_in("ada"), signed_in("ben"));
    has_her_sats(&ada);
    let public = |status: &str| {
        let found = ada.get(&format!("/api/bets/public?limit=100&status={status}")).ok(200);
        found.as_array().map_or(0, Vec::len)
    };
    let statuses = ["pending", "accepted", "awaiting_resolution", "resolved", "cancelled"];
    assert!(statuses.into_iter().map(public).sum::<usize>() >= 16, "all public bets of the demo");
    assert!(public("resolved") > 0 && public("cancelled") > 0);

    let (before, bet) = (ada.bolts(), ada.bet(100));
    ben.accept(&bet).ok(200);
    ada.act(&bet, "early-resolution", json!({})).ok(200);
    ada.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    let settled = ben.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
    assert_eq!(settled["status"], "resolved");
    assert!(ada.bolts() >= before + 100, "the stake of the loser, and perhaps rewards");
}

/// The release has a deposit of 5,000 and a withdrawal of 1,200 with 1 for its route.
fn has_her_sats(ada: &Client) {
    assert_eq!(ada.get("/api/withdrawals").ok(200).as_array().map(Vec::len), Some(1));
    eventually("the balance is the sum of all movements", Duration::from_secs(30), || {
        let moved = ada.get("/api/wallet/history?limit=100").ok(200);
        let sats = moved.as_array()?.iter().filter(|one| one["currency"] == "sats");
        let amounts: Vec<i64> = sats.filter_map(|one| one["amount"].as_i64()).collect();
        assert!([5_000, -1_212, 11].iter().all(|amount| amounts.contains(amount)), "{moved}");
        let user = ada.get("/api/auth/user").ok(200);
        (user["satsBalance"].as_i64() == Some(amounts.iter().sum())).then_some(())
    });
}

/// `bolts migrate` does the same without serving, and a second run does nothing.
#[test]
fn migrate_alone_brings_a_release_up_to_date() {
    for release in released() {
        let database = Database::released(&release);
        let (status, said) = migrate(&database, &[]);
        assert!(status == Some(0) && said.contains("The schema is current"), "{said}");
        let (status, said) = migrate(&database, &[]);
        assert!(status == Some(0) && !said.contains("applies"), "{said}");
        let audit =
            binary().arg("audit").arg("--database-url").arg(database.url()).output().expect("it runs");
        assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
    }
}
