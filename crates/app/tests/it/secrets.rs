//! The secrets that the server gave to the clients of a test. After each test no log of a server contains one.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::harness::Answer;

/// The secrets of this process, each with its kind. nextest runs each test in its own process.
static KNOWN: Mutex<BTreeMap<String, &'static str>> = Mutex::new(BTreeMap::new());

/// The start of every hash of a password, and the keys of the scripted Lightning provider. A log never contains them.
const ALWAYS: [(&str, &str); 4] = [
    ("$argon2", "hash of a password"),
    (bolts_testkit::provider::ADMIN_KEY, "admin key"),
    (bolts_testkit::provider::INVOICE_KEY, "invoice key"),
    (bolts_testkit::provider::MACAROON, "macaroon"),
];

/// The fields of an answer that only its user may read.
const FIELDS: [(&str, &str); 5] = [
    ("shareToken", "share token"),
    ("temporaryPassword", "one-time password"),
    ("challenge", "challenge of a sign-in"),
    ("secret", "secret of an authenticator app"),
    ("recoveryCodes", "recovery code"),
];

/// A shorter text could occur in a log by chance.
const SHORTEST: usize = 12;

/// Notes a secret that a test got in another way than in an answer.
pub(crate) fn note(secret: &str, kind: &'static str) {
    if secret.len() >= SHORTEST {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(secret.to_owned(), kind);
    }
}

/// Notes the cookies and the secret fields of an answer.
pub(crate) fn note_those_in(answer: &Answer) {
    for cookie in answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()) {
        let value = cookie.split(';').next().and_then(|pair| pair.split_once('='));
        note(value.map_or("", |(_, value)| value), "cookie");
    }
    let has_secret = FIELDS.iter().any(|(field, _)| answer.text.contains(field));
    if let Some(body) = serde_json::from_str(&answer.text).ok().filter(|_| has_secret) {
        note_fields(&body);
    }
}

fn note_fields(value: &Value) {
    match value {
        Value::Object(fields) => {
            for (field, kind) in FIELDS {
                let found = fields.get(field).map(std::slice::from_ref).unwrap_or_default();
                let found = found.first().and_then(Value::as_array).map_or(found, Vec::as_slice);
                found.iter().filter_map(Value::as_str).for_each(|secret| note(secret, kind));
            }
            fields.values().for_each(note_fields);
        }
        Value::Array(items) => items.iter().for_each(note_fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The kind and the line of a secret in this log.
pub(crate) fn found_in(log: &str) -> Option<(&'static str, String)> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.iter().map(|(secret, kind)| (secret.as_str(), *kind));
    let found = known.chain(ALWAYS).find(|(secret, _)| log.contains(secret));
    found.map(|(secret, kind)| {
        let line = log.lines().find(|line| line.contains(secret)).unwrap_or_default();
        (kind, line.replace(secret, "…"))
    })
}

#[test]
fn a_secret_in_a_log_is_found() {
    let server = crate::harness::Server::start();
    let ann = server.user("ann");
    let bet = ann.bet_with(serde_json::json!({"isPrivate": true}));
    let token = bet["shareToken"].as_str().expect("a token");
    let cookie = ann.cookie().expect("a cookie");
    for (secret, kind) in [
        (token, "share token"),
        (cookie.split_once('=').expect("a pair").1, "cookie"),
        ("$argon2id$v=19", "hash of a password"),
    ] {
        let log = format!("WARN something\nERROR the text {secret} came\n");
        assert_eq!(found_in(&log).map(|(kind, _)| kind), Some(kind));
    }
    assert_eq!(found_in("WARN nothing secret"), None);
}
