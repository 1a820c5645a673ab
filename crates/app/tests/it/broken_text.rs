//! Broken text (NUL, lone surrogates, over-long UTF-8) in every path, query, header and body.

use serde_json::{Value, json};

use crate::harness::{Client, Server, id, in_seconds, new_bet};
use crate::routes::document;
use crate::wire::{say, statuses};

/// Broken texts, percent-encoded: NUL alone and inside a text, a lone surrogate, an over-long NUL and slash, a byte
/// that UTF-8 does not use, and an incomplete character.
const ESCAPED: [&str; 7] = ["%00", "a%00b", "%ed%a0%80", "%c0%80", "%c0%af", "%ff", "%e2%82"];

/// Broken texts as JSON strings, in bytes.
const IN_JSON: [&[u8]; 7] = [
    b"\"\\u0000\"",
    b"\"a\\u0000bcdefgh\"",
    b"\"\\ud800abcdefgh\"",
    b"\"\\udc00\\ud800ab\"",
    b"\"\xc0\x80abcdefgh\"",
    b"\"\xed\xa0\x80abcdefgh\"",
    b"\"\xffabcdefgh\"",
];

/// Every operation of the OpenAPI document: method, path and description.
pub(crate) fn calls(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &Value)| {
        let methods = item.as_object().expect("methods").clone();
        let path = path.clone();
        methods.into_iter().map(move |(method, call)| (method.to_uppercase(), path.clone(), call))
    };
    paths.iter().flat_map(of_path).collect()
}

/// The names of an operation's parameters in the path or in the query.
fn parameters(call: &Value, place: &str) -> Vec<String> {
    let all = call["parameters"].as_array().cloned().unwrap_or_default();
    let there = all.iter().filter(|one| one["in"] == place);
    there.map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
}

/// The fields of an operation's body.
pub(crate) fn fields(document: &Value, call: &Value) -> Vec<String> {
    let schema = &call["requestBody"]["content"]["application/json"]["schema"];
    let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) else { return vec![] };
    let properties = document["components"]["schemas"][name]["properties"].as_object();
    properties.map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

/// A valid body for operations that need other fields besides the field under test.
pub(crate) fn good_body(method: &str, path: &str, bet: &str) -> Value {
    let account = json!({"email": "new@example.com", "password": "secret"});
    match (method, path) {
        ("POST", "/api/bets") => new_bet(json!({"timeZone": "Europe/Zurich"})),
        ("POST", "/api/auth/register" | "/api/auth/login") => account,
        ("PATCH", "/api/auth/password") => json!({"currentPassword": "wrong one", "newPassword": "another"}),
        ("PATCH", "/api/auth/profile") => json!({"username": "ann_1", "firstName": "Ann", "lastName": "B"}),
        ("POST", "/api/bets/accept") => json!({"betId": bet, "chosenOption": "B"}),
        ("POST", "/api/bets/{key}/propose-resolution") => json!({"winningOption": "A"}),
        ("POST", "/api/bets/{key}/respond-resolution") => json!({"accept": false}),
        ("POST", "/api/admin/bets/{key}/rule") => json!({"outcome": "void", "note": "so"}),
        ("POST", "/api/admin/deposit-bolts") => json!({"userEmail": "ann@example.com", "amount": 1}),
        ("POST", "/api/withdrawals/quote" | "/api/withdrawals") => {
            json!({"lightningAddress": "a@example.invalid", "amount": 100, "password": "wrong one"})
        }
        ("POST", "/api/bets/{key}/messages") => json!({"text": "Hello"}),
        ("POST", "/api/check-bet-wording") => {
            json!({"title": "Will it snow?", "optionA": "Yes", "optionB": "No", "expiresAt": in_seconds(9_000)})
        }
        _ => json!({}),
    }
}

/// The body as JSON, with these bytes as the value of the field.
fn spoiled(body: &Value, field: &str, value: &[u8]) -> Vec<u8> {
    let mut object = body.as_object().expect("an object").clone();
    object.insert(field.to_owned(), json!("in place"));
    let text = Value::from(object).to_string();
    let (before, after) = text.split_once("\"in place\"").expect("it is there");
    [before.as_bytes(), value, after.as_bytes()].concat()
}

/// Sends bytes that an HTTP client library would refuse to send.
fn raw(server: &Server, method: &str, target: &str, headers: &[(&str, &[u8])], body: &[u8]) -> u16 {
    let head = format!("{method} {target} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n");
    let mut bytes = head.into_bytes();
    for (name, value) in headers {
        bytes.extend_from_slice(&[name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    let rest = format!("Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    bytes.extend_from_slice(rest.as_bytes());
    bytes.extend_from_slice(body);
    let said = say(&server.base, &bytes);
    *statuses(&said).first().unwrap_or_else(|| panic!("no answer to {method} {target}"))
}

struct Site {
    server: Server,
    root: Client,
    bet: String,
}

impl Site {
    fn start() -> Self {
        let server = Server::start();
        let root = server.admin("root");
        server.user("ann");
        let bet = id(&root.bet(10)).to_owned();
        Self { server, root, bet }
    }

    fn cookie(&self) -> Vec<u8> {
        self.root.cookie().expect("a cookie").into_bytes()
    }

    fn fill(&self, path: &str) -> String {
        path.replace("{key}", &self.bet).replace("{id}", &"0".repeat(32)).replace("{token}", "c29tZWJvZHk")
    }
}

/// Whether the status is a refusal. The webhook of deposits ignores its input, so it may also answer 200.
fn is_refused(path: &str, status: u16) -> bool {
    (400..500).contains(&status) || (path == "/api/deposit/webhook/{id}" && status == 200)
}

#[test]
fn broken_text_in_a_path_or_a_query_is_refused() {
    let site = Site::start();
    let (cookie, document) = (site.cookie(), document());
    let mut wrong = vec![];
    for (method, path, call) in calls(&document) {
        if path == "/api/events" {
            continue;
        }
        for bad in ESCAPED {
            let in_path = parameters(&call, "path").into_iter().map(|name| {
                let spoiled = path.replace(&format!("{{{name}}}"), bad);
                site.fill(&spoiled)
            });
            // The query parameter `token` is not tested here: a user who may see the bet sees it even with a wrong
            // token.
            let named = parameters(&call, "query").into_iter().filter(|name| name != "token");
            let in_query = named.map(|name| format!("{}?{name}={bad}", site.fill(&path)));
            for target in in_path.chain(in_query).collect::<Vec<_>>() {
                let headers = [("Cookie", &cookie[..]), ("Content-Type", &b"application/json"[..])];
                let status = raw(&site.server, &method, &target, &headers, b"{}");
                if !is_refused(&path, status) {
                    wrong.push(format!("{method} {target}: {status}"));
                }
            }
        }
    }
    // A broken token does not show a private bet to a client that is not signed in.
    let private = site.root.bet_with(json!({"isPrivate": true}));
    for bad in ESCAPED {
        for path in ["", "/timeline"] {
            let target = format!("/api/bets/{}{path}?token={bad}", id(&private));
            let status = raw(&site.server, "GET", &target, &[], b"");
            if status != 404 {
                wrong.push(format!("GET {target}: {status}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    site.server.assert_audit_clean();
}

#[test]
fn broken_text_in_any_field_of_a_body_is_refused() {
    let site = Site::start();
    let (cookie, document) = (site.cookie(), document());
    let mut wrong = vec![];
    for (method, path, call) in calls(&document) {
        let good = good_body(&method, &path, &site.bet);
        for field in fields(&document, &call) {
            for bad in IN_JSON {
                let headers = [("Cookie", &cookie[..]), ("Content-Type", &b"application/json"[..])];
                let body = spoiled(&good, &field, bad);
                let status = raw(&site.server, &method, &site.fill(&path), &headers, &body);
                if !is_refused(&path, status) {
                    wrong.push(format!("{method} {path} {}: {status}", String::from_utf8_lossy(&body)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    site.server.assert_audit_clean();
}

#[test]
fn broken_text_in_a_header_breaks_nothing() {
    let site = Site::start();
    let (cookie, body) = (site.cookie(), new_bet(json!({"stakeAmount": 1})).to_string());
    for bad in [&b"a\0b"[..], b"a\xc0\x80b", b"a\xed\xa0\x80b", b"\xff", b"%00"] {
        for name in ["Idempotency-Key", "Cookie", "Origin", "Content-Type", "X-Forwarded-For", "User-Agent"] {
            let mut headers = vec![("Content-Type", &b"application/json"[..]), ("Cookie", &cookie[..])];
            headers.retain(|(kept, _)| *kept != name);
            headers.push((name, bad));
            let status = raw(&site.server, "POST", "/api/bets", &headers, body.as_bytes());
            assert!(status < 500, "{name} {:?}: {status}", String::from_utf8_lossy(bad));
        }
        let key = [("Idempotency-Key", bad), ("Cookie", &cookie), ("Content-Type", b"application/json")];
        let status = raw(&site.server, "POST", "/api/bets", &key, body.as_bytes());
        let is_ascii = bad == b"%00";
        assert_eq!(status == 201, is_ascii, "{:?}: {status}", String::from_utf8_lossy(bad));
    }
    site.server.assert_audit_clean();
}
