//! Every route of the OpenAPI document: the answers to each kind of user, a check that no GET changes anything, and a
//! check that a body cannot set certain fields.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, binary, id, new_bet};

/// Each operation, and its answers to the body `{}` (`docs/http-api.md#errors`) for three users: an anonymous user, a
/// user without a part in the bet, and an admin. The bet is a private bet of another user. The notification also
/// belongs to another user.
pub(crate) const CALLS: &str = "
GET    /healthz                               200                200                        200
GET    /readyz                                200                200                        200
GET    /robots.txt                            200                200                        200
GET    /sitemap.xml                           200                200                        200
GET    /sitemap/{part}.xml                    200                200                        200
GET    /og/{key}.png                          404-not_found      404-not_found              404-not_found
GET    /api/auth/user                         401-not_signed_in  200                        200
POST   /api/auth/register                     422-invalid_fields 422-invalid_fields         422-invalid_fields
POST   /api/auth/login                        422-invalid_fields 422-invalid_fields         422-invalid_fields
POST   /api/auth/logout                       200                skip                       skip
POST   /api/auth/login/factor                 422-invalid_fields 422-invalid_fields         422-invalid_fields
POST   /api/auth/login/factor/options         422-invalid_fields 422-invalid_fields         422-invalid_fields
POST   /api/auth/login/passkey                422-invalid_fields 422-invalid_fields         422-invalid_fields
POST   /api/auth/login/passkey/options        409-passkeys_off   409-passkeys_off           409-passkeys_off
POST   /api/auth/step-up                      401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/auth/step-up/options              401-not_signed_in  409-passkeys_off           409-passkeys_off
GET    /api/auth/factors                      401-not_signed_in  200                        200
POST   /api/auth/totp                         401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/auth/totp/confirm                 401-not_signed_in  422-invalid_fields         422-invalid_fields
DELETE /api/auth/totp                         401-not_signed_in  404-factor_not_found       404-factor_not_found
POST   /api/auth/passkeys                     401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/auth/passkeys/options             401-not_signed_in  422-invalid_fields         422-invalid_fields
PATCH  /api/auth/passkeys/{id}                401-not_signed_in  422-invalid_fields         422-invalid_fields
DELETE /api/auth/passkeys/{id}                401-not_signed_in  404-factor_not_found       404-factor_not_found
POST   /api/auth/recovery-codes               401-not_signed_in  404-factor_not_found       404-factor_not_found
GET    /api/auth/sessions                     401-not_signed_in  200                        200
POST   /api/auth/sessions/end-others          401-not_signed_in  200                        200
DELETE /api/auth/sessions/{id}                401-not_signed_in  404-session_not_found      404-session_not_found
GET    /api/auth/keys                         401-not_signed_in  200                        200
POST   /api/auth/keys                         401-not_signed_in  422-invalid_fields         422-invalid_fields
DELETE /api/auth/keys/{id}                    401-not_signed_in  404-key_not_found          404-key_not_found
PATCH  /api/auth/profile                      401-not_signed_in  422-invalid_fields         422-invalid_fields
PATCH  /api/auth/password                     401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/auth/email                        401-not_signed_in  200                        200
PATCH  /api/auth/email                        401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/auth/verify-email/request         401-not_signed_in  409-mail_off               409-mail_off
POST   /api/auth/verify-email                 422-invalid_fields 422-invalid_fields         422-invalid_fields
POST   /api/auth/password-reset/request       422-invalid_fields 422-invalid_fields         422-invalid_fields
POST   /api/auth/password-reset               422-invalid_fields 422-invalid_fields         422-invalid_fields
DELETE /api/account                           401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/account/deletion                  401-not_signed_in  200                        200
GET    /api/account/export                    401-not_signed_in  200                        200
GET    /api/unsubscribe/{token}               302                302                        302
POST   /api/unsubscribe/{token}               404-not_found      404-not_found              404-not_found
GET    /api/users/stats                       401-not_signed_in  200                        200
GET    /api/users/search                      401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/achievements                      401-not_signed_in  200                        200
POST   /api/achievements/claim-reward         401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/bets/public                       200                200                        200
GET    /api/bets/my                           401-not_signed_in  200                        200
GET    /api/bets/arbitrated                   401-not_signed_in  200                        200
GET    /api/bets/turn-count                   401-not_signed_in  200                        200
GET    /api/bets/total-count                  200                200                        200
GET    /api/bets/stats                        200                200                        200
POST   /api/bets                              401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/bets/accept                       401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/bets/{key}                        404-bet_not_found  404-bet_not_found          200
DELETE /api/bets/{key}                        401-not_signed_in  404-bet_not_found          403-not_a_party
GET    /api/bets/{key}/timeline               404-bet_not_found  404-bet_not_found          200
POST   /api/bets/{key}/early-resolution       401-not_signed_in  404-bet_not_found          403-not_a_party
POST   /api/bets/{key}/propose-resolution     401-not_signed_in  404-bet_not_found          422-invalid_fields
POST   /api/bets/{key}/respond-resolution     401-not_signed_in  404-bet_not_found          422-invalid_fields
POST   /api/bets/{key}/dispute                401-not_signed_in  404-bet_not_found          422-invalid_fields
POST   /api/bets/{key}/arbiter                401-not_signed_in  404-bet_not_found          422-invalid_fields
POST   /api/bets/{key}/rule                   401-not_signed_in  404-bet_not_found          422-invalid_fields
GET    /api/bets/share/{token}                401-not_signed_in  404-bet_not_found          404-bet_not_found
GET    /api/bets/{key}/messages               404-bet_not_found  404-bet_not_found          200
POST   /api/bets/{key}/messages               401-not_signed_in  404-bet_not_found          422-invalid_fields
POST   /api/bets/{key}/pictures               401-not_signed_in  404-bet_not_found          415-not_a_form
DELETE /api/messages/{id}                     401-not_signed_in  404-message_not_found      404-message_not_found
GET    /api/pictures/{id}                     404-picture_not_found 404-picture_not_found   404-picture_not_found
DELETE /api/pictures/{id}                     401-not_signed_in  404-picture_not_found      404-picture_not_found
GET    /api/config                            200                200                        200
POST   /api/deposit/create-invoice            401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/deposit/check-status/{id}         401-not_signed_in  404-deposit_not_found      404-deposit_not_found
POST   /api/deposit/webhook/{id}              200                200                        200
POST   /api/deposit/test-add                  401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/withdrawals/test-invoice          401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/withdrawals                       401-not_signed_in  200                        200
POST   /api/withdrawals                       401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/withdrawals/quote                 401-not_signed_in  422-invalid_fields         422-invalid_fields
GET    /api/withdrawals/{id}                  401-not_signed_in  404-withdrawal_not_found   404-withdrawal_not_found
GET    /api/wallet/history                    401-not_signed_in  200                        200
GET    /api/wallet/history.csv                401-not_signed_in  200                        200
GET    /api/events                            401-not_signed_in  skip                       skip
POST   /api/generate-bet-idea                 401-not_signed_in  200                        200
POST   /api/complete-bet-idea                 401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/check-bet-wording                 401-not_signed_in  200                        200
GET    /api/notifications                     401-not_signed_in  200                        200
GET    /api/notifications/preferences         401-not_signed_in  200                        200
PUT    /api/notifications/preferences         401-not_signed_in  200                        200
GET    /api/notifications/push-subscriptions  401-not_signed_in  200                        200
POST   /api/notifications/push-subscriptions  401-not_signed_in  422-invalid_fields         422-invalid_fields
DELETE /api/notifications/push-subscriptions  401-not_signed_in  422-invalid_fields         422-invalid_fields
POST   /api/notifications/push-subscriptions/test 401-not_signed_in 404-push_subscription_not_found 404-push_subscription_not_found
DELETE /api/notifications/push-subscriptions/{id} 401-not_signed_in 404-push_subscription_not_found 404-push_subscription_not_found
GET    /api/notifications/webhook             401-not_signed_in  200                        200
PUT    /api/notifications/webhook             401-not_signed_in  422-invalid_fields         422-invalid_fields
DELETE /api/notifications/webhook             401-not_signed_in  200                        200
POST   /api/notifications/webhook/test        401-not_signed_in  404-webhook_not_found      404-webhook_not_found
POST   /api/notifications/{id}/read           401-not_signed_in  404-notification_not_found 404-notification_not_found
POST   /api/notifications/read-all            401-not_signed_in  200                        200
DELETE /api/notifications/clear-all           401-not_signed_in  200                        200
GET    /api/admin/disputes                    401-not_signed_in  403-not_allowed            200
GET    /api/admin/bets                        401-not_signed_in  403-not_allowed            200
GET    /api/admin/actions                     401-not_signed_in  403-not_allowed            200
GET    /api/admin/withdrawals                 401-not_signed_in  403-not_allowed            200
GET    /api/admin/wallet                      401-not_signed_in  403-not_allowed            200
POST   /api/admin/bets/{key}/rule             401-not_signed_in  403-not_allowed            422-invalid_fields
POST   /api/admin/bets/{key}/refund           401-not_signed_in  403-not_allowed            200
DELETE /api/admin/bets/{key}                  401-not_signed_in  403-not_allowed            200
POST   /api/admin/deposit-bolts               401-not_signed_in  403-not_allowed            422-invalid_fields
POST   /api/admin/reset-password              401-not_signed_in  403-not_allowed            422-invalid_fields
";

pub(crate) fn document() -> Value {
    let output = binary().arg("openapi").output().expect("it runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// `METHOD /path` of every operation in the document.
pub(crate) fn documented(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().expect("paths");
    let calls = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("methods").keys();
        methods.map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    calls.collect()
}

pub(crate) fn codes(document: &Value) -> Vec<Value> {
    let codes = &document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"];
    codes.as_array().expect("codes").clone()
}

/// The answer in the notation of `CALLS`. Asserts that a refusal has the common form of a problem.
pub(crate) fn told(answer: &Answer, codes: &[Value]) -> String {
    if answer.status < 400 {
        return answer.status.to_string();
    }
    let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
    let problem = answer.problem(answer.status, &code);
    assert!(codes.contains(&problem["code"]), "{problem}");
    assert!(problem["title"].as_str().is_some_and(|title| !title.is_empty()), "{problem}");
    assert!(problem["errors"].is_array() && problem["type"] == "about:blank", "{problem}");
    format!("{}-{code}", answer.status)
}

/// A private bet and a notification of one user.
pub(crate) struct Things {
    bet: Value,
    notification: String,
}

impl Things {
    pub(crate) fn of(server: &Server) -> (Client, Self) {
        let (ann, bob) = (server.user("ann"), server.user("bob"));
        bob.accept(&ann.bet(1)).ok(200);
        let notes = ann.get("/api/notifications").ok(200);
        let notification = notes[0]["id"].as_str().expect("an id").to_owned();
        let bet = ann.bet_with(json!({"isPrivate": true}));
        (ann, Self { bet, notification })
    }

    pub(crate) fn fill(&self, path: &str) -> String {
        let path =
            path.replace("{key}", id(&self.bet)).replace("{id}", &self.notification).replace("{part}", "0");
        path.replace("{token}", "c29tZWJvZHkgZ3Vlc3Nlcw")
    }
}

#[test]
fn every_route_answers_strangers_as_promised() {
    let server = Server::start();
    let (_ann, things) = Things::of(&server);
    let clients = [server.client(), server.user("stranger"), server.admin("root")];
    let document = document();
    let codes = codes(&document);
    let (mut named, mut wrong) = (BTreeSet::new(), Vec::new());
    for line in CALLS.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [method, path, expected @ ..] = &cells[..] else { panic!("a call in {line:?}") };
        named.insert(format!("{method} {path}"));
        assert_eq!(expected.len(), clients.len(), "{line}");
        for (client, expected) in clients.iter().zip(expected).filter(|(_, expected)| **expected != "skip") {
            let body = (*method != "GET").then(|| json!({}));
            let said = told(&client.page(method, &things.fill(path), body.as_ref()), &codes);
            if said != *expected {
                wrong.push(format!("{method} {path}: {expected}, but got {said}"));
            }
        }
    }
    assert_eq!(named, documented(&document), "the table names every call of the document");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.assert_audit_clean();
}

#[test]
fn an_anonymous_request_of_any_form_is_a_401_and_changes_nothing() {
    let server = Server::start();
    let (ann, things) = Things::of(&server);
    let before = ann.see(&things.bet);
    let document = document();
    let own = ("Sec-Fetch-Site", "same-origin");
    let forged = server.client().with_cookie(Some("bolts=".to_owned() + &"A".repeat(100)));
    for call in documented(&document).iter().filter(|call| !call.starts_with("GET")) {
        let (method, path) = call.split_once(' ').expect("a call");
        if matches!(path, "/api/auth/register" | "/api/auth/logout") || path.starts_with("/api/auth/login") {
            continue;
        }
        // The token in the body or in the path is the permission.
        if path.starts_with("/api/auth/password-reset")
            || matches!(path, "/api/auth/verify-email" | "/api/unsubscribe/{token}")
        {
            continue;
        }
        // Any client may call the webhook, because its content is ignored.
        if path == "/api/deposit/webhook/{id}" {
            continue;
        }
        for (kind, body) in [("text/plain", "x"), ("application/json", "{"), ("application/json", "[]")] {
            let headers = [own, ("Content-Type", kind)];
            forged.send(method, &things.fill(path), &headers, body).problem(401, "not_signed_in");
        }
        // A request from another site is refused even with a session.
        let crossed = [("Origin", "https://evil.example"), ("Content-Type", "application/json")];
        ann.send(method, &things.fill(path), &crossed, "{}").problem(403, "cross_origin");
    }
    assert_eq!(ann.see(&things.bet), before);
    server.assert_audit_clean();
}

/// The state of the database as users, admins and the audit see it.
fn state(server: &Server, clients: &[&Client]) -> BTreeMap<String, Value> {
    let paths = ["/api/auth/user", "/api/users/stats", "/api/achievements", "/api/notifications"];
    let lists = ["/api/bets/my", "/api/admin/bets", "/api/admin/actions", "/api/admin/disputes"];
    let mut all = BTreeMap::new();
    for (index, client) in clients.iter().enumerate() {
        for path in paths.iter().chain(&lists) {
            all.insert(format!("{index} {path}"), client.get(path).json());
        }
    }
    let audit = server.command(&["audit"]);
    all.insert("audit".to_owned(), json!(String::from_utf8_lossy(&audit.stdout)));
    all
}

/// The operations that a user with a one-time password may call, and the operations that give the same answer with and
/// without a session.
const OPEN_TO_ALL: [&str; 26] = [
    "GET /api/auth/user",
    "PATCH /api/auth/password",
    "POST /api/auth/logout",
    "POST /api/auth/login",
    "POST /api/auth/login/factor",
    "POST /api/auth/login/factor/options",
    "POST /api/auth/login/passkey",
    "POST /api/auth/login/passkey/options",
    "POST /api/auth/step-up",
    "POST /api/auth/step-up/options",
    "POST /api/auth/register",
    "POST /api/auth/verify-email",
    "POST /api/auth/password-reset/request",
    "POST /api/auth/password-reset",
    "GET /api/unsubscribe/{token}",
    "POST /api/unsubscribe/{token}",
    "GET /api/bets/public",
    "GET /api/bets/stats",
    "GET /api/bets/total-count",
    "GET /api/config",
    "POST /api/deposit/webhook/{id}",
    "GET /healthz",
    "GET /og/{key}.png",
    "GET /robots.txt",
    "GET /sitemap.xml",
    "GET /sitemap/{part}.xml",
];

#[test]
fn a_one_time_password_opens_nothing_but_its_change() {
    let server = Server::start();
    let (_ann, things) = Things::of(&server);
    let root = server.admin("root");
    let reset = root.post("/api/admin/reset-password", json!({"userEmail": "bob@example.com"})).ok(200);
    let bob = server.client();
    let credentials = json!({"email": "bob@example.com", "password": reset["temporaryPassword"]});
    bob.post("/api/auth/login", credentials).ok(200);
    let document = document();
    for call in documented(&document) {
        if OPEN_TO_ALL.contains(&call.as_str()) || call == "GET /readyz" || call == "GET /api/login" {
            continue;
        }
        let (method, path) = call.split_once(' ').expect("a call");
        let body = (method != "GET").then(|| json!({}));
        bob.page(method, &things.fill(path), body.as_ref()).problem(403, "password_change_required");
    }
    assert_eq!(bob.get("/api/auth/user").ok(200)["mustChangePassword"], true);
    bob.post("/api/auth/logout", json!({})).ok(200);
}

#[test]
fn no_get_writes() {
    let server = Server::start();
    let (ann, things) = Things::of(&server);
    let root = server.admin("root");
    let token = things.bet["shareToken"].as_str().expect("a token");
    let before = state(&server, &[&ann, &root]);
    let document = document();
    for path in documented(&document).iter().filter_map(|call| call.strip_prefix("GET ")) {
        if path == "/api/events" {
            continue;
        }
        let path = things.fill(path).replace("c29tZWJvZHkgZ3Vlc3Nlcw", token);
        for client in [&ann, &root] {
            for method in ["GET", "HEAD"] {
                // A faulty GET handler might treat these parameters as a request to change something.
                let query = "?_method=DELETE&read=true&accept=true&status=resolved";
                let asked = format!("{path}{}", if path.contains("/admin/") { "" } else { query });
                let answer = client.send(method, &asked, &[("X-HTTP-Method-Override", "DELETE")], "");
                assert!(answer.status < 500, "{method} {path}: {answer:?}");
            }
        }
    }
    // GET requests on the paths of operations that write.
    for call in documented(&document).iter().filter(|call| !call.starts_with("GET")) {
        let path = call.split_once(' ').expect("a call").1;
        ann.get(&things.fill(path));
        root.get(&things.fill(path));
    }
    assert_eq!(before, state(&server, &[&ann, &root]));
}

/// The body with additional fields that only the server may set. The values would benefit the user.
fn greedy(mut body: Value, me: &Value) -> Value {
    for (name, value) in [
        ("isAdmin", json!(true)),
        ("is_admin", json!(true)),
        ("boltsBalance", json!(5_000_000)),
        ("satsBalance", json!(5_000_000)),
        ("creatorId", json!("0".repeat(32))),
        ("acceptorId", me.clone()),
        ("userId", me.clone()),
        ("winnerId", me.clone()),
        ("status", json!("resolved")),
        ("id", json!("0".repeat(32))),
        ("shareToken", json!("guessable")),
        ("mustChangePassword", json!(true)),
        ("rewardBolts", json!(5_000_000)),
        ("settledBy", json!("ruling")),
        ("oddsA", json!(100)),
        ("stakeB", json!(1)),
        ("pot", json!(5_000_000)),
        ("createdAt", json!("2000-01-01T00:00:00Z")),
    ] {
        // If the name is a regular field of the operation, the field keeps its value.
        if body.get(name).is_none() {
            body[name] = value;
        }
    }
    body
}

/// Calls many operations that take a body, in a fixed order. `with` changes each body before it is sent. Returns all
/// answers.
fn journey(server: &Server, tag: &str, with: impl Fn(Value, &Value) -> Value) -> Vec<Value> {
    let (ann, bob, root) = (server.client(), server.client(), server.admin(&format!("root{tag}")));
    let credentials = |name: &str| json!({"email": format!("{name}{tag}@example.com"), "password": "secret"});
    let mut said = vec![ann.post("/api/auth/register", with(credentials("ann"), &json!(null))).ok(201)];
    let me = said[0]["id"].clone();
    let mut post = |client: &Client, path: &str, body: Value, status: u16| {
        let answer = client.post(path, with(body, &me)).ok(status);
        said.push(answer.clone());
        answer
    };
    post(&bob, "/api/auth/register", credentials("bob"), 201);
    post(&ann, "/api/auth/login", credentials("ann"), 200);
    let bet = post(&ann, "/api/bets", new_bet(json!({})), 201);
    let path = format!("/api/bets/{}", id(&bet));
    // The second journey adds a `shareToken`, which has no effect here: a token matters only for private bets.
    post(&bob, "/api/bets/accept", json!({"betId": bet["id"], "chosenOption": "B"}), 200);
    post(&ann, &format!("{path}/early-resolution"), json!({}), 200);
    post(&ann, &format!("{path}/propose-resolution"), json!({"winningOption": "B"}), 200);
    post(&bob, &format!("{path}/respond-resolution"), json!({"accept": false}), 200);
    post(&bob, &format!("{path}/dispute"), json!({"reason": "Please look."}), 200);
    let ruling = json!({"outcome": "B", "note": "No snow."});
    post(&root, &format!("/api/admin/bets/{}/rule", id(&bet)), ruling, 200);
    let second = post(&ann, "/api/bets", new_bet(json!({})), 201);
    post(&root, &format!("/api/admin/bets/{}/refund", id(&second)), json!({}), 200);
    post(&bob, "/api/achievements/claim-reward", json!({"achievementId": "first_bet"}), 200);
    let gift = json!({"userEmail": format!("ann{tag}@example.com"), "amount": 5});
    post(&root, "/api/admin/deposit-bolts", gift, 200);
    for (path, body) in [
        ("/api/auth/profile", json!({"username": format!("ann_{tag}"), "firstName": "Ann"})),
        ("/api/auth/password", json!({"currentPassword": "secret", "newPassword": "another"})),
    ] {
        said.push(ann.page("PATCH", path, Some(&with(body, &me))).ok(200));
    }
    said.extend([&ann, &bob].map(|client| client.get("/api/auth/user").ok(200)));
    said.extend([&ann, &bob].map(|client| client.get("/api/users/stats").ok(200)));
    said.iter_mut().for_each(|answer| make_plain(answer, &me, tag));
    said
}

/// Removes the parts of an answer that differ between two journeys: times, ids, and the tag in names.
fn make_plain(answer: &mut Value, me: &Value, tag: &str) {
    if answer == me {
        *answer = json!("ann's id");
    }
    match answer {
        Value::Object(fields) => fields.values_mut().for_each(|value| make_plain(value, me, tag)),
        Value::Array(items) => items.iter_mut().for_each(|value| make_plain(value, me, tag)),
        Value::String(text) if text.len() == id_length(me) && !text.contains(' ') => {
            *text = "an id".to_owned()
        }
        Value::String(text) if text.starts_with("20") && text.ends_with('Z') => *text = "a time".to_owned(),
        Value::String(text) => *text = text.replace(tag, ""),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn id_length(me: &Value) -> usize {
    me.as_str().expect("an id").len()
}

#[test]
fn what_only_the_server_may_set_is_ignored_in_every_body() {
    let server = Server::start();
    let modest = journey(&server, "one", |body, _| body);
    let greedy = journey(&server, "two", greedy);
    for (step, (modest, greedy)) in modest.iter().zip(&greedy).enumerate() {
        assert_eq!(modest, greedy, "step {step}");
    }
    let me = &modest[modest.len() - 4];
    assert_eq!((&me["isAdmin"], &me["boltsBalance"]), (&json!(false), &json!(805)), "ann lost 200 and got 5");
    server.assert_audit_clean();
}
