//! `bolts copy`: after a move to the other kind of database and back, the API gives the same answers.

use std::fs;
use std::sync::Arc;

use bolts_testkit::postgres;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, SqliteConnection};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::database::Database;
use crate::harness::{Client, Server, binary, id};
use crate::operator::one_line_of_error;

fn copy(from: &str, to: &str) -> std::process::Output {
    binary().args(["copy", "--from", from, "--to", to]).output().expect("it runs")
}

/// The answers of a server on this database to the same requests of several users.
fn answers(url: &str, password: &str) -> Vec<(String, Value)> {
    let server = Server::on(Arc::new(Database::At(url.to_owned())), vec![]);
    let mut all = Vec::new();
    for name in ["ada", "ben", "cleo", "dev", "admin"] {
        let client = server.client();
        let credentials = json!({"email": format!("{name}@example.com"), "password": password});
        client.post("/api/auth/login", credentials).ok(200);
        let mut paths: Vec<String> = [
            "/api/auth/user",
            "/api/users/stats",
            "/api/achievements",
            "/api/notifications",
            "/api/bets/stats",
            "/api/bets/my?limit=100",
            "/api/bets/public?limit=100&sort=stake_desc",
            "/api/bets/public?limit=100&sort=oldest&status=active",
            "/api/bets/public?q=will+the",
            "/api/admin/bets?limit=100",
            "/api/admin/disputes",
            "/api/admin/actions?limit=100",
        ]
        .map(str::to_owned)
        .to_vec();
        for bet in bets_of(&client) {
            paths.extend(["", "/timeline", "/messages"].map(|rest| format!("/api/bets/{bet}{rest}")));
            paths.extend(pictures_of(&client, &bet));
        }
        for path in paths {
            let answer = client.get(&path);
            let comparable = match answer.status {
                200 if path.starts_with("/api/pictures/") => json!(answer.bytes),
                200 if path == "/api/notifications" => without_sign_ins(answer.json()),
                200 => answer.json(),
                status => json!(status),
            };
            all.push((format!("{name} {path}"), comparable));
        }
    }
    server.assert_audit_clean();
    all
}

/// The notifications without those about the sign-ins of this test.
fn without_sign_ins(notes: Value) -> Value {
    let all = notes.as_array().expect("a list").iter();
    all.filter(|note| note["title"] != "New Sign-in").cloned().collect()
}

/// The paths of the pictures of a bet.
fn pictures_of(client: &Client, bet: &str) -> Vec<String> {
    let messages = client.get(&format!("/api/bets/{bet}/messages")).ok(200);
    let messages = messages.as_array().expect("a list").iter();
    let pictures = messages.flat_map(|message| message["pictures"].as_array().expect("a list"));
    pictures.map(|picture| format!("/api/pictures/{}", id(picture))).collect()
}

fn bets_of(client: &Client) -> Vec<String> {
    let (mine, public) = (client.get("/api/bets/my?limit=100"), client.get("/api/bets/public?limit=100"));
    let mut ids: Vec<String> = [mine.ok(200), public.ok(200)]
        .iter()
        .flat_map(|list| list.as_array().expect("a list").iter().map(|bet| id(bet).to_owned()))
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

/// A new SQLite database that no server has used. Returns its URL.
fn new_file(folder: &TempDir, name: &str) -> String {
    let url = format!("sqlite://{}/{name}.db", folder.path().display());
    let made = binary().args(["migrate", "--database-url", &url]).output().expect("it runs");
    assert!(made.status.success(), "{made:?}");
    url
}

/// Sets the last heartbeat of a database to a time so long ago that a copy is allowed. The database is a SQLite file or
/// `postgres`.
fn let_rest(url: &str, postgres: &postgres::Database) {
    let long_ago = "UPDATE settings SET value = '1700000000000000' WHERE name = 'swept_at'";
    match url.strip_prefix("sqlite://") {
        Some(file) => {
            let mut connection = SqliteConnection::establish(file).expect("a file");
            connection.batch_execute(long_ago).expect("good SQL");
        }
        None => drop(postgres.psql(long_ago)),
    }
}

#[test]
fn a_served_database_is_not_copied_and_a_copy_has_paused_withdrawals() {
    let folder = TempDir::new().expect("a folder");
    let target = |name: &str| format!("sqlite://{}/{name}.db", folder.path().display());
    let mut server = Server::start();
    let source = server.database.url();
    let refused = copy(&source, &target("first"));
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("is served") && said.trim_end().lines().count() == 1, "{said}");
    // A server wrote a heartbeat less than a minute ago and may be started again, so the copy is still refused.
    server.kill();
    assert_eq!(copy(&source, &target("first")).status.code(), Some(2));
    server.database.execute("UPDATE settings SET value = '1700000000000000' WHERE name = 'swept_at'");

    let copied = copy(&source, &target("first"));
    assert!(copied.status.success(), "{copied:?}");
    let list = |url: &str| {
        let listed = binary().args(["withdrawals", "list", "--database-url", url]).output();
        String::from_utf8_lossy(&listed.expect("it runs").stdout).into_owned()
    };
    let listed = list(&target("first"));
    assert!(listed.contains("are paused since") && listed.contains("a copy"), "{listed}");
    assert!(list(&source).contains("are not paused"));
}

/// The settings of the target would mix with those of the source.
#[test]
fn a_target_that_was_served_is_refused_even_without_users() {
    let folder = TempDir::new().expect("a folder");
    let source = new_file(&folder, "source");
    let mut target = Server::start();
    target.kill();
    one_line_of_error(&copy(&source, &target.database.url()), 1, "create the target anew");
    assert_eq!(target.database.rows("users"), 0);
}

/// Other users of the machine see the arguments of a program, and a URL may contain a password.
#[test]
fn the_source_and_the_target_can_be_named_in_files() {
    let folder = TempDir::new().expect("a folder");
    let (source, target) = (new_file(&folder, "source"), postgres::Database::new());
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    let config = folder.path().join("bolts.toml");
    fs::write(&from, &source).expect("a file");
    fs::write(&to, target.url()).expect("a file");
    fs::write(&config, "from-file = \"from\"\n").expect("a file");
    let copied = binary()
        .args(["copy", "--config"])
        .arg(&config)
        .env("BOLTS_COPY_TO_FILE", &to)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&copied.stdout);
    assert!(copied.status.success() && said.contains("The copy is whole"), "{copied:?}");
}

#[test]
fn a_database_moves_to_postgresql_and_back_with_every_answer_the_same() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str| format!("sqlite://{}/{name}.db", folder.path().display());
    let (first, last) = (file("first"), file("last"));
    let between = postgres::Database::new();
    let demo = binary().args(["demo", "--database-url", &first]).output().expect("it runs");
    let said = String::from_utf8_lossy(&demo.stdout).into_owned();
    let password =
        said.lines().find_map(|line| line.trim().strip_prefix("password")).expect("a password").trim();
    let before = answers(&first, password);
    assert!(before.len() > 100, "{}", before.len());
    assert!(before.iter().any(|(path, _)| path.contains("/api/pictures/")), "a picture is copied too");

    for (from, to) in [(first.as_str(), between.url()), (between.url(), last.as_str())] {
        let_rest(from, &between);
        let copied = copy(from, to);
        let said = String::from_utf8_lossy(&copied.stdout).into_owned();
        assert!(copied.status.success() && said.contains("The copy is whole"), "{copied:?}");
        for (before, after) in before.iter().zip(answers(to, password)) {
            assert_eq!(before, &after, "{from} to {to}");
        }
    }

    let again = copy(&first, &last);
    assert_eq!(again.status.code(), Some(2), "a used target is refused: {again:?}");
    one_line_of_error(&copy(&file("none"), &file("new")), 2, "with --from");
}
