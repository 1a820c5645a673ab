//! The list of a user's sessions.

use serde_json::{Value, json};

use crate::harness::{Client, Server};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

fn sign_in(client: &Client, address: &str) {
    let credentials = json!({"email": "ann@example.com", "password": "secret"});
    let headers = [("X-Forwarded-For", address), ("User-Agent", FIREFOX)];
    client.page_with("POST", "/api/auth/login", &headers, Some(&credentials)).ok(200);
}

fn sessions(client: &Client) -> Vec<Value> {
    client.get("/api/auth/sessions").ok(200).as_array().expect("a list").clone()
}

#[test]
fn a_user_sees_where_the_account_is_open_and_ends_what_is_strange() {
    let server = Server::start_with(&["--trusted-proxies", "127.0.0.1"]);
    let (ann, laptop, thief) = (server.user("ann"), server.client(), server.client());
    sign_in(&laptop, "203.0.113.7");
    sign_in(&thief, "2001:db8:1:2::1");
    let all = sessions(&laptop);
    assert_eq!(all.len(), 3);
    let current: Vec<&Value> = all.iter().filter(|session| session["isCurrent"] == true).collect();
    let [own] = current[..] else { panic!("{all:?}") };
    assert_eq!((&own["device"], &own["network"]), (&json!("Firefox on Linux"), &json!("203.0.113.0/24")));
    let strange = all.iter().find(|session| session["network"] == "2001:db8:1::/48").expect("listed");
    let id = strange["id"].as_str().expect("an id");
    for cookie in [ann.cookie(), laptop.cookie(), thief.cookie()].into_iter().flatten() {
        assert!(!cookie.contains(id), "the id of a session is no part of its secret");
    }

    // Another user, and a guess.
    let bob = server.user("bob");
    bob.delete(&format!("/api/auth/sessions/{id}")).problem(404, "session_not_found");
    bob.delete("/api/auth/sessions/x").problem(404, "session_not_found");
    thief.get("/api/auth/user").ok(200);
    laptop.delete(&format!("/api/auth/sessions/{id}")).ok(200);
    thief.get("/api/auth/user").problem(401, "not_signed_in");
    laptop.delete(&format!("/api/auth/sessions/{id}")).problem(404, "session_not_found");

    assert_eq!(laptop.post("/api/auth/sessions/end-others", json!({})).ok(200), json!({"ended": 1}));
    ann.get("/api/auth/user").problem(401, "not_signed_in");
    assert_eq!(sessions(&laptop).len(), 1);
    bob.get("/api/auth/user").ok(200);
}

#[test]
fn a_sign_in_with_a_new_browser_is_told_and_one_with_a_known_browser_is_not() {
    let server = Server::start();
    let ann = server.user("ann");
    let told = || {
        let all = ann.get("/api/notifications").ok(200);
        let all = all.as_array().expect("a list").clone();
        all.iter().filter(|one| one["title"] == "New Sign-in").cloned().collect::<Vec<Value>>()
    };
    assert_eq!(told().len(), 0, "a sign-up is not told");
    sign_in(&ann, "203.0.113.7");
    assert_eq!(told().len(), 0, "the same browser");
    sign_in(&server.client(), "203.0.113.7");
    let all = told();
    assert_eq!(all.len(), 1);
    let message = all[0]["message"].as_str().expect("a text");
    // The server trusts no proxy here, so the address is that of the connection.
    assert!(message.starts_with("Firefox on Linux signed in from 127.0.0.0/24."), "{message}");
    let bob = server.user("bob");
    sign_in(&bob, "203.0.113.7");
    assert_eq!(told().len(), 2, "a browser in which somebody else signed in before");
}
