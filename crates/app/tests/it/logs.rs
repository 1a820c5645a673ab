//! The contents of the log, and the secrets that must not be in it.

use std::fs::OpenOptions;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::{id, new_bet};
use crate::wire::{Process, say};

const PASSWORD: &str = "correct horse battery";

/// A text that tries to add its own line to the log.
const FORGED: &str = "A bet\r\n2026-01-01T00:00:00Z ERROR forged \u{1b}[31mline";

/// Runs a journey that uses every kind of secret. Returns the texts that must not occur in the log, with
/// their names.
fn journey(server: &Process) -> Vec<(&'static str, String)> {
    let (ann, bob) = (server.client(), server.client());
    for (client, name) in [(&ann, "ann"), (&bob, "bob")] {
        let body = json!({"email": format!("{name}@example.com"), "password": PASSWORD});
        client.post("/api/auth/register", body).ok(201);
    }
    let typo = json!({"email": "ann@example.com", "password": format!("{PASSWORD}!")});
    ann.post("/api/auth/login", typo).problem(401, "invalid_credentials");
    let bet = ann.bet_with(json!({"isPrivate": true}));
    for field in ["title", "description"] {
        ann.post("/api/bets", new_bet(json!({field: FORGED}))).invalid(&[field]);
    }
    let token = bet["shareToken"].as_str().expect("a token").to_owned();
    for path in ["/api/bets/share/{}", "/api/bets/{}", "/share/{}", "/bet/{}"] {
        assert_eq!(bob.get(&path.replace("{}", &token)).status, 200, "{path}");
    }
    for path in [
        format!("/api/bets/{}?token={token}", id(&bet)),
        format!("/api/bets/{}/timeline?token={token}", id(&bet)),
    ] {
        bob.get(&path).ok(200);
    }
    bob.get(&format!("/api/nothing/{token}?token={token}")).problem(404, "not_found");
    bob.page("PUT", &format!("/api/bets/{token}"), None).problem(405, "method_not_allowed");
    bob.post("/api/bets/accept", json!({"shareToken": token, "option": "B"})).ok(200);
    let headers = [("User-Agent", "evil\u{1b}[31m"), ("Referer", token.as_str()), ("X-Request-Id", "forged")];
    let _ = bob.try_send("GET", "/api/auth/user", &headers[1..], Vec::new());
    let head = "GET /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    say(&server.base, format!("{head}User-Agent: {}\r\n\r\n", headers[0].1).as_bytes());
    let cookies = [&ann, &bob].map(|client| client.cookie().expect("a cookie"));
    let forged = format!("{}x", cookies[0]);
    server.client().with_cookie(Some(forged)).get("/api/auth/user").problem(401, "not_signed_in");
    let change = json!({"currentPassword": PASSWORD, "newPassword": format!("{PASSWORD} 2")});
    ann.page("PATCH", "/api/auth/password", Some(&change)).ok(200);
    ann.post("/api/auth/logout", json!({})).ok(200);
    let bare = |cookie: &str| cookie.trim_start_matches("bolts=")[..40].to_owned();
    vec![
        ("password", PASSWORD.to_owned()),
        ("share token", token),
        ("ann's cookie", bare(&cookies[0])),
        ("bob's cookie", bare(&cookies[1])),
        // The end of the cookie, because the secret of the session follows the signature there.
        ("ann's secret", cookies[0][cookies[0].len() - 20..].to_owned()),
        ("e-mail", "ann@example.com".to_owned()),
        ("forged line", "forged".to_owned()),
        ("escape", "\u{1b}[31mline".to_owned()),
        ("hash", "$argon2".to_owned()),
    ]
}

fn assert_clean(log: &str, secrets: &[(&str, String)]) {
    for (name, secret) in secrets {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "the {name} is in the log");
    }
    assert!(!log.contains('\r'), "{log:?}");
}

#[test]
fn no_secret_is_in_the_json_log_and_each_event_is_a_line() {
    let server = Process::start(&["--log", "info", "--log-format", "json"]);
    let secrets = journey(&server);
    let log = server.log();
    assert_clean(&log, &secrets);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let answered: Vec<&Value> = lines.iter().filter(|line| line["fields"]["message"] == "answered").collect();
    assert!(answered.len() >= 18, "one for each request: {log}");
    for line in &answered {
        let (route, span) = (&line["fields"]["route"], &line["span"]);
        assert!(route.is_string() && line["fields"]["status"].is_number(), "{line}");
        assert!(span["id"].as_str().is_some_and(|id| id.len() == 32) && span["method"].is_string(), "{line}");
    }
    let shared = |line: &&&Value| line["fields"]["route"] == "/api/bets/share/{token}";
    assert_eq!(answered.iter().filter(shared).count(), 1, "the pattern stands for the token");
}

#[test]
fn no_secret_is_in_the_text_log_at_any_level() {
    // Debug lines of libraries may contain secrets from the data that they read. Lines of our own crates contain no
    // secret at any level, so the test sets only these crates to `trace`.
    for level in ["info", "info,bolts=trace,bolts_http=trace,bolts_usecases=trace,bolts_store_diesel=trace"] {
        let server = Process::start(&["--log", level, "--log-format", "text"]);
        let secrets = journey(&server);
        let log = server.log();
        assert_clean(&log, &secrets);
        assert!(log.matches("answered").count() >= 18, "{level}: {log}");
    }
}

#[test]
fn errors_of_clients_raise_no_alarm() {
    let server = Process::start(&["--log", "info"]);
    for request in ["GET / HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX y\r\n\r\n"]
    {
        say(&server.base, request.as_bytes());
    }
    server
        .client()
        .with_cookie(Some("bolts=forged".to_owned()))
        .get("/api/auth/user")
        .problem(401, "not_signed_in");
    let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
    server.client().send("POST", "/api/auth/login", &headers, "{").problem(400, "malformed_json");
    let log = server.log();
    let alarms: Vec<&str> =
        log.lines().filter(|line| line.contains("WARN") || line.contains("ERROR")).collect();
    assert!(alarms.is_empty(), "{alarms:?}");
}

/// The disk of the log is full, or the program that reads the log has ended.
#[test]
fn a_log_that_cannot_be_written_stops_no_request() {
    let full = OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let (reader, abandoned) = std::io::pipe().expect("a pipe");
    drop(reader);
    for log in [Stdio::from(full), Stdio::from(abandoned)] {
        let server = Process::start_with_log(&["--log", "debug"], log);
        let ann = server.client();
        let body = json!({"email": "ann@example.com", "password": PASSWORD});
        ann.post("/api/auth/register", body).ok(201);
        let bet = ann.bet_with(json!({}));
        ann.get(&format!("/api/bets/{}", id(&bet))).ok(200);
        ann.get("/api/bets/none").problem(404, "bet_not_found");
    }
}
