//! Everything that belongs to a user, asked for by every kind of user. `table.rs` has the same for bets, in every
//! situation of a bet.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::broken_text::calls;
use crate::harness::{Client, Server};
use crate::routes::{codes, document, told};
use crate::wallet::{invoice, rich, server};

/// Each operation on something with an owner, and its answers to four users: an anonymous user, a stranger, the owner,
/// and an admin. Not even an admin has access: the admin's own operations are below `/api/admin`.
const CALLS: &str = "
GET    /api/deposit/check-status/{id} 401-not_signed_in 404-deposit_not_found      200 404-deposit_not_found
GET    /api/withdrawals/{id}          401-not_signed_in 404-withdrawal_not_found   200 404-withdrawal_not_found
POST   /api/notifications/{id}/read   401-not_signed_in 404-notification_not_found 200 404-notification_not_found
DELETE /api/auth/sessions/{id}        401-not_signed_in 404-session_not_found      200 404-session_not_found
";

/// The operations on a bet. `table.rs` and `arbiter_table.rs` test each of them in every situation.
const ON_BETS: [&str; 14] = [
    "GET /api/bets/{key}",
    "GET /api/bets/{key}/timeline",
    "GET /api/bets/share/{token}",
    "POST /api/bets/accept",
    "DELETE /api/bets/{key}",
    "POST /api/bets/{key}/early-resolution",
    "POST /api/bets/{key}/propose-resolution",
    "POST /api/bets/{key}/respond-resolution",
    "POST /api/bets/{key}/dispute",
    "POST /api/bets/{key}/arbiter",
    "POST /api/bets/{key}/rule",
    "POST /api/admin/bets/{key}/rule",
    "POST /api/admin/bets/{key}/refund",
    "DELETE /api/admin/bets/{key}",
];

/// The operations on messages and pictures. `messages.rs` and `pictures.rs` test them.
const ON_MESSAGES: [&str; 6] = [
    "GET /api/bets/{key}/messages",
    "POST /api/bets/{key}/messages",
    "DELETE /api/messages/{id}",
    "POST /api/bets/{key}/pictures",
    "GET /api/pictures/{id}",
    "DELETE /api/pictures/{id}",
];

/// Operations that are about public things alone. `sharing.rs` asserts that they say nothing of private bets.
const ON_PUBLIC: [&str; 2] = ["GET /og/{key}.png", "GET /sitemap/{part}.xml"];

/// The operation that names a deposit and is open to anybody, because it only causes a look-up.
const WEBHOOK: &str = "POST /api/deposit/webhook/{id}";

/// The operations of links in mails. The signed token in the path is the permission. `mail.rs` tests them.
const ON_MAILS: [&str; 2] = ["GET /api/unsubscribe/{token}", "POST /api/unsubscribe/{token}"];

/// The operations on a passkey. `passkeys_http.rs` asserts that a stranger finds none.
const ON_PASSKEYS: [&str; 2] = ["PATCH /api/auth/passkeys/{id}", "DELETE /api/auth/passkeys/{id}"];

/// The operation on an API key. `keys.rs` asserts that a stranger finds none.
const ON_KEYS: [&str; 1] = ["DELETE /api/auth/keys/{id}"];

/// The operation on a browser that gets push messages. `push.rs` asserts that a stranger finds none.
const ON_BROWSERS: [&str; 1] = ["DELETE /api/notifications/push-subscriptions/{id}"];

/// The lists of a user's own things.
const LISTS: [&str; 10] = [
    "/api/bets/my",
    "/api/bets/arbitrated",
    "/api/notifications",
    "/api/withdrawals",
    "/api/wallet/history",
    "/api/wallet/history.csv",
    "/api/users/stats",
    "/api/achievements",
    "/api/auth/sessions",
    "/api/auth/keys",
];

/// The ids of a user's deposit, withdrawal, notification and second session.
struct Things {
    deposit: String,
    withdrawal: String,
    notification: String,
    bet: String,
    session: String,
}

impl Things {
    fn of(server: &Server, owner: &Client) -> Self {
        let text = |value: &Value| value.as_str().expect("an id").to_owned();
        let deposit = owner.post("/api/deposit/create-invoice", json!({"amount": 700})).ok(201);
        let body = json!({"invoice": invoice(500, "Winnings").text, "password": "secret"});
        let withdrawal = owner.post("/api/withdrawals", body).ok(201);
        let bet = owner.bet(1);
        server.user("acceptor").accept(&bet).ok(200);
        let notes = owner.get("/api/notifications").ok(200);
        Self {
            deposit: text(&deposit["invoiceId"]),
            withdrawal: text(&withdrawal["id"]),
            notification: text(&notes[0]["id"]),
            bet: text(&bet["id"]),
            session: text(&other_session(server, owner)["id"]),
        }
    }

    fn fill(&self, path: &str) -> String {
        let id = match path {
            path if path.contains("/deposit/") => &self.deposit,
            path if path.contains("/withdrawals/") => &self.withdrawal,
            path if path.contains("/sessions/") => &self.session,
            _ => &self.notification,
        };
        path.replace("{id}", id)
    }
}

/// Signs the owner in with another browser. Returns this session from the owner's list.
fn other_session(server: &Server, owner: &Client) -> Value {
    let email = owner.get("/api/auth/user").ok(200)["email"].clone();
    let credentials = json!({"email": email, "password": "secret"});
    server.client().post("/api/auth/login", credentials).ok(200);
    let sessions = owner.get("/api/auth/sessions").ok(200);
    let mut all = sessions.as_array().expect("a list").iter();
    all.find(|session| session["isCurrent"] == false).expect("another session").clone()
}

#[test]
fn only_its_owner_has_access_to_a_thing() {
    let server = server();
    let owner = rich(&server, "owner", 5_000);
    let things = Things::of(&server, &owner);
    let clients = [server.client(), server.user("stranger"), owner, server.admin("root")];
    let codes = codes(&document());
    let mut wrong = Vec::new();
    for line in CALLS.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [method, path, expected @ ..] = &cells[..] else { panic!("a call in {line:?}") };
        assert_eq!(expected.len(), clients.len(), "{line}");
        for (client, expected) in clients.iter().zip(expected) {
            let body = (*method != "GET").then(|| json!({}));
            let said = told(&client.page(method, &things.fill(path), body.as_ref()), &codes);
            if said != *expected {
                wrong.push(format!("{method} {path}: {expected}, but got {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.assert_audit_clean();
}

#[test]
fn every_operation_on_a_thing_has_its_entry() {
    let document = document();
    let named: BTreeSet<String> = CALLS
        .lines()
        .filter_map(|line| line.split_once(char::is_whitespace))
        .map(|(method, rest)| format!("{method} {}", rest.trim().split(' ').next().unwrap_or_default()))
        .chain(ON_BETS.map(str::to_owned))
        .chain(ON_MESSAGES.map(str::to_owned))
        .chain(ON_PUBLIC.map(str::to_owned))
        .chain(ON_MAILS.map(str::to_owned))
        .chain(ON_PASSKEYS.map(str::to_owned))
        .chain(ON_KEYS.map(str::to_owned))
        .chain(ON_BROWSERS.map(str::to_owned))
        .chain([WEBHOOK.to_owned()])
        .collect();
    let on_things: BTreeSet<String> = calls(&document)
        .into_iter()
        .filter(|(_, path, _)| path.contains('{') || path == "/api/bets/accept")
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    assert_eq!(named, on_things);
}

#[test]
fn no_list_shows_the_things_of_another_user() {
    let server = server();
    let owner = rich(&server, "owner", 5_000);
    let things = Things::of(&server, &owner);
    let stranger = server.user("stranger");
    // The id of an unpaid deposit is on no list.
    let listed = [&things.withdrawal, &things.notification, &things.bet, &things.session];
    for id in listed {
        assert!(
            LISTS.iter().any(|list| owner.get(list).text.contains(id.as_str())),
            "{id} is on the owner's lists"
        );
    }
    let known = [&listed[..], &[&things.deposit]].concat();
    for list in LISTS {
        let seen = stranger.get(list);
        assert_eq!(seen.status, 200, "{list}");
        let leaked = known.iter().find(|id| seen.text.contains(id.as_str()));
        assert_eq!(leaked, None, "{list}: {}", seen.text);
        server.client().get(list).problem(401, "not_signed_in");
    }
}
