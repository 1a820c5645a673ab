//! Attacks on the HTTP parser: request smuggling, oversized and malformed heads, and odd paths. They ask the store for nothing
//! special, so they run on SQLite only.

use serde_json::{Value, json};

use crate::harness::{Client, Server, id};
use crate::wire::{say, statuses};

#[test]
fn smuggled_requests_are_refused() {
    let server = Server::start();
    let post = "POST /api/auth/logout HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n";
    let smuggled = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let zero = "0\r\n\r\n";
    for (what, head) in [
        ("both lengths", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
        ("both, the other way round", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
        ("two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n"),
        ("a list of lengths", "Content-Length: 5, 5\r\n"),
        ("a signed length", "Content-Length: +5\r\n"),
        ("a negative length", "Content-Length: -5\r\n"),
        ("a huge length", "Content-Length: 99999999999999999999\r\n"),
        ("two encodings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"),
        ("an unknown encoding", "Transfer-Encoding: xchunked\r\n"),
        ("a list of encodings", "Transfer-Encoding: identity, chunked\r\n"),
        ("a space before the colon", "Transfer-Encoding : chunked\r\n"),
        ("a folded header", "Content-Length: 5\r\n folded: x\r\n"),
        ("a bare CR", "X: a\rb\r\nContent-Length: 5\r\n"),
        ("a NUL", "X: a\0b\r\nContent-Length: 5\r\n"),
        ("two hosts", "Host: y\r\nContent-Length: 5\r\n"),
    ] {
        let said = say(&server.base, format!("{post}{head}\r\n{zero}{smuggled}").as_bytes());
        assert_eq!(statuses(&said), [400], "{what}: {said}");
    }
    let old = format!("POST /api/auth/logout HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n{zero}{smuggled}");
    assert_eq!(statuses(&say(&server.base, old.as_bytes())).first(), Some(&400));
    // With correct framing, the two requests get two answers.
    let said = say(&server.base, format!("{post}Content-Length: 5\r\n\r\n{zero}{smuggled}").as_bytes());
    assert_eq!(statuses(&said), [200, 200], "{said}");
}

#[test]
fn oversized_and_malformed_heads_are_refused() {
    let server = Server::start();
    let get = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
    let long = "x".repeat(200_000);
    let many = (0..1_000).map(|n| format!("X-{n}: y\r\n")).collect::<String>();
    for (what, request) in [
        ("a long header", format!("{get}X: {long}\r\n\r\n")),
        ("a long name", format!("{get}{long}: x\r\n\r\n")),
        ("many headers", format!("{get}{many}\r\n")),
        ("a long cookie", format!("{get}Cookie: bolts={long}\r\n\r\n")),
        ("a long address", format!("GET /api/bets/{long} HTTP/1.1\r\nHost: x\r\n\r\n")),
    ] {
        let statuses = statuses(&say(&server.base, request.as_bytes()));
        // The server may close the connection while the client is still sending. Then the client may get no answer.
        let refused = matches!(statuses[..], [] | [400 | 413 | 414 | 431]);
        assert!(refused, "{what}: {statuses:?}");
    }
    for (what, request) in
        [("no host", "GET /healthz HTTP/1.1\r\n\r\n"), ("no HTTP", "\u{16}\u{3}\u{1}\0 hello\r\n\r\n")]
    {
        assert_eq!(statuses(&say(&server.base, request.as_bytes())), [400], "{what}");
    }
    server.client().get("/healthz").ok(200);
}

#[test]
fn odd_paths_are_plain_404s() {
    let server = Server::start();
    let (ann, root) = (server.user("ann"), server.admin("root"));
    let bet = ann.bet(10);
    let long = "a".repeat(10_000);
    let get = |path: &str, cookie: &Client| {
        let cookie = cookie.cookie().unwrap_or_default();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
        let said = say(&server.base, request.as_bytes());
        let (head, body) = said.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer to {path}"));
        let code = serde_json::from_str(body).map(|body: Value| body["code"].clone()).unwrap_or_default();
        (statuses(head)[0], code, head.to_lowercase().contains("application/problem+json"))
    };
    for path in [
        "/api/bets/..%2fadmin",
        "/api/bets/..%2f..%2fhealthz",
        "/api/bets/%2e%2e",
        "/api/bets/%2e%2e%2fadmin%2fbets",
        "/api/bets/..%5cadmin",
        "/api/bets/%00",
        "/api/bets/%ff%fe",
        "/api/bets/%",
        "/api/bets/%zz",
        "/api/bets/%0d%0aSet-Cookie:%20x=y",
        "/api/bets/;id=1",
        "/api/bets/public%2f",
        "/api/bets/-1",
        "/api/bets/' OR 1=1--".replace(' ', "%20").as_str(),
        "/api/bets/{key}",
        &format!("/api/bets/{long}"),
        &format!("/api/bets/{}%00", id(&bet)),
        &format!("/api/bets/{}%20", id(&bet)),
    ] {
        assert_eq!(get(path, &root), (404, json!("bet_not_found"), true), "{path}");
    }
    for path in [
        "/api/bets/../admin/bets/x/y",
        "/api//bets/public",
        "/api/bets/public/",
        "/api/bets//public",
        "/api/./bets/public",
        "/api/",
        "/api/nothing",
        "/api/admin%2fbets",
        "/api/ADMIN/bets",
        "/api/admin/bets/",
        "/api/admin;/bets",
        &format!("/api/{long}"),
    ] {
        assert_eq!(get(path, &root), (404, json!("not_found"), true), "{path}");
    }
    // No variant of a path gives a user access to admin endpoints. Some variants lead to the web page, like
    // any unknown path.
    for path in ["//api/admin/bets", "/x/../api/admin/bets", "/api/bets/../admin/bets", "/%61pi/admin/bets"] {
        let cookie = ann.cookie().expect("a cookie");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
        let said = say(&server.base, request.as_bytes());
        assert!(matches!(statuses(&said)[..], [200 | 400 | 403 | 404]), "{path}: {said}");
        assert!(!said.contains(id(&bet)), "{path}: {said}");
    }
}
