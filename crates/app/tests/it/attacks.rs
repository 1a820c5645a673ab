//! Attacks: forged cookies, session fixation, guessing of accounts, spoofed addresses, and script in texts. `framing.rs` has
//! those on the HTTP parser.

use serde_json::json;

use crate::harness::{Client, Server, id, new_bet};

fn sign_in(server: &Server, name: &str) -> Client {
    let client = server.client();
    let credentials = json!({"email": format!("{name}@example.com"), "password": "secret"});
    client.post("/api/auth/login", credentials).ok(200);
    client
}

#[test]
fn a_forged_cookie_signs_nobody_in() {
    let server = Server::start();
    let ann = server.user("ann");
    let cookie = ann.cookie().expect("a cookie");
    let value = cookie.strip_prefix("bolts=").expect("its name");
    let mut tampered: Vec<String> = (0..value.len()).step_by(5).map(|at| flipped(value, at)).collect();
    tampered.extend(["".to_owned(), value[..value.len() - 1].to_owned(), value.to_uppercase()]);
    tampered.extend([value.repeat(2), "%00".to_owned(), "\"\"".to_owned(), "x".repeat(4_000)]);
    for value in tampered {
        let answer = server.client().with_cookie(Some(format!("bolts={value}"))).get("/api/auth/user");
        answer.problem(401, "not_signed_in");
    }
    // Another server signs its cookies with another key.
    let other = Server::start();
    let eve = other.user("ann");
    server.client().with_cookie(eve.cookie()).get("/api/auth/user").problem(401, "not_signed_in");
    ann.get("/api/auth/user").ok(200);
}

/// The value with another letter at this position.
fn flipped(value: &str, at: usize) -> String {
    let other = if value.as_bytes()[at] == b'A' { 'B' } else { 'A' };
    value.chars().enumerate().map(|(index, c)| if index == at { other } else { c }).collect()
}

#[test]
fn cookies_of_ended_sessions_are_refused_on_every_call() {
    let server = Server::start();
    let (ann, root) = (server.user("ann"), server.admin("root"));
    let dead = |cookie: &Option<String>, why: &str| {
        for path in ["/api/auth/user", "/api/bets/my", "/api/notifications", "/api/events"] {
            let answer = server.client().with_cookie(cookie.clone()).get(path);
            assert_eq!(answer.status, 401, "{why}: {path} {}", answer.text);
        }
        let replay = server.client().with_cookie(cookie.clone()).post("/api/bets", new_bet(json!({})));
        replay.problem(401, "not_signed_in");
    };
    // Session fixation: a cookie that an attacker set before the sign-in must not be valid after it.
    let planted = ann.cookie();
    let fixed = server.client().with_cookie(planted.clone());
    fixed.post("/api/auth/login", json!({"email": "ann@example.com", "password": "secret"})).ok(200);
    assert_ne!(fixed.cookie(), planted);

    let gone = sign_in(&server, "ann");
    let cookie = gone.cookie();
    gone.post("/api/auth/logout", json!({})).ok(200);
    dead(&cookie, "signed out");

    let (elsewhere, copied) = (sign_in(&server, "ann"), ann.cookie());
    let change = json!({"currentPassword": "secret", "newPassword": "another"});
    ann.page("PATCH", "/api/auth/password", Some(&change)).ok(200);
    dead(&elsewhere.cookie(), "password changed");
    dead(&copied, "password changed in this session");
    ann.get("/api/auth/user").ok(200);
    root.post("/api/admin/reset-password", json!({"userEmail": "ann@example.com"})).ok(200);
    dead(&ann.cookie(), "password reset");
    assert!(server.command(&["admin", "revoke", "root@example.com"]).status.success());
    root.get("/api/admin/bets").problem(403, "not_allowed");
}

#[test]
fn a_sign_in_does_not_reveal_who_is_registered() {
    let server = Server::start();
    server.user("ann");
    let attempt = |email: &str, password: &str| {
        let answer = server.client().post("/api/auth/login", json!({"email": email, "password": password}));
        let mut headers: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
        headers.sort();
        (answer.status, answer.text, headers)
    };
    for password in ["wrong password", "x", ""] {
        let known = attempt("ann@example.com", password);
        assert_eq!(known, attempt("nobody@example.com", password), "{password:?}");
        assert!(matches!(known.0, 401 | 422), "{known:?}");
    }
    // The answer to too many attempts is also the same for known and unknown addresses.
    for _ in 0..10 {
        attempt("ann@example.com", "wrong password");
        attempt("nobody@example.com", "wrong password");
    }
    let known = attempt("ann@example.com", "wrong password");
    assert_eq!((known.0, known), (429, attempt("nobody@example.com", "wrong password")));
}

#[test]
fn a_spoofed_address_evades_no_limit() {
    let server = Server::start();
    server.user("ann");
    let attempt = |number: usize| {
        let address = format!("203.0.113.{number}");
        let headers = ["X-Forwarded-For", "X-Real-Ip", "Forwarded", "CF-Connecting-IP"]
            .map(|name| (name, address.as_str()));
        let body = json!({"email": "ann@example.com", "password": "wrong password"});
        server.client().page_with("POST", "/api/auth/login", &headers, Some(&body)).status
    };
    assert_eq!((0..12).map(attempt).filter(|status| *status == 429).count(), 2);
}

#[test]
fn script_is_text_and_script_urls_are_refused() {
    let server = Server::start();
    let ann = server.user("ann");
    let script = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let fields =
        json!({"title": script, "description": script, "optionA": script, "optionB": "\"'><svg onload=a()>"});
    let bet = ann.bet_with(fields);
    let pages = [format!("/api/bets/{}", id(&bet)), "/api/bets/public".to_owned()];
    for page in pages {
        let answer = ann.get(&page);
        let header = |name: &str| answer.headers[name].to_str().expect("text").to_owned();
        assert_eq!((header("content-type").as_str(), answer.status), ("application/json", 200));
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert!(answer.text.contains("<script>alert(1)"), "it is kept as it was typed: {}", answer.text);
    }
    for url in [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "java\tscript:alert(1)",
        "\u{1}javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:msgbox(1)",
        "file:///etc/passwd",
        "//evil.example/x",
        "/relative",
        "https://",
        "https:///",
    ] {
        let body = new_bet(json!({"sourceUrl": url}));
        let answer = ann.post("/api/bets", body);
        assert_eq!(answer.status, 422, "{url:?}: {}", answer.text);
        answer.invalid(&["sourceUrl"]);
    }
}
