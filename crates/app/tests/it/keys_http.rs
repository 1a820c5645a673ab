//! Requests with API keys. Each test about an attack names it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bolts_kernel::sha256_hex;
use serde_json::{Value, json};

use crate::factors::protected;
use crate::harness::{Answer, Client, Server, eventually, id, new_bet};
use crate::routes::{CALLS, Things, codes, document, documented, told};
use crate::wallet::{invoice, rich};

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// The operations that a key may call, each with the scope that it needs. Every other operation of the document must refuse
/// every key.
const OPEN: &str = "
GET    /api/auth/user                      read
GET    /api/config                         read
GET    /api/users/stats                    read
GET    /api/achievements                   read
GET    /api/bets/public                    read
GET    /api/bets/my                        read
GET    /api/bets/arbitrated                read
GET    /api/bets/turn-count                read
GET    /api/bets/total-count               read
GET    /api/bets/stats                     read
GET    /api/bets/share/{token}             read
GET    /api/bets/{key}                     read
GET    /api/bets/{key}/timeline            read
GET    /api/bets/{key}/messages            read
GET    /api/pictures/{id}                  read
GET    /api/notifications                  read
GET    /api/deposit/check-status/{id}      read
GET    /api/withdrawals                    read
GET    /api/withdrawals/{id}               read
GET    /api/wallet/history                 read
GET    /api/wallet/history.csv             read
POST   /api/bets                           bet
POST   /api/bets/accept                    bet
DELETE /api/bets/{key}                     bet
POST   /api/bets/{key}/early-resolution    bet
POST   /api/bets/{key}/propose-resolution  bet
POST   /api/bets/{key}/respond-resolution  bet
POST   /api/bets/{key}/dispute             bet
POST   /api/bets/{key}/messages            bet
POST   /api/bets/{key}/pictures            bet
DELETE /api/messages/{id}                  bet
DELETE /api/pictures/{id}                  bet
POST   /api/withdrawals                    withdraw
POST   /api/withdrawals/quote              withdraw
";

/// A program: it has a key, and neither cookies nor the headers of a browser.
pub(crate) struct Program {
    client: Client,
    key: String,
}

impl Program {
    fn new(server: &Server, key: &str) -> Self {
        Self { client: server.client(), key: key.to_owned() }
    }

    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.call_with(method, path, &[], body)
    }

    fn call_with(&self, method: &str, path: &str, further: &[(&str, &str)], body: Option<&Value>) -> Answer {
        let bearer = format!("Bearer {}", self.key);
        let mut headers = vec![("Authorization", bearer.as_str())];
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        headers.extend_from_slice(further);
        self.client.send(method, path, &headers, &body.map(Value::to_string).unwrap_or_default())
    }

    fn get(&self, path: &str) -> Answer {
        self.call("GET", path, None)
    }

    fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, Some(&body))
    }

    fn is_valid(&self) -> bool {
        let answer = self.get("/api/config");
        if answer.status == 200 {
            return true;
        }
        answer.problem(401, "invalid_key");
        false
    }
}

fn new_key(name: &str, scopes: &[&str]) -> Value {
    json!({"name": name, "scopes": scopes, "password": "secret"})
}

/// Makes a key in the user's session.
fn make(user: &Client, scopes: &[&str]) -> Value {
    user.post("/api/auth/keys", new_key("bot", scopes)).ok(201)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A program of the user.
fn program(server: &Server, user: &Client, scopes: &[&str]) -> Program {
    Program::new(server, text(&make(user, scopes)["secret"]))
}

fn keys(user: &Client) -> Vec<Value> {
    user.get("/api/auth/keys").ok(200).as_array().expect("a list").clone()
}

#[test]
fn two_programs_settle_a_bet() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let made = make(&ann, &["bet", "read"]);
    let key = &made["key"];
    assert_eq!((&key["name"], &key["scopes"]), (&json!("bot"), &json!(["read", "bet"])));
    assert!(text(&made["secret"]).starts_with(text(&key["beginning"])), "{made}");
    assert_eq!((text(&made["secret"]).len(), text(&key["beginning"]).len()), (49, 12));
    assert_eq!((keys(&ann), &key["lastUsedAt"]), (vec![key.clone()], &Value::Null));
    let (ann_bot, bob_bot) =
        (Program::new(&server, text(&made["secret"])), program(&server, &bob, &["read", "bet"]));

    let bet = ann_bot.post("/api/bets", new_bet(json!({"stakeAmount": 5}))).ok(201);
    bob_bot.post("/api/bets/accept", json!({"betId": bet["id"], "chosenOption": "B"})).ok(200);
    let path = format!("/api/bets/{}", id(&bet));
    ann_bot.post(&format!("{path}/propose-resolution"), json!({"winningOption": "A"})).ok(200);
    let settled = bob_bot.post(&format!("{path}/respond-resolution"), json!({"accept": true})).ok(200);
    assert_eq!((&settled["status"], &settled["winnerId"]), (&json!("resolved"), &bet["creatorId"]));
    let answer = ann_bot.get("/api/auth/user");
    assert_eq!(answer.ok(200)["boltsBalance"], ann.get("/api/auth/user").ok(200)["boltsBalance"]);
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert!(!answer.headers.contains_key("set-cookie"), "{answer:?}");
    eventually("its use is recorded", Duration::from_secs(60), || {
        Some(()).filter(|()| keys(&ann)[0]["lastUsedAt"].is_string())
    });

    // Who forgets the key cannot read it again.
    let listed = ann.get("/api/auth/keys").text;
    assert!(!listed.contains(text(&made["secret"])) && !listed.contains("hash"), "{listed}");
    let document = ann.get("/api/account/export");
    assert_eq!(document.ok(200)["apiKeys"], json!(keys(&ann)));
    assert!(!document.text.contains(&sha256_hex(text(&made["secret"]))));
    let told = ann.get("/api/notifications").ok(200).to_string();
    assert!(told.contains("New API Key") && told.contains("“bot”"), "{told}");
    server.assert_audit_clean();
}

/// A stolen key opens what its scopes name, and nothing else: no route is forgotten.
#[test]
fn every_route_answers_keys_as_the_table_says() {
    let server = Server::start();
    let (_ann, things) = Things::of(&server);
    let stranger = server.user("stranger");
    let open: BTreeMap<String, &str> = OPEN
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let [method, path, scope] = &cells[..] else { return None };
            Some((format!("{method} {path}"), *scope))
        })
        .collect();
    let scopes = ["read", "bet", "withdraw"];
    let programs = scopes.map(|scope| (scope, program(&server, &stranger, &[scope])));
    let without = ("none", program(&server, &stranger, &["read"]));
    let beginning = without.1.key.chars().take(12).collect::<String>();
    server.database.execute(&format!("UPDATE api_keys SET scopes = '' WHERE beginning = '{beginning}'"));

    let document = document();
    let codes = codes(&document);
    let mut wrong = Vec::new();
    let mut called = BTreeSet::new();
    for line in CALLS.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [method, path, _, for_strangers, _] = &cells[..] else { panic!("a call in {line:?}") };
        let call = format!("{method} {path}");
        for (scope, program) in programs.iter().chain([&without]) {
            let is_open = open.get(&call) == Some(scope);
            let expected = if is_open { *for_strangers } else { "403-key_not_allowed" };
            let body = (*method != "GET").then(|| json!({}));
            let said = told(&program.call(method, &things.fill(path), body.as_ref()), &codes);
            if said != expected {
                wrong.push(format!("{call} with {scope}: {expected}, but got {said}"));
            }
        }
        called.insert(call);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(called, documented(&document));
    let unknown: Vec<_> = open.keys().filter(|call| !called.contains(*call)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    // A method or a spelling that the table does not know.
    for (method, path) in [("PUT", "/api/bets"), ("HEAD", "/api/bets/my"), ("GET", "/api/auth/%73essions")] {
        assert_eq!(programs[0].1.call(method, path, None).status, 403, "{method} {path}");
    }
    assert_eq!(
        programs[0].1.get("/api/bets/m%79").status,
        200,
        "another spelling of a route is the same route"
    );
    server.assert_audit_clean();
}

/// An admin's stolen key must not open the bets of others.
#[test]
fn a_key_of_an_admin_has_no_admin_rights() {
    let server = Server::start();
    let (ann, root) = (server.user("ann"), server.admin("root"));
    let bet = ann.bet_with(json!({"isPrivate": true}));
    let bot = program(&server, &root, &["read", "bet", "withdraw"]);
    let path = format!("/api/bets/{}", id(&bet));
    root.get(&path).ok(200);
    bot.get(&path).problem(404, "bet_not_found");
    assert_eq!(bot.get("/api/auth/user").ok(200)["isAdmin"], false);
    for call in documented(&document()).iter().filter(|call| call.contains(" /api/admin/")) {
        let (method, path) = call.split_once(' ').expect("a call");
        let body = (method != "GET").then(|| json!({}));
        bot.call(method, &path.replace("{key}", id(&bet)), body.as_ref()).problem(403, "key_not_allowed");
    }
}

/// A wrong key must not fall back to the cookie of a browser, and a right one must not mix with it.
#[test]
fn a_wrong_key_is_refused_whatever_else_the_request_has() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let right = text(&make(&ann, &["read", "bet"])["secret"]).to_owned();
    let other = make(&ann, &["read"]);
    ann.delete(&format!("/api/auth/keys/{}", text(&other["key"]["id"]))).ok(200);
    let guessed = format!("bolts_{}", right[6..].chars().rev().collect::<String>());
    let unknown = format!("bolts_{}", "A".repeat(43));
    let revoked = text(&other["secret"]);
    let (shouted, quoted) = (right.to_uppercase(), format!("\"{right}\""));
    for wrong in ["", "bolts_", &right[..48], &guessed, &shouted, &quoted, &unknown, revoked] {
        for (method, path) in
            [("GET", "/api/auth/user"), ("GET", "/api/bets/public"), ("POST", "/api/bets"), ("GET", "/")]
        {
            let bearer = format!("Bearer {wrong}");
            let answer = bob.page_with(method, path, &[("Authorization", &bearer)], None);
            answer.problem(401, "invalid_key");
            assert_eq!(answer.headers["www-authenticate"], "Bearer error=\"invalid_token\"");
        }
    }
    let bearer = format!("Bearer {right}");
    let twice = [("Authorization", bearer.as_str()), ("Authorization", bearer.as_str())];
    bob.page_with("GET", "/api/auth/user", &twice, None).problem(401, "invalid_key");
    let mixed = [("Authorization", "Basic Ym9iOnNlY3JldA=="), ("Authorization", bearer.as_str())];
    bob.page_with("GET", "/api/auth/user", &mixed, None).problem(401, "invalid_key");
    // The right key beside the cookie of another user: the key counts, even from a page of another site, which cannot
    // send this header.
    let beside = [("Authorization", bearer.as_str())];
    assert_eq!(bob.page_with("GET", "/api/auth/user", &beside, None).ok(200)["email"], "ann@example.com");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Origin", "https://evil.example"),
        ("Content-Type", "application/json"),
    ];
    let bet = bob.send("POST", "/api/bets", &headers, &new_bet(json!({})).to_string()).ok(201);
    assert_eq!(bet["creatorId"], ann.get("/api/auth/user").ok(200)["id"]);
    // A key is no sign-in of a browser, and other kinds of this header mean nothing.
    let basic = [("Authorization", "Basic Ym9iOnNlY3JldA==")];
    assert_eq!(bob.page_with("GET", "/api/auth/user", &basic, None).ok(200)["email"], "bob@example.com");
    for path in ["/api/auth/user", "/api/bets/my"] {
        for name in ["key", "access_token", "api_key", "token"] {
            server.client().get(&format!("{path}?{name}={right}")).problem(401, "not_signed_in");
        }
    }
    server
        .client()
        .with_cookie(Some(format!("bolts={right}")))
        .get("/api/auth/user")
        .problem(401, "not_signed_in");
}

/// A proxy with a sign-in of its own may pass its token on. Such a token is no key: people sign in and act by their cookies, and
/// the checks of a browser's requests stay. It opens nothing by itself.
#[test]
fn a_token_of_a_proxy_is_no_key() {
    let server = Server::start();
    let bearer = format!("Bearer {}", sha256_hex("the token of a proxy"));
    for token in ["Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln", &bearer] {
        let token = [("Authorization", token)];
        let ann = server.client();
        ann.page_with("GET", "/api/config", &token, None).ok(200);
        ann.page_with("GET", "/api/auth/user", &token, None).problem(401, "not_signed_in");
        let name = if token[0].1.contains("eyJ") { "ann" } else { "bob" };
        let credentials = json!({"email": format!("{name}@example.com"), "password": "secret"});
        ann.page_with("POST", "/api/auth/register", &token, Some(&credentials)).ok(201);
        ann.page_with("POST", "/api/auth/logout", &token, Some(&json!({}))).ok(200);
        ann.page_with("POST", "/api/auth/login", &token, Some(&credentials)).ok(200);
        let bet = ann.page_with("POST", "/api/bets", &token, Some(&new_bet(json!({})))).ok(201);
        assert_eq!(bet["creatorId"], ann.get("/api/auth/user").ok(200)["id"]);
        // A page of another site has the cookie, and the proxy adds its token.
        let mut foreign = vec![("Origin", "https://evil.example"), ("Content-Type", "application/json")];
        foreign.extend(token);
        let body = new_bet(json!({})).to_string();
        ann.send("POST", "/api/bets", &foreign, &body).problem(403, "cross_origin");
        ann.send("POST", "/api/bets", &foreign[1..], &body).problem(403, "cross_origin");
    }
}

/// What ends sessions, because somebody else may know the password, also ends what a thief has made with them.
#[test]
fn what_ends_sessions_revokes_keys() {
    let server = Server::start();
    let root = server.admin("root");
    let (ann, bob, cay) = (server.user("ann"), server.user("bob"), server.user("cay"));
    let others = program(&server, &bob, &["read"]);

    let first = program(&server, &ann, &["read"]);
    ann.page(
        "PATCH",
        "/api/auth/password",
        Some(&json!({"currentPassword": "secret", "newPassword": "secret"})),
    )
    .ok(200);
    assert!(!first.is_valid(), "a change of the password");
    let second = program(&server, &ann, &["read"]);
    ann.post("/api/auth/sessions/end-others", json!({})).ok(200);
    assert!(!second.is_valid() && keys(&ann).is_empty(), "the end of all other sessions");
    let third = program(&server, &ann, &["read"]);
    let fourth = program(&server, &ann, &["bet"]);
    let id = text(&keys(&ann)[0]["id"]).to_owned();
    ann.delete(&format!("/api/auth/keys/{id}")).ok(200);
    ann.delete(&format!("/api/auth/keys/{id}")).problem(404, "key_not_found");
    assert!(!third.is_valid(), "revoked by its user");
    let told = ann.get("/api/notifications").ok(200);
    let titles: Vec<_> = told.as_array().expect("a list").iter().map(|one| text(&one["title"])).collect();
    let made = "New API Key";
    let expected = [
        "API Key Revoked",
        made,
        made,
        "API Keys Revoked",
        made,
        "Password Changed",
        "API Keys Revoked",
        made,
    ];
    assert_eq!(titles[..8], expected);
    assert!(text(&told[0]["message"]).contains("“bot”"), "{told}");
    ann.post("/api/auth/logout", json!({})).ok(200);
    fourth.get("/api/config").problem(403, "key_not_allowed");
    root.post("/api/admin/reset-password", json!({"userEmail": "ann@example.com"})).ok(200);
    assert!(!fourth.is_valid(), "a one-time password by an admin");

    let fifth = program(&server, &cay, &["read"]);
    cay.page("DELETE", "/api/account", Some(&json!({"password": "secret"}))).ok(200);
    assert!(!fifth.is_valid(), "the end of the account");

    let (dan, _, _) = protected(&server, "dan");
    let sixth = program(&server, &dan, &["read"]);
    let reset = server.command(&["user", "reset-2fa", "dan@example.com"]);
    assert!(reset.status.success(), "{reset:?}");
    assert!(!sixth.is_valid(), "the operator's removal of all second factors");

    assert!(others.is_valid(), "the keys of others stay");
    server.assert_audit_clean();
}

#[test]
fn a_key_belongs_to_its_user() {
    let server = Server::start();
    let (ann, bob, root) = (server.user("ann"), server.user("bob"), server.admin("root"));
    let made = make(&ann, &["read"]);
    let path = format!("/api/auth/keys/{}", text(&made["key"]["id"]));
    for other in [&bob, &root] {
        assert!(keys(other).is_empty());
        other.delete(&path).problem(404, "key_not_found");
    }
    ann.delete("/api/auth/keys/x").problem(404, "key_not_found");
    server.client().delete(&path).problem(401, "not_signed_in");
    let bot = Program::new(&server, text(&made["secret"]));
    bot.call("DELETE", &path, None).problem(403, "key_not_allowed");
    bot.get("/api/auth/keys").problem(403, "key_not_allowed");
    // A stolen key must not make itself a successor.
    bot.post("/api/auth/keys", new_key("next", &["read"])).problem(403, "key_not_allowed");
    let left: Vec<Value> = keys(&ann).iter().map(|key| key["id"].clone()).collect();
    assert_eq!(left, [made["key"]["id"].clone()]);
}

#[test]
fn a_new_key_needs_a_name_scopes_and_the_password() {
    let server = Server::start();
    let ann = server.user("ann");
    let with = |field: &str, value: Value| {
        let mut body = new_key("bot", &["read"]);
        body[field] = value;
        ann.post("/api/auth/keys", body)
    };
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(51))),
        ("name", json!("a\u{7}b")),
        ("scopes", json!([])),
        ("scopes", json!(null)),
        ("scopes", json!(["admin"])),
        ("scopes", json!("read")),
        ("expiresInDays", json!(0)),
        ("expiresInDays", json!(366)),
        ("expiresInDays", json!("30")),
        ("password", json!("")),
        ("password", json!("wrong!")),
    ] {
        with(field, value.clone()).invalid(&[field]);
        assert!(keys(&ann).is_empty(), "{field} {value}");
    }
    ann.post("/api/auth/keys", json!({})).invalid(&["scopes", "name", "password"]);
    let days = |made: &Value| {
        let time = |field: &str| bolts_kernel::Timestamp::parse(text(&made["key"][field])).expect("a time");
        time("expiresAt").since(time("createdAt"))
    };
    assert_eq!(days(&with("expiresInDays", json!(null)).ok(201)), 90 * DAY);
    assert_eq!(days(&with("expiresInDays", json!(365)).ok(201)), 365 * DAY);
    for _ in 0..8 {
        make(&ann, &["read"]);
    }
    with("name", json!("one too many")).problem(409, "key_limit_reached");
    ann.delete(&format!("/api/auth/keys/{}", text(&keys(&ann)[0]["id"]))).ok(200);
    make(&ann, &["read"]);
}

/// Guessing keys costs the network its sign-ins, and locks out no program that has a right key.
#[test]
fn wrong_keys_are_limited_per_network() {
    let server = Server::start_with(&["--signins-per-minute", "3"]);
    let ann = server.user("ann");
    let bot = program(&server, &ann, &["read"]);
    let thief = Program::new(&server, &format!("bolts_{}", "A".repeat(43)));
    let statuses: Vec<u16> = (0..5).map(|_| thief.get("/api/config").status).collect();
    assert_eq!(statuses, [401, 401, 401, 429, 429]);
    let refused = thief.get("/api/config");
    refused.problem(429, "too_many_requests");
    assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
    assert!(bot.is_valid());
    ann.get("/api/auth/user").ok(200);
}

/// A second way in must not double the user's limits, and a repeated request has one effect, whichever way it takes.
#[test]
fn limits_and_idempotency_keys_are_the_users() {
    let server = Server::start_with(&["--bets-per-hour", "2"]);
    let ann = server.user("ann");
    let bot = program(&server, &ann, &["read", "bet"]);
    let once = [("Idempotency-Key", "one")];
    let body = new_bet(json!({}));
    let first = bot.call_with("POST", "/api/bets", &once, Some(&body)).ok(201);
    let again = ann.page_with("POST", "/api/bets", &once, Some(&body));
    assert_eq!((again.ok(201), again.headers["idempotent-replayed"].to_str().ok()), (first, Some("true")));
    ann.bet(1);
    bot.post("/api/bets", new_bet(json!({}))).problem(429, "too_many_bets");
}

/// A key that leaks moves no sats alone: a withdrawal also needs the password.
#[test]
fn a_withdrawal_with_a_key_needs_scope_and_password() {
    let server = crate::wallet::server();
    let ann = rich(&server, "ann", 5_000);
    let (reader, bot) = (program(&server, &ann, &["read", "bet"]), program(&server, &ann, &["withdraw"]));
    let body = |password: &str| json!({"invoice": invoice(500, "Winnings").text, "password": password});
    reader.post("/api/withdrawals", body("secret")).problem(403, "key_not_allowed");
    bot.post("/api/withdrawals", body("")).invalid(&["password"]);
    bot.post("/api/withdrawals", body("wrong!")).invalid(&["password"]);
    let held = bot.post("/api/withdrawals", body("secret")).ok(201);
    crate::wallet::until(&ann, &held, "paid");
    bot.post("/api/withdrawals", json!({"invoice": invoice(100_000, "Too much").text, "password": "secret"}))
        .problem(409, "insufficient_balance");
    // Guesses of the password with a stolen key are limited, and do not lock the user's own session out.
    let statuses: Vec<u16> = (0..12).map(|_| bot.post("/api/withdrawals", body("wrong!")).status).collect();
    assert_eq!((statuses[0], statuses[11]), (422, 429), "{statuses:?}");
    ann.post("/api/withdrawals", body("secret")).ok(201);
    server.assert_audit_clean();
}
