//! The field `actions` of bets, in lists and in answers. `table.rs` compares this field with the rules in every
//! situation.

use serde_json::{Value, json};

use crate::harness::{Client, Server, id};

/// The actions of the bet in the list at `path`, as this reader gets the list.
fn in_list(reader: &Client, path: &str, bet: &Value) -> Value {
    let list = reader.get(path).ok(200);
    let found = list.as_array().and_then(|bets| bets.iter().find(|found| found["id"] == bet["id"]));
    found.unwrap_or_else(|| panic!("{} is not in {list}", id(bet)))["actions"].clone()
}

#[test]
fn each_reader_of_a_list_gets_their_own_actions() {
    let server = Server::start();
    let (ann, bob, root, visitor) =
        (server.user("ann"), server.user("bob"), server.admin("root"), server.client());
    let bet = ann.bet(10);
    // The readers read each list in turns, and each list twice. If the server reused an answer for another reader, the
    // second read would show it.
    for _ in 0..2 {
        let public = |reader| in_list(reader, "/api/bets/public", &bet);
        assert_eq!(public(&visitor), json!([]));
        assert_eq!(public(&ann), json!(["delete"]));
        assert_eq!(public(&bob), json!(["accept"]));
        assert_eq!(public(&root), json!(["accept", "refund", "admin_delete"]));
        assert_eq!(in_list(&ann, "/api/bets/my", &bet), json!(["delete"]));
        assert_eq!(in_list(&root, "/api/admin/bets", &bet), json!(["accept", "refund", "admin_delete"]));
    }
}

#[test]
fn an_answer_to_an_action_lists_what_is_open_after_it() {
    let server = Server::start();
    let (ann, bob, root) = (server.user("ann"), server.user("bob"), server.admin("root"));
    let bet = ann.bet(10);
    assert_eq!(bet["actions"], json!(["delete"]));
    assert_eq!(bob.accept(&bet).ok(200)["actions"], json!([]));
    let proposed = ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    assert_eq!(proposed["bet"]["actions"], json!(["dispute"]));
    let seen = bob.get(&format!("/api/bets/{}", id(&bet))).ok(200);
    assert_eq!(seen["actions"], json!(["accept_proposal", "reject_proposal", "dispute"]));
    let disputed = bob.act(&bet, "dispute", json!({"reason": "Please look."})).ok(200);
    assert_eq!(disputed["actions"], json!(["accept_proposal"]));
    assert_eq!(in_list(&root, "/api/admin/disputes", &bet), json!(["rule", "refund", "admin_delete"]));
    let refunded = root.post(&format!("/api/admin/bets/{}/refund", id(&bet)), json!({})).ok(200);
    assert_eq!(refunded["bet"]["actions"], json!(["admin_delete"]));
}

#[test]
fn a_one_time_password_lists_no_actions() {
    let server = Server::start();
    let (ann, root) = (server.user("ann"), server.admin("root"));
    server.user("bob");
    let bet = ann.bet(10);
    let reset = root.post("/api/admin/reset-password", json!({"userEmail": "bob@example.com"})).ok(200);
    let bob = server.client();
    let credentials = json!({"email": "bob@example.com", "password": reset["temporaryPassword"]});
    bob.post("/api/auth/login", credentials).ok(200);
    assert_eq!(in_list(&bob, "/api/bets/public", &bet), json!([]));
}
