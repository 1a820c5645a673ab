//! Tests of a running server whose disk is slow or fails. A preloaded library delays or fails the system calls.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use serde_json::json;
use tempfile::TempDir;

use crate::database::Database;
use crate::harness::{Answer, Client, binary, eventually, new_bet};
use crate::wire::Process;

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

    /// A server on this disk.
    fn server(&self, database: &Arc<Database>) -> Process {
        let mut command = binary();
        command.env("LD_PRELOAD", self.folder.path().join("slow_disk.so"));
        command.env("BOLTS_TEST_SYNC", self.order());
        Process::start_on(database.clone(), command, &["--log", "warn"])
    }

    fn says(&self, word: &str) {
        std::fs::write(self.order(), word).expect("written");
    }
}

/// Creates a bet. `None` if the server ended before it answered.
fn try_to_create(server: &Process, user: &Client) -> Option<Answer> {
    let headers = [("Content-Type", "application/json"), ("Origin", &server.base)];
    user.try_send("POST", "/api/bets", &headers, new_bet(json!({})).to_string().into())
}

#[test]
fn nothing_is_confirmed_or_shown_before_it_is_on_the_disk() {
    let (disk, database) = (Disk::new(), Arc::new(Database::new()));
    let server = disk.server(&database);
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
    let (disk, database) = (Disk::new(), Arc::new(Database::new()));
    let mut server = disk.server(&database);
    let ann = server.user("ann");
    let confirmed = ann.bet(200);
    disk.says("fail");
    let answer = try_to_create(&server, &ann);
    assert!(answer.is_none(), "{answer:?}");
    let ended = server.wait_for_end();
    assert_eq!(ended.code(), None, "a signal: {ended}");
    let cookie = ann.cookie();

    let server = Process::start_on(database.clone(), binary(), &[]);
    let ann = server.client().with_cookie(cookie);
    assert_eq!(ann.see(&confirmed)["status"], "pending");
    ann.post("/api/bets", new_bet(json!({}))).ok(201);
    server.assert_audit_clean();
}

#[test]
fn a_commit_that_fails_once_has_not_happened_after_a_crash_either() {
    let (disk, database) = (Disk::new(), Arc::new(Database::new()));
    let server = disk.server(&database);
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

    let _server = Process::start_on(database.clone(), binary(), &[]);
    assert_eq!(database.rows("bets"), confirmed);
}

/// Adds this number of pages to the log, as another program. The server makes no checkpoint before its next commit.
fn fill_log(database: &Database, table: &str, pages: u32) {
    let mut writer = database.connect();
    let rows = "WITH RECURSIVE row (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row LIMIT";
    let filled = format!("CREATE TABLE {table} AS {rows} {pages}) SELECT zeroblob(4000) AS page FROM row");
    writer.batch_execute("PRAGMA wal_autocheckpoint = 0").expect("a pragma");
    writer.batch_execute(&filled).expect("a long log");
}

/// The thread of checkpoints syncs the database file before the log is long. The reader keeps each checkpoint from copying the
/// whole log, so no checkpoint syncs this file.
#[test]
fn a_database_file_that_cannot_be_synced_ends_the_server() {
    let (disk, database) = (Disk::new(), Arc::new(Database::new()));
    let mut server = disk.server(&database);
    let ann = server.user("ann");
    fill_log(&database, "first", 50_000);
    let mut reader = database.connect();
    reader.batch_execute("BEGIN; SELECT count(*) FROM bets").expect("a reader");
    disk.says("file");
    fill_log(&database, "second", 10_000);
    // The server looks at the log after a commit of its own. The server can end before it answers.
    drop(try_to_create(&server, &ann));
    let ended = server.wait_for_end();
    assert_eq!(ended.code(), None, "a signal: {ended}");
}

/// The log keeps its space on the disk. So on a full disk, the database file can be the first file that cannot grow.
#[test]
fn a_checkpoint_that_finds_no_space_is_repeated_with_pauses() {
    let (disk, database) = (Disk::new(), Arc::new(Database::new()));
    let server = disk.server(&database);
    let ann = server.user("ann");
    disk.says("full");
    let began = Instant::now();
    fill_log(&database, "filled", 10_000);
    for _ in 0..20 {
        ann.bet(1);
        thread::sleep(Duration::from_millis(50));
    }
    let failures = server.log().matches("a checkpoint failed").count() as u64;
    let seconds = began.elapsed().as_secs();
    assert!((1..=seconds + 2).contains(&failures), "{failures} failures in {seconds} s");
    disk.says("go");
    eventually("a checkpoint", WHILE, || {
        ann.bet(1);
        (database.file().metadata().expect("a file").len() > 10_000 * 4_096).then_some(())
    });
    server.assert_audit_clean();
}
