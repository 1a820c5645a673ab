//! Headers of every answer, and the check that requests come from our own pages.

use std::io::Read;

use serde_json::{Value, json};
use ureq::http::HeaderMap;

use crate::harness::Server;

#[test]
fn every_answer_carries_the_security_headers() {
    let server = Server::start();
    let client = server.client();
    for path in [
        "/",
        "/auth",
        "/licenses.txt",
        "/bet/x",
        "/api/auth/user",
        "/api/nothing",
        "/healthz",
        "/readyz",
        "/assets/none.js",
        "/api/bets/public",
        "/%61pi/bets/public",
    ] {
        let answer = client.get(path);
        let header =
            |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let csp = header("content-security-policy");
        assert!(csp.contains("frame-ancestors 'none'") && csp.contains("script-src 'self'"), "{path}: {csp}");
        assert!(!csp.contains("unsafe"), "{path}: {csp}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin", "{path}");
        assert!(!header("permissions-policy").is_empty() && !header("x-request-id").is_empty(), "{path}");
        if path.contains("pi/") {
            assert_eq!(header("cache-control"), "no-store", "{path}");
        }
    }
}

/// Gets `path` as a browser that accepts `encoding` does.
fn get_encoded(server: &Server, path: &str, cookie: &str, encoding: &str) -> (HeaderMap, Vec<u8>) {
    let request = ureq::get(format!("{}{path}", server.base)).header("Accept-Encoding", encoding);
    let request = request.header("Cookie", cookie);
    let mut answer = request.call().expect("an answer");
    let body = answer.body_mut().read_to_vec().expect("a body");
    (answer.headers().clone(), body)
}

#[test]
fn pages_and_lists_are_compressed_where_the_client_accepts_it() {
    let server = Server::start();
    let ann = server.user("ann");
    for _ in 0..3 {
        ann.bet(10);
    }
    let cookie = ann.cookie().expect("signed in");
    // The server compresses the lists of visitors and of members in different places.
    for (path, cookie) in
        [("/auth", ""), ("/api/bets/public", ""), ("/api/bets/public", &*cookie), ("/api/bets/my", &*cookie)]
    {
        let (plain_headers, plain) = get_encoded(&server, path, cookie, "identity");
        assert!(!plain_headers.contains_key("content-encoding"), "{path}");
        assert_eq!(plain_headers["vary"], "Accept-Encoding", "{path}");
        let (headers, packed) = get_encoded(&server, path, cookie, "gzip, deflate, br");
        assert_eq!(headers["content-encoding"], "gzip", "{path}");
        assert_eq!(headers["vary"], "Accept-Encoding", "{path}");
        let mut content = Vec::new();
        flate2::read::GzDecoder::new(&*packed).read_to_end(&mut content).expect("a gzip stream");
        assert!(content == plain, "{path} has other content when compressed");
        assert!(packed.len() * 3 < plain.len() * 2, "{path}: {} of {}", packed.len(), plain.len());
    }
    let (short, _) = get_encoded(&server, "/api/bets/stats", "", "gzip");
    assert!(!short.contains_key("content-encoding"));
}

#[test]
fn pages_of_private_bets_and_of_users_are_not_for_search_engines() {
    let server = Server::start();
    let ann = server.user("ann");
    let (public, private) = (ann.bet(10), ann.bet_with(json!({"isPrivate": true})));
    let path = |bet: &Value| format!("/bet/{}", bet["id"].as_str().expect("an id"));
    let token = private["shareToken"].as_str().expect("a token");
    for (path, expected) in [
        (format!("/share/{token}"), Some("noindex")),
        (format!("/bet/{token}"), Some("noindex")),
        (format!("{}?token={token}", path(&private)), Some("noindex")),
        (path(&private), Some("noindex")),
        ("/portfolio".to_owned(), Some("noindex")),
        (path(&public), None),
        ("/marketplace".to_owned(), None),
    ] {
        let answer = server.client().get(&path);
        let header = answer.headers.get("x-robots-tag").and_then(|value| value.to_str().ok());
        assert_eq!(header, expected, "{path}");
    }
}

#[test]
fn a_visitor_with_the_link_reads_the_terms_of_a_private_bet_and_no_address() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet_with(json!({"isPrivate": true}));
    let token = bet["shareToken"].as_str().expect("a token").to_owned();
    bob.post("/api/bets/accept", json!({"shareToken": token, "option": "B"})).ok(200);
    let visitor = server.client();
    visitor.get(&format!("/api/bets/share/{token}")).problem(401, "not_signed_in");
    let seen = visitor.get(&format!("/api/bets/{token}")).ok(200);
    for field in
        ["title", "description", "optionA", "optionB", "stakeAmount", "resolutionMethod", "expiresAt"]
    {
        assert_eq!(seen[field], bet[field], "{field}");
    }
    for party in ["creator", "acceptor"] {
        let email = seen[party]["email"].as_str().expect("an address");
        assert!(email.contains('\u{2022}'), "{party}: {email}");
    }
    assert!(!seen.to_string().contains("ann@") && !seen.to_string().contains("bob@"), "{seen}");
    visitor.get(&format!("/api/bets/{token}x")).problem(404, "bet_not_found");
}

#[test]
fn unsafe_requests_must_come_from_our_own_pages() {
    let server = Server::start();
    let client = server.client();
    let own = client.page("POST", "/api/auth/logout", None);
    own.ok(200);
    let host = format!("http://{}", server.base.trim_start_matches("http://"));
    let login = |headers: &[(&str, &str)]| client.send("POST", "/api/auth/logout", headers, "").status;
    for (headers, status) in [
        (vec![], 403),
        (vec![("Origin", "https://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Origin", host.as_str())], 200),
        (vec![("Sec-Fetch-Site", "same-origin")], 200),
        (vec![("Sec-Fetch-Site", "same-site")], 403),
        (vec![("Sec-Fetch-Site", "cross-site")], 403),
        (vec![("Sec-Fetch-Site", "none")], 403),
        (vec![("Origin", host.as_str()), ("Sec-Fetch-Site", "cross-site")], 403),
        (vec![("Origin", "https://evil.example"), ("Sec-Fetch-Site", "same-origin")], 403),
        (vec![("Origin", host.as_str()), ("Sec-Fetch-Site", "same-origin")], 200),
    ] {
        assert_eq!(login(&headers), status, "{headers:?}");
    }
    client.send("DELETE", "/api/notifications/clear-all", &[], "").problem(403, "cross_origin");
    client.send("POST", "/api/bets", &[], "{}").problem(403, "cross_origin");
}

#[test]
fn unknown_paths_and_methods_get_their_error_codes() {
    let server = Server::start();
    let client = server.client();
    client.get("/api/nothing").problem(404, "not_found");
    let answer = client.page("PUT", "/api/bets/public", Some(&json!({})));
    answer.problem(405, "method_not_allowed");
    assert_eq!(answer.headers["allow"], "GET");
    let login = client.get("/api/login");
    assert_eq!((login.status, login.headers["location"].to_str().ok()), (302, Some("/auth")));
    assert_eq!(client.get("/healthz").ok(200), json!({"ok": true}));
    assert_eq!(client.get("/readyz").ok(200), json!({"ok": true}));
}

#[test]
fn pages_are_served_with_their_caching() {
    let server = Server::start();
    let client = server.client();
    for path in ["/", "/marketplace", "/bet/0123", "/no/such/page"] {
        let page = client.get(path);
        assert_eq!(
            (page.status, page.headers["cache-control"].to_str().ok()),
            (200, Some("no-store")),
            "{path}"
        );
        assert!(page.headers["content-type"].to_str().expect("text").starts_with("text/html"), "{path}");
        assert!(page.text.contains("Bolts"), "{path}");
    }
    // The HTML files cannot be requested by their names. These paths get the same page as any unknown path.
    for path in ["/index.html", "/pages/member/admin.html", "/pages/../index.html"] {
        assert_eq!(client.get(path).text, client.get("/no/such/page").text, "{path}");
    }
    assert_eq!(client.get("/assets/none.js").status, 404);
    assert_eq!(client.page("POST", "/marketplace", None).status, 405);
}
