//! The headers and the check of the origin on every operation of the OpenAPI document.

use serde_json::{Value, json};

use crate::broken_text::calls;
use crate::harness::{Answer, Client, Server, id};
use crate::routes::document;
use crate::wire::say;

/// Asserts that an answer has the security headers. Answers of the API must not be stored.
fn assert_headers(what: &str, path: &str, answer: &Answer) {
    let header =
        |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let csp = header("content-security-policy");
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(csp.contains(part), "{what}: {csp}");
    }
    assert!(!csp.contains("unsafe"), "{what}: {csp}");
    // The pages of chats may show a card.
    let readers = if path.starts_with("/og/") { "cross-origin" } else { "same-origin" };
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", readers),
    ] {
        assert_eq!(header(name), value, "{what}: {name}");
    }
    assert!(!header("permissions-policy").is_empty() && !header("x-request-id").is_empty(), "{what}");
    assert_eq!(header("access-control-allow-origin"), "", "{what}");
    if path.starts_with("/api/") {
        assert_eq!(header("cache-control"), "no-store", "{what}");
    }
}

/// Every operation but the endless stream, with a path that is filled in.
fn operations(bet: &Value) -> Vec<(String, String)> {
    let fill = |path: String| {
        path.replace("{key}", id(bet)).replace("{id}", &"0".repeat(32)).replace("{token}", "x")
    };
    let all = calls(&document()).into_iter().filter(|(_, path, _)| path != "/api/events");
    all.map(|(method, path, _)| (method, fill(path))).collect()
}

#[test]
fn every_answer_of_every_route_carries_the_security_headers() {
    let server = Server::start();
    let (ann, root) = (server.user("ann"), server.admin("root"));
    let bet = ann.bet(1);
    let visitor = server.client();
    let (mut statuses, large) = (std::collections::BTreeSet::new(), "x".repeat(70_000));
    let mut check = |what: &str, path: &str, answer: Answer| {
        statuses.insert(answer.status);
        assert_headers(what, path, &answer);
    };
    let own = ("Sec-Fetch-Site", "same-origin");
    let json_type = ("Content-Type", "application/json");
    for (method, path) in operations(&bet) {
        let what = format!("{method} {path}");
        // The sign-out comes last for each user, because it would end the session.
        if path == "/api/auth/logout" {
            continue;
        }
        let body = (method != "GET").then(|| json!({}));
        for client in [&visitor, &ann, &root] {
            check(&what, &path, client.page(&method, &path, body.as_ref()));
        }
        check(&what, &path, ann.page("PUT", &path, None));
        check(&what, &path, ann.page("OPTIONS", &path, None));
        check(&what, &path, ann.send(&method, &path, &[("Origin", "https://evil.example")], ""));
        if method != "GET" {
            check(&what, &path, root.send(&method, &path, &[own, json_type], "{"));
            check(&what, &path, root.send(&method, &path, &[own, ("Content-Type", "text/plain")], "x"));
            check(&what, &path, root.send(&method, &path, &[own, json_type], &large));
        }
    }
    for path in [
        "/",
        "/bet/x",
        "/share/x",
        "/admin",
        "/licenses.txt",
        "/assets/none.js",
        "/api/nothing",
        "/api/login",
    ] {
        check(path, path, visitor.get(path));
        check(path, path, visitor.page("POST", path, None));
    }
    check("logout", "/api/auth/logout", ann.post("/api/auth/logout", json!({})));
    for status in [200, 302, 400, 401, 403, 404, 405, 413, 415, 422] {
        assert!(statuses.contains(&status), "no answer was a {status}: {statuses:?}");
    }
}

#[test]
fn refusals_by_limits_carry_the_security_headers() {
    let server = Server::start_with(&["--signups-per-hour", "1", "--signins-per-minute", "1"]);
    server.user("ann");
    let credentials = json!({"email": "ann@example.com", "password": "secret"});
    for path in ["/api/auth/register", "/api/auth/login"] {
        // A minute or an hour may end between two requests, and the count then begins again.
        let answers = (0..5).map(|_| server.client().post(path, credentials.clone()));
        let refused = answers.into_iter().find(|answer| answer.status == 429).expect("a limit");
        assert_headers(path, path, &refused);
    }
}

/// The forms in which a request of another site, or of no page, reaches the server. `OWN` is the site's own origin.
const FOREIGN: [&[(&str, &str)]; 20] = [
    &[],
    &[("Origin", "null")],
    &[("Origin", "")],
    &[("Origin", "https://evil.example")],
    &[("Origin", "OWN.evil.example")],
    &[("Origin", "OWN@evil.example")],
    &[("Origin", "OWN/")],
    &[("Origin", "OWN, https://evil.example")],
    &[("Origin", "http://127.0.0.1")],
    &[("Origin", "http://localhost")],
    &[("Origin", "file://")],
    &[("Sec-Fetch-Site", "cross-site")],
    &[("Sec-Fetch-Site", "same-site")],
    &[("Sec-Fetch-Site", "none")],
    &[("Sec-Fetch-Site", "")],
    &[("Sec-Fetch-Site", "same-origin, cross-site")],
    &[("Origin", "OWN"), ("Sec-Fetch-Site", "cross-site")],
    &[("Origin", "https://evil.example"), ("Sec-Fetch-Site", "same-origin")],
    &[("Referer", "OWN/bet/x")],
    &[("X-Forwarded-Host", "evil.example"), ("Origin", "http://evil.example")],
];

/// A valid body for operations that would otherwise refuse the request for another reason.
fn body_of(path: &str) -> String {
    let body = match path {
        "/api/auth/login" | "/api/auth/register" => json!({"email": "eve@example.com", "password": "secret"}),
        "/api/bets" => crate::harness::new_bet(json!({})),
        _ => json!({}),
    };
    body.to_string()
}

fn from(client: &Client, own: &str, method: &str, path: &str, form: &[(&str, &str)]) -> Answer {
    let forms: Vec<(&str, String)> =
        form.iter().map(|(name, value)| (*name, value.replace("OWN", own))).collect();
    let mut headers: Vec<(&str, &str)> = forms.iter().map(|(name, value)| (*name, value.as_str())).collect();
    headers.push(("Content-Type", "application/json"));
    let body = if method == "GET" { String::new() } else { body_of(path) };
    client.send(method, path, &headers, &body)
}

/// Asserts that every operation that may write refuses each foreign form, and that reads let no other site read. Returns the
/// number of refused requests.
fn assert_closed(server: &Server, own: &str, ann: &Client, bet: &Value) -> usize {
    let mut refused = 0;
    for (method, path) in operations(bet) {
        for form in FOREIGN {
            // These two need no session, so another site gains nothing by them.
            let is_open =
                ["/api/deposit/webhook/", "/api/unsubscribe/"].iter().any(|open| path.starts_with(open));
            let answer = from(ann, own, &method, &path, form);
            if method == "GET" || is_open {
                assert!(!answer.headers.contains_key("access-control-allow-origin"), "{method} {path}");
                continue;
            }
            answer.problem(403, "cross_origin");
            refused += 1;
        }
        // A preflight request of a browser gets no permission.
        let asked = [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "POST")];
        let preflight = ann.send("OPTIONS", &path, &asked, "");
        assert!((400..500).contains(&preflight.status), "OPTIONS {path}: {}", preflight.status);
        assert!(!preflight.headers.contains_key("access-control-allow-origin"), "OPTIONS {path}");
    }
    server.assert_audit_clean();
    refused
}

#[test]
fn no_other_origin_reaches_an_operation_that_writes() {
    let server = Server::start();
    let ann = server.user("ann");
    let bet = ann.bet(1);
    let own = server.base.clone();
    let refused = assert_closed(&server, &own, &ann, &bet);
    println!("{refused} requests of other origins refused");
    assert_eq!((ann.bolts(), ann.see(&bet)["status"].clone()), (999, json!("pending")));
    // Two headers `Origin`: a client library would not send them.
    let cookie = ann.cookie().expect("a cookie");
    let head =
        format!("POST /api/auth/logout HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n");
    let twice = format!("{head}Origin: http://x\r\nOrigin: https://evil.example\r\n\r\n");
    let said = say(&server.base, twice.as_bytes());
    let twice = format!("{head}Origin: https://evil.example\r\nOrigin: http://x\r\n\r\n");
    let other_order = say(&server.base, twice.as_bytes());
    assert!(other_order.starts_with("HTTP/1.1 403 "), "{other_order}");
    assert!(said.starts_with("HTTP/1.1 403 "), "{said}");
    ann.get("/api/auth/user").ok(200);
}

#[test]
fn a_site_with_a_public_address_accepts_only_this_origin() {
    let own = "https://bets.example.com";
    let server = Server::start_with(&["--public-url", own]);
    let ann = server.client();
    let sign_up = json!({"email": "ann@example.com", "password": "secret"}).to_string();
    let headers = [("Origin", own), ("Content-Type", "application/json")];
    assert_eq!(ann.send("POST", "/api/auth/register", &headers, &sign_up).status, 201);
    let bet = ann.send(
        "POST",
        "/api/bets",
        &headers,
        &crate::harness::new_bet(json!({"stakeAmount": 1})).to_string(),
    );
    let bet = bet.ok(201);
    let refused = assert_closed(&server, own, &ann, &bet);
    println!("{refused} requests of other origins refused with a public address");
    // The address of the socket is not the site's origin.
    for origin in [server.base.as_str(), "http://bets.example.com", "https://bets.example.com:444"] {
        from(&ann, own, "POST", "/api/auth/logout", &[("Origin", origin)]).problem(403, "cross_origin");
    }
    let page = ann.get("/api/auth/user");
    assert!(page.headers.contains_key("strict-transport-security"), "{page:?}");
    assert_headers("GET /api/auth/user", "/api/auth/user", &page);
}
