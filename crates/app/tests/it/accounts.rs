//! Sign-ups, sign-ins, sessions, and their limits.

use serde_json::json;

use crate::harness::{Answer, Server};

#[test]
fn registering_signs_in_and_grants_once() {
    let server = Server::start();
    let ann = server.client();
    ann.get("/api/auth/user").problem(401, "not_signed_in");
    let user =
        ann.post("/api/auth/register", json!({"email": " Ann@Example.com ", "password": "secret"})).ok(201);
    assert_eq!(
        (&user["email"], &user["boltsBalance"], &user["satsBalance"]),
        (&json!("ann@example.com"), &json!(1_000), &json!(0))
    );
    assert_eq!(
        (&user["isAdmin"], &user["mustChangePassword"], &user["username"]),
        (&json!(false), &json!(false), &json!(null))
    );
    assert_eq!(ann.get("/api/auth/user").ok(200), user);
    let again = json!({"email": "ANN@example.com", "password": "another"});
    server.client().post("/api/auth/register", again).problem(409, "email_taken");
    server.assert_audit_clean();
}

#[test]
fn signing_in_gives_a_new_session_and_signing_out_ends_it() {
    let server = Server::start();
    let ann = server.user("ann");
    let first = ann.cookie();
    let credentials = json!({"email": "ANN@example.com", "password": "secret"});
    ann.post("/api/auth/login", credentials.clone()).ok(200);
    let second = ann.cookie();
    assert_ne!(first, second, "a sign-in makes a new session");

    assert_eq!(ann.post("/api/auth/logout", json!({})).ok(200), json!({"ok": true}));
    assert_eq!(ann.cookie(), None);
    server.client().with_cookie(second.clone()).get("/api/auth/user").problem(401, "not_signed_in");
    let forged = second.map(|cookie| format!("{}x", &cookie[..cookie.len() - 1]));
    server.client().with_cookie(forged).get("/api/auth/user").problem(401, "not_signed_in");

    for wrong in [
        json!({"email": "ann@example.com", "password": "Secret"}),
        json!({"email": "bob@example.com", "password": "secret"}),
    ] {
        let problem = ann.post("/api/auth/login", wrong).problem(401, "invalid_credentials");
        assert_eq!(problem["detail"], "Invalid email or password");
    }
}

#[test]
fn the_cookies_are_for_the_server_alone() {
    let server = Server::start();
    let answer =
        server.client().post("/api/auth/register", json!({"email": "ann@example.com", "password": "secret"}));
    let cookies = |answer: &Answer| {
        let all = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().expect("text"));
        let mut all: Vec<String> = all.map(str::to_owned).collect();
        all.sort();
        <[String; 2]>::try_from(all).expect("two cookies")
    };
    let [device, session] = cookies(&answer);
    assert!(device.starts_with("bolts-device=") && device.contains("Max-Age=15552000"), "{device}");
    assert!(session.starts_with("bolts=") && session.contains("Max-Age=7776000"), "{session}");
    for cookie in [device, session] {
        for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(cookie.contains(part), "{part} in {cookie}");
        }
        assert!(!cookie.contains("Secure"), "over http the browser would drop it: {cookie}");
    }

    let https = Server::start_with(&["--public-url", "https://bets.example.com"]);
    let origin = [("Origin", "https://bets.example.com"), ("Content-Type", "application/json")];
    let body = r#"{"email":"ann@example.com","password":"secret"}"#;
    let answer = https.client().send("POST", "/api/auth/register", &origin, body);
    let [device, session] = cookies(&answer);
    assert!(device.starts_with("__Host-bolts-device=") && device.contains("Secure"), "{device}");
    assert!(session.starts_with("__Host-bolts=") && session.contains("Secure"), "{session}");
    assert!(answer.headers.contains_key("strict-transport-security"));
}

#[test]
fn sign_ups_are_limited_per_address() {
    let server = Server::start_with(&["--signups-per-hour", "2"]);
    for name in ["ann", "bob"] {
        server.user(name);
    }
    let carl = json!({"email": "carl@example.com", "password": "secret"});
    let refused = server.client().post("/api/auth/register", carl.clone());
    refused.problem(429, "too_many_requests");
    let seconds: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((3_500..=3_600).contains(&seconds), "{seconds}");
    // The server trusts the header X-Forwarded-For only from configured proxies.
    let spoofed = [("X-Forwarded-For", "203.0.113.9")];
    server
        .client()
        .page_with("POST", "/api/auth/register", &spoofed, Some(&carl))
        .problem(429, "too_many_requests");

    let behind = Server::start_with(&["--signups-per-hour", "1", "--trusted-proxies", "127.0.0.1"]);
    for (address, status) in [("203.0.113.1", 201), ("203.0.113.2", 201), ("198.51.100.1, 203.0.113.2", 429)]
    {
        let body = json!({"email": format!("{}@example.com", address.replace([',', ' '], "")), "password": "secret"});
        let answer = behind.client().page_with(
            "POST",
            "/api/auth/register",
            &[("X-Forwarded-For", address)],
            Some(&body),
        );
        assert_eq!(answer.status, status, "{address}: {}", answer.text);
    }
}

#[test]
fn wrong_passwords_are_counted_per_email_and_address() {
    let server = Server::start_with(&["--trusted-proxies", "127.0.0.1"]);
    server.user("ann");
    let from = |address: &str, email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        server.client().page_with("POST", "/api/auth/login", &[("X-Forwarded-For", address)], Some(&body))
    };
    for _ in 0..10 {
        from("203.0.113.1", "ann@example.com", "wrong password").problem(401, "invalid_credentials");
    }
    let refused = from("203.0.113.1", "ann@example.com", "secret");
    refused.problem(429, "too_many_requests");
    assert!(refused.headers.contains_key("retry-after"));
    // Wrong passwords from one address do not lock Ann out at another address. The server counts the attempts for other
    // accounts separately.
    from("203.0.113.2", "ann@example.com", "secret").ok(200);
    from("203.0.113.1", "bob@example.com", "secret").problem(401, "invalid_credentials");
    for _ in 0..9 {
        from("203.0.113.1", "bob@example.com", "secret").problem(401, "invalid_credentials");
    }
    from("203.0.113.1", "bob@example.com", "secret").problem(429, "too_many_requests");
}

#[test]
fn sign_ins_are_limited_per_address_and_a_success_resets_failures() {
    let server = Server::start_with(&["--signins-per-minute", "5"]);
    let ann = server.user("ann");
    let right = json!({"email": "ann@example.com", "password": "secret"});
    for _ in 0..5 {
        ann.post("/api/auth/login", right.clone()).ok(200);
    }
    ann.post("/api/auth/login", right).problem(429, "too_many_requests");

    let other = Server::start();
    let bob = other.user("bob");
    for _ in 0..3 {
        for _ in 0..9 {
            let wrong = json!({"email": "bob@example.com", "password": "wrong password"});
            bob.post("/api/auth/login", wrong).problem(401, "invalid_credentials");
        }
        bob.post("/api/auth/login", json!({"email": "bob@example.com", "password": "secret"})).ok(200);
    }
}

#[test]
fn a_profile_is_set_and_usernames_are_unique() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let set = |client: &crate::harness::Client, body: serde_json::Value| {
        client.page("PATCH", "/api/auth/profile", Some(&body))
    };
    let profile = json!({"username": " Ann_1 ", "firstName": "Ann", "lastName": ""});
    let user = set(&ann, profile).ok(200);
    assert_eq!(
        (&user["username"], &user["firstName"], &user["lastName"]),
        (&json!("Ann_1"), &json!("Ann"), &json!(null))
    );
    let taken = set(&bob, json!({"username": "aNN_1"})).problem(409, "username_taken");
    assert_eq!(taken["errors"][0]["field"], "username");
    set(&ann, json!({"username": "ann_1"})).ok(200);
    for username in
        [json!("ab"), json!("x".repeat(21)), json!("a-b-c"), json!("ännie"), json!(null), json!(5)]
    {
        set(&bob, json!({"username": username})).invalid(&["username"]);
    }
    set(&bob, json!({"username": "bob", "firstName": "é".repeat(51), "lastName": "é".repeat(51)}))
        .invalid(&["firstName", "lastName"]);
    assert_eq!(ann.bet(1)["creator"]["username"], "ann_1");
    server.client().page("PATCH", "/api/auth/profile", Some(&json!({}))).problem(401, "not_signed_in");
}

#[test]
fn a_changed_password_ends_the_other_sessions() {
    let server = Server::start();
    let here = server.user("ann");
    let elsewhere = server.client();
    elsewhere.post("/api/auth/login", json!({"email": "ann@example.com", "password": "secret"})).ok(200);
    let change = |body: serde_json::Value| here.page("PATCH", "/api/auth/password", Some(&body));
    change(json!({"currentPassword": "wrong", "newPassword": "another"})).invalid(&["currentPassword"]);
    change(json!({"newPassword": "short"})).invalid(&["currentPassword", "newPassword"]);
    change(json!({"currentPassword": "secret", "newPassword": "x".repeat(129)})).invalid(&["newPassword"]);
    elsewhere.get("/api/auth/user").ok(200);
    let copied = server.client().with_cookie(here.cookie());
    copied.get("/api/auth/user").ok(200);
    change(json!({"currentPassword": "secret", "newPassword": "another"})).ok(200);
    here.get("/api/auth/user").ok(200);
    copied.get("/api/auth/user").problem(401, "not_signed_in");
    elsewhere.get("/api/auth/user").problem(401, "not_signed_in");
    elsewhere
        .post("/api/auth/login", json!({"email": "ann@example.com", "password": "secret"}))
        .problem(401, "invalid_credentials");
    for _ in 0..10 {
        change(json!({"currentPassword": "guess", "newPassword": "another"})).invalid(&["currentPassword"]);
    }
    change(json!({"currentPassword": "guess", "newPassword": "another"})).problem(429, "too_many_requests");
}
