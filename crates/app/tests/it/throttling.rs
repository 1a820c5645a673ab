//! Rate limits over HTTP (docs/operations.md, 'Rate limits'). The tests of the use cases check the rules
//! themselves.

use serde_json::json;

use crate::harness::{Answer, Client, Server, id, new_bet};

fn sign_in(client: &Client, from: &str, password: &str) -> Answer {
    let body = json!({"email": "ann@example.com", "password": password});
    client.page_with("POST", "/api/auth/login", &[("X-Forwarded-For", from)], Some(&body))
}

/// Asserts that the answer is a 429 with this code. Returns the seconds of its `Retry-After`.
fn limited(answer: &Answer, code: &str) -> u64 {
    answer.problem(429, code);
    answer.headers["retry-after"].to_str().expect("text").parse().expect("seconds")
}

#[test]
fn an_ipv6_network_is_one_and_a_known_browser_passes() {
    let server = Server::start_with(&["--trusted-proxies", "127.0.0.1"]);
    let (ann, stranger) = (server.user("ann"), server.client());
    for interface in 1..=10 {
        let answer = sign_in(&stranger, &format!("2001:db8:1:2::{interface:x}"), "wrong");
        answer.problem(401, "invalid_credentials");
    }
    let wait = limited(&sign_in(&stranger, "2001:db8:1:2:ffff::1", "secret"), "too_many_requests");
    assert!((1..=30).contains(&wait), "{wait}");
    sign_in(&stranger, "2001:db8:1:3::1", "wrong").problem(401, "invalid_credentials");
    // Ann has signed in with this browser before. So wrong passwords of other people in her network do not block her
    // sign-in.
    sign_in(&ann, "2001:db8:1:2::1", "secret").ok(200);
    // The limit of the network does not apply to requests with a session.
    let change = json!({"currentPassword": "secret", "newPassword": "another"});
    let from = [("X-Forwarded-For", "2001:db8:1:2::1")];
    ann.page_with("PATCH", "/api/auth/password", &from, Some(&change)).ok(200);
}

#[test]
fn a_user_who_creates_bets_without_end_is_limited() {
    let server = Server::start_with(&["--bets-per-hour", "3"]);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    for _ in 0..3 {
        let bet = ann.bet(1);
        ann.delete(&format!("/api/bets/{}", id(&bet))).ok(200);
    }
    let wait = limited(&ann.post("/api/bets", new_bet(json!({}))), "too_many_bets");
    assert!((3_500..=3_600).contains(&wait), "{wait}");
    ann.post("/api/bets", new_bet(json!({"title": "abcd"}))).invalid(&["title"]);
    // Other users can create bets, and Ann can accept bets of others.
    ann.accept(&bob.bet(1)).ok(200);
    server.assert_audit_clean();
}

#[test]
fn a_user_who_writes_without_end_is_limited() {
    let server = Server::start_with(&["--writes-per-minute", "5"]);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    // The limit counts by the minute. A minute may end during the test, so up to ten requests may succeed.
    let statuses: Vec<u16> = (0..24).map(|_| ann.delete("/api/notifications/clear-all").status).collect();
    let done = statuses.iter().filter(|status| **status == 200).count();
    assert!((5..=10).contains(&done) && statuses.contains(&429), "{statuses:?}");
    // Reads are not limited, and other users are not affected.
    ann.get("/api/notifications").ok(200);
    bob.delete("/api/notifications/clear-all").ok(200);
}
