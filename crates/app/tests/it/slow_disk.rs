//! Tests of a running server whose disk is slow or fails. A preloaded library delays or fails the system calls.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use serde_json::json;
use tempfile::TempDir;

use crate::database::Database;
use crate::harness::{Client, binary, eventually, new_bet};
use crate::wire::{address_of, serve};

/// The time in which a request is answered if it does not wait for the disk.
const MOMENT: Duration = Duration::from_millis(500);

const WHILE: Duration = Duration::from_secs(20);

struct Disk {
    folder: TempDir,
}

impl Disk {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/slow_disk.c");
        let library = folder.path().join("slow_disk.so");
        let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status();
        assert!(built.is_ok_and(|status| status.success()), "the library is not built");
        Self { folder }
    }

    fn order(&self) -> PathBuf {
        self.folder.path().join("order")
    }

    fn command(&self) -> Command {
        let mut command = binary();
        command.env("LD_PRELOAD", self.folder.path().join("slow_disk.so"));
        command.env("BOLTS_TEST_SYNC", self.order());
        command
    }

    fn says(&self, word: &str) {
        std::fs::write(self.order(), word).expect("written");
    }
}

/// A server that ends with this value.
struct Server(Child, String);

impl Server {
    fn start(command: Command, database: &Database) -> Self {
        let mut child = serve(command, &database.url(), &["--log", "error"], Stdio::null());
        let base = address_of(&mut child);
        Self(child, base)
    }

    fn user(&self, name: &str) -> Client {
        let client = Client::new(&self.1);
        client.register(&format!("{name}@example.com"));
        client
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn nothing_is_confirmed_or_shown_before_it_is_on_the_disk() {
    let (disk, database) = (Disk::new(), Database::new());
    let server = Server::start(disk.command(), &database);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let before = database.rows("bets");
    disk.says("hold");
    thread::scope(|scope| {
        let created = scope.spawn(|| ann.post("/api/bets", new_bet(json!({}))).ok(201));
        // The bet is committed, so a query may see it.
        eventually("a commit", WHILE, || (database.rows("bets") > before).then_some(()));
        let shown = scope.spawn(|| bob.get("/api/bets/public").ok(200));
        thread::sleep(MOMENT);
        assert!(!created.is_finished() && !shown.is_finished(), "an answer came before the sync");
        disk.says("go");
        let (created, shown) = (created.join().expect("no panic"), shown.join().expect("no panic"));
        assert_eq!(shown[0]["id"], created["id"]);
    });
    assert_eq!(ann.bolts(), 800);
}

/// After a failed sync the server cannot know which changes the disk has. So it ends without an answer, and the next start reads
/// the log.
#[test]
fn a_disk_that_fails_ends_the_server_and_takes_nothing_back() {
    let (disk, database) = (Disk::new(), Database::new());
    let mut server = Server::start(disk.command(), &database);
    let ann = server.user("ann");
    let confirmed = ann.bet(200);
    disk.says("fail");
    let headers = [("Content-Type", "application/json"), ("Origin", &server.1)];
    let answer = ann.try_send("POST", "/api/bets", &headers, new_bet(json!({})).to_string().into());
    assert!(answer.is_none(), "{answer:?}");
    let ended = server.0.wait().expect("the server ended");
    assert_eq!(ended.code(), None, "a signal: {ended}");
    let cookie = ann.cookie();

    let server = Server::start(binary(), &database);
    let ann = Client::new(&server.1).with_cookie(cookie);
    assert_eq!(ann.see(&confirmed)["status"], "pending");
    ann.post("/api/bets", new_bet(json!({}))).ok(201);
    let audit = binary().arg("audit").args(["--database-url", &database.url()]).output();
    assert!(audit.as_ref().is_ok_and(|audit| audit.status.success()), "{audit:?}");
}

#[test]
fn a_commit_that_fails_once_has_not_happened_after_a_crash_either() {
    let (disk, database) = (Disk::new(), Database::new());
    let server = Server::start(disk.command(), &database);
    let ann = server.user("ann");
    let mut confirmed = database.rows("bets");
    // A worker may write at the same time, and get the error.
    let has_failed = (0..20).any(|_| {
        disk.says("once");
        let answer = ann.post("/api/bets", new_bet(json!({"stakeAmount": 1})));
        confirmed += i64::from(answer.status == 201);
        answer.status == 503
    });
    drop(server);
    assert!(has_failed, "each write succeeded");

    let _server = Server::start(binary(), &database);
    assert_eq!(database.rows("bets"), confirmed);
}

/// The thread of checkpoints syncs the database file before the log is long. A reader holds back all checkpoints, so nothing else
/// syncs this file.
#[test]
fn a_database_file_that_cannot_be_synced_ends_the_server() {
    let (disk, database) = (Disk::new(), Database::new());
    let mut server = Server::start(disk.command(), &database);
    let ann = server.user("ann");
    let (mut reader, mut writer) = (database.connect(), database.connect());
    reader.batch_execute("BEGIN; SELECT count(*) FROM bets").expect("a reader");
    disk.says("file");
    let rows = "WITH RECURSIVE row (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row LIMIT 60000)";
    let filled = format!("CREATE TABLE filled AS {rows} SELECT zeroblob(4000) AS page FROM row");
    writer.batch_execute("PRAGMA wal_autocheckpoint = 0").expect("a pragma");
    writer.batch_execute(&filled).expect("a long log");
    // The server looks at the log after a commit of its own. It can end before it answers.
    let headers = [("Content-Type", "application/json"), ("Origin", &server.1)];
    drop(ann.try_send("POST", "/api/bets", &headers, new_bet(json!({})).to_string().into()));
    let ended = eventually("the end of the server", WHILE, || server.0.try_wait().expect("a state"));
    assert_eq!(ended.code(), None, "a signal: {ended}");
}
