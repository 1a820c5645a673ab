//! The operator's commands, and errors at the start.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::net::TcpListener;
use std::process::Output;

use serde_json::json;
use tempfile::TempDir;

use crate::database::{Database, url};
use crate::harness::{Server, binary, id};
use crate::operator::one_line_of_error;
use crate::released::{migrate, released};

#[test]
fn start_up_problems_are_one_line_and_exit_status_2() {
    let folder = TempDir::new().expect("a folder");
    let serve = |arguments: &[&str]| binary().arg("serve").args(arguments).output().expect("it runs");
    let database = url(folder.path());
    let other = ["--database-url", "mysql://localhost/bolts", "--bind", "127.0.0.1:0"];
    one_line_of_error(&serve(&other), 2, "sqlite://");
    one_line_of_error(&serve(&["--database-url", &database, "--bind", "nowhere"]), 2, "--bind");
    one_line_of_error(&serve(&["--database-url", &database, "--public-url", "bets"]), 2, "--public-url");

    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    one_line_of_error(&serve(&["--database-url", &database, "--bind", &address]), 2, &address);
    let metrics = ["--database-url", &database, "--bind", "127.0.0.1:0", "--metrics-bind", &address];
    one_line_of_error(&serve(&metrics), 2, &address);
    // A new version that is started beside a running server must not migrate its database.
    assert!(!folder.path().join("bolts.db").exists(), "no database was made");

    let text = folder.path().join("text.db");
    fs::write(&text, "this is not a database, however long one looks at it").expect("a file");
    one_line_of_error(
        &serve(&["--database-url", &format!("sqlite://{}", text.display()), "--bind", "127.0.0.1:0"]),
        2,
        "",
    );
    let under_a_file = format!("sqlite://{}/bolts.db", text.display());
    one_line_of_error(&serve(&["--database-url", &under_a_file, "--bind", "127.0.0.1:0"]), 2, "");
    let missing = format!("sqlite://{}/none.db", folder.path().display());
    one_line_of_error(
        &binary().args(["audit", "--database-url", &missing]).output().expect("it runs"),
        2,
        "none.db",
    );
}

#[test]
fn a_second_server_on_a_sqlite_file_does_not_start() {
    let mut server = Server::start();
    let database = server.database.url();
    let second = || {
        let options = ["serve", "--bind", "127.0.0.1:0", "--database-url", &database];
        binary().args(options).output().expect("it runs")
    };
    one_line_of_error(&second(), 2, "a server uses");
    let link = TempDir::new().expect("a folder");
    let linked = link.path().join("linked.db");
    std::os::unix::fs::symlink(database.trim_start_matches("sqlite://"), &linked).expect("a link");
    let through = format!("sqlite://{}", linked.display());
    let options = ["serve", "--bind", "127.0.0.1:0", "--database-url", &through];
    one_line_of_error(&binary().args(options).output().expect("it runs"), 2, "a server uses");
    // The lock of a killed server does not stop the next one.
    server.kill();
    server.restart();
    assert_eq!(server.client().get("/readyz").status, 200);
}

/// A server of the older version may use the file, and its lists would fail. The commands that fill a database never migrate it.
#[test]
fn no_command_migrates_the_file_of_a_server_or_a_database_to_fill() {
    let database = Database::released(&released()[0]);
    let run = |command: &[&str]| binary().args(command).arg(database.url()).output().expect("it runs");
    let before = migrate(&database, &["--check"]);
    assert_eq!(before.0, Some(1), "{before:?}");
    let lock = File::create(format!("{}-server", database.file().display())).expect("a file");
    lock.lock().expect("a lock");
    one_line_of_error(&run(&["migrate", "--database-url"]), 2, "a server uses");
    drop(lock);
    let source = Database::new();
    one_line_of_error(&run(&["demo", "--database-url"]), 2, "lacks");
    one_line_of_error(&run(&["copy", "--from", &source.url(), "--to"]), 2, "lacks");
    assert_eq!(migrate(&database, &["--check"]), before);
}

/// A command that made a new database would report success, while the server goes on with the right one.
#[test]
fn the_commands_of_the_operator_make_and_migrate_no_database() {
    let folder = TempDir::new().expect("a folder");
    let data = folder.path().join("data");
    let url = url(&data);
    let run = |words: &[&str]| binary().args(words).args(["--database-url", &url]).output().expect("it runs");
    let commands = [
        &["withdrawals", "pause"][..],
        &["withdrawals", "list"],
        &["deposits", "late"],
        &["deposits", "reconcile"],
        &["admin", "grant", "ann@example.com"],
        &["user", "reset-2fa", "ann@example.com"],
    ];
    for words in commands {
        one_line_of_error(&run(words), 2, "there is no database at");
        assert!(!data.exists(), "{words:?} made a folder");
    }
    fs::create_dir(&data).expect("a folder");
    fs::write(data.join("bolts.db"), "").expect("an empty file");
    for words in commands {
        one_line_of_error(&run(words), 2, "run `bolts migrate`");
    }
    let checked = run(&["migrate", "--check"]);
    assert_eq!(checked.status.code(), Some(1), "the schema is still missing: {checked:?}");
}

#[test]
fn every_option_has_its_variable_in_the_help() {
    for command in [vec!["--help"], vec!["serve", "--help"], vec!["admin", "grant", "--help"]] {
        let help = binary().args(&command).output().expect("it runs");
        let text = String::from_utf8_lossy(&help.stdout).into_owned();
        assert!(help.status.success() && text.contains("BOLTS_DATABASE_URL"), "{command:?}: {text}");
        let options = text.lines().map(str::trim).filter(|line| line.starts_with("--") && line.contains('<'));
        assert!(options.count() > 0, "{text}");
    }
    let help = binary().args(["serve", "--help"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&help.stdout).into_owned();
    for option in [
        "BIND",
        "PUBLIC_URL",
        "SIGNUPS_PER_HOUR",
        "SIGNINS_PER_MINUTE",
        "BETS_PER_HOUR",
        "WRITES_PER_MINUTE",
        "MANUAL_VERIFICATION",
        "STAND_AFTER",
    ] {
        assert!(text.contains(&format!("BOLTS_{option}")), "{option}");
    }
}

/// Variables whose values `--help` may show. The value of any other variable may contain a secret, such as
/// the password in a URL.
const HARMLESS: &[&str] = &[
    "BOLTS_ARBITER_RULES_WITHIN",
    "BOLTS_BIND",
    "BOLTS_CONFIG",
    "BOLTS_DATABASE_WAIT",
    "BOLTS_PUBLIC_URL",
    "BOLTS_TRUSTED_PROXIES",
    "BOLTS_SIGNUPS_PER_HOUR",
    "BOLTS_SIGNINS_PER_MINUTE",
    "BOLTS_BETS_PER_HOUR",
    "BOLTS_WRITES_PER_MINUTE",
    "BOLTS_REQUIRE_ADMIN_2FA",
    "BOLTS_REQUIRE_VERIFIED_EMAIL",
    "BOLTS_MAIL_FROM",
    "BOLTS_SMTP_CA",
    "BOLTS_MANUAL_VERIFICATION",
    "BOLTS_STAND_AFTER",
    "BOLTS_LAPSE_AFTER",
    "BOLTS_DISPUTE_LAPSE_AFTER",
    "BOLTS_REMIND_BEFORE",
    "BOLTS_METRICS_BIND",
    "BOLTS_DRAIN_FOR",
    "BOLTS_OTLP_ONE_IN",
    "BOLTS_READ_LAG",
    "BOLTS_WORKERS",
    "BOLTS_LIGHTNING",
    "BOLTS_LIGHTNING_TEST_SETTLE_AFTER",
    "BOLTS_LIGHTNING_TIMEOUT",
    "BOLTS_LND_MACAROON_FILE",
    "BOLTS_LND_TLS_CERT_FILE",
    "BOLTS_LNURL_ALLOW_PRIVATE",
    "BOLTS_WEBHOOK_ALLOW_PRIVATE",
    "BOLTS_WITHDRAWAL_CAP_USER",
    "BOLTS_WITHDRAWAL_CAP_TOTAL",
    "BOLTS_WITHDRAWAL_PATIENCE",
    "BOLTS_IDEAS",
    "BOLTS_IDEAS_MODEL",
    "BOLTS_LOG",
    "BOLTS_LOG_FORMAT",
    "BOLTS_FLOAT",
];

/// The `--help` text of a command and of all its subcommands. Each text is one line.
fn helps(command: &[String], variables: &[(String, String)]) -> Vec<String> {
    let help = binary().args(command).arg("--help").envs(variables.iter().cloned()).output();
    let help = help.expect("it runs");
    assert!(help.status.success(), "{command:?}: {help:?}");
    let text = String::from_utf8_lossy(&help.stdout).into_owned();
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // A description may continue on further lines with a larger indent.
    let named = listed.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = named.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let mut all = vec![text.split_whitespace().collect::<Vec<_>>().join(" ")];
    for name in names {
        let command: Vec<String> = command.iter().cloned().chain([name.to_owned()]).collect();
        all.extend(helps(&command, variables));
    }
    all
}

#[test]
fn no_help_shows_a_secret_of_the_environment() {
    let all = helps(&[], &[]);
    assert!(all.len() > 8, "the subcommands are found: {}", all.len());
    let named = all.iter().flat_map(|text| text.split("[env: ").skip(1));
    let names: BTreeSet<&str> = named.filter_map(|rest| rest.split([']', '=']).next()).collect();
    assert!(names.contains("BOLTS_DATABASE_URL") && names.contains("BOLTS_LNBITS_ADMIN_KEY"), "{names:?}");
    let variables: Vec<(String, String)> =
        names.iter().map(|name| ((*name).to_owned(), format!("hush-{name}-hush"))).collect();
    for text in helps(&[], &variables) {
        for (name, value) in &variables {
            assert!(HARMLESS.contains(&name.as_str()) || !text.contains(value), "{name} in {text}");
        }
    }
}

#[test]
fn a_backup_is_complete_and_overwrites_no_file() {
    let server = Server::start();
    let ann = server.user("ann");
    let bet = ann.bet(200);
    let folder = TempDir::new().expect("a folder");
    let copy = folder.path().join("bolts.db");
    let copied = server.command(&["backup", &copy.display().to_string()]);
    assert!(copied.status.success(), "{copied:?}");
    let audit = binary().args(["audit", "--database-url", &url(folder.path())]).output().expect("it runs");
    assert!(audit.status.success(), "{audit:?}");
    let again = server.command(&["backup", &copy.display().to_string()]);
    assert_ne!(again.status.code(), Some(0), "{again:?}");
    assert!(server.database.file().is_file() && !id(&bet).is_empty());
}

/// If withdrawals were not paused in a backup, a server that runs on the backup could repeat a payment that was made
/// later.
#[test]
fn a_backup_is_paused_and_the_database_is_not() {
    let server = Server::start();
    let folder = TempDir::new().expect("a folder");
    let copy = folder.path().join("bolts.db");
    let copied = server.command(&["backup", &copy.display().to_string()]);
    assert!(copied.status.success(), "{copied:?}");
    let said = |output: Output| String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said(server.command(&["withdrawals", "list"])).contains("are not paused"));
    let list = |url: &str| {
        said(binary().args(["withdrawals", "list", "--database-url", url]).output().expect("it runs"))
    };
    let listed = list(&url(folder.path()));
    assert!(listed.contains("are paused since") && listed.contains("a backup"), "{listed}");
    assert!(listed.contains("bolts withdrawals resume"), "it says what to do: {listed}");

    // The backup also contains the reason of an earlier pause.
    let paused = server.command(&["withdrawals", "pause", "--reason", "the node moves"]);
    assert!(paused.status.success(), "{paused:?}");
    let second = TempDir::new().expect("a folder");
    let copied = server.command(&["backup", &second.path().join("bolts.db").display().to_string()]);
    assert!(copied.status.success(), "{copied:?}");
    let listed = list(&url(second.path()));
    assert!(listed.contains("a backup") && listed.contains("the node moves"), "{listed}");
}

#[test]
fn the_openapi_document_is_current() {
    let output = binary().arg("openapi").output().expect("it runs");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(
        document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")),
        "{}",
        document["openapi"]
    );
    for path in [
        "/api/auth/user",
        "/api/bets",
        "/api/bets/{key}",
        "/api/bets/{key}/dispute",
        "/api/admin/bets/{key}/rule",
    ] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontend/openapi.json");
    let committed = fs::read_to_string(committed).expect("frontend/openapi.json is committed");
    assert_eq!(committed, String::from_utf8_lossy(&output.stdout), "stale: run `just api`");
}

#[test]
fn the_demo_has_bets_in_every_status_and_refuses_a_used_database() {
    let server = Server::start();
    let made = server.command(&["demo"]);
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let password =
        said.lines().find_map(|line| line.trim().strip_prefix("password")).expect("a password").trim();
    one_line_of_error(&server.command(&["demo"]), 2, "users");

    let ada = server.client();
    ada.post("/api/auth/login", json!({"email": "ada@example.com", "password": password})).ok(200);
    for status in ["pending", "accepted", "awaiting_resolution", "resolved", "cancelled"] {
        let found = ada.get(&format!("/api/bets/public?status={status}")).ok(200);
        assert!(found.as_array().is_some_and(|bets| !bets.is_empty()), "no bet is {status}");
    }
    let admin = server.client();
    admin.post("/api/auth/login", json!({"email": "admin@example.com", "password": password})).ok(200);
    assert_eq!(admin.get("/api/admin/disputes").ok(200).as_array().map(Vec::len), Some(1));
    server.assert_audit_clean();
}

/// Changes the database file directly, without the server.
fn spoil(server: &Server, sql: &str) {
    let script = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n\
                  c.execute('PRAGMA busy_timeout = 5000')\nc.execute('PRAGMA ignore_check_constraints = ON')\n\
                  c.executescript(sys.argv[2])\nc.close()";
    let file = server.database.file();
    let done = std::process::Command::new("python3").args(["-c", script]).arg(file).arg(sql).output();
    let done = done.expect("python3 runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn an_audit_of_a_damaged_database_exits_1_and_names_the_violation() {
    let server = Server::start();
    let ann = server.user("ann");
    ann.bet(200);
    server.assert_audit_clean();
    let user = ann.get("/api/auth/user").ok(200)["id"].as_str().expect("an id").to_owned();
    spoil(
        &server,
        &format!("UPDATE accounts SET balance = 1000000 WHERE owner = '{user}' AND currency = 'bolts'"),
    );
    let audit = server.command(&["audit"]);
    let said = String::from_utf8_lossy(&audit.stdout).into_owned();
    assert_eq!(audit.status.code(), Some(1), "{said}");
    assert!(said.contains("VIOLATED  1 all accounts of a currency sum to 0"), "{said}");
    assert!(
        said.contains("VIOLATED  2 each balance is the sum of its transfers") && said.contains(&user),
        "{said}"
    );
    assert!(said.contains("ok        3 no account is overdrawn"), "{said}");
    one_line_of_error(&audit, 1, "2 violations");
}
