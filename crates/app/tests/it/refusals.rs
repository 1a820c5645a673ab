//! Tests each refusal of an action on a bet once (`docs/domain-rules.md#order-of-refusals`), and tests which parts of a
//! bet each user can see.

use serde_json::{Value, json};

use crate::harness::{Server, id, in_seconds};

fn propose(outcome: &str) -> Value {
    json!({"winningOption": outcome})
}

#[test]
fn accepting_is_refused_with_the_right_code() {
    let server = Server::start();
    let (ann, bob, carl) = (server.user("ann"), server.user("bob"), server.user("carl"));
    let bet = ann.bet(200);
    ann.accept(&bet).problem(403, "own_bet");
    bob.post("/api/bets/accept", json!({"betId": bet["id"], "chosenOption": "A"}))
        .problem(409, "option_taken");
    bob.post("/api/bets/accept", json!({"betId": "none", "chosenOption": "A"})).problem(404, "bet_not_found");
    bob.post("/api/bets/accept", json!({"shareToken": "none", "option": "A"})).problem(404, "bet_not_found");
    server.client().accept(&bet).problem(401, "not_signed_in");
    bob.accept(&bet).ok(200);
    carl.accept(&bet).problem(409, "bet_not_pending");

    let large = ann.bet(800);
    carl.bet(300);
    let problem = carl.accept(&large).problem(409, "insufficient_balance");
    assert_eq!(problem["detail"], "You need 800 Bolts but only have 700 Bolts.");
    let problem =
        ann.post("/api/bets", crate::harness::new_bet(json!({"currencyType": "sats", "stakeAmount": 100})));
    assert_eq!(
        problem.problem(409, "insufficient_balance")["detail"],
        "You need 100 sats but only have 0 sats."
    );
    server.assert_audit_clean();
}

#[test]
fn resolving_is_refused_with_the_right_code() {
    let server = Server::start();
    let (ann, bob, carl) = (server.user("ann"), server.user("bob"), server.user("carl"));
    let bet = ann.bet(10);
    ann.act(&bet, "early-resolution", json!({})).problem(409, "bet_not_accepted");
    ann.act(&bet, "respond-resolution", json!({"accept": true})).problem(409, "bet_not_awaiting_resolution");
    bob.accept(&bet).ok(200);
    ann.delete(&format!("/api/bets/{}", id(&bet))).problem(409, "bet_not_pending");
    bob.act(&bet, "early-resolution", json!({})).problem(409, "bet_not_expired");
    bob.act(&bet, "dispute", json!({"reason": "too early"})).problem(409, "bet_not_expired");
    carl.act(&bet, "early-resolution", json!({})).problem(403, "not_a_party");
    ann.act(&bet, "early-resolution", json!({})).ok(200);
    bob.act(&bet, "respond-resolution", json!({"accept": true})).problem(409, "no_proposal");
    let first = ann.act(&bet, "propose-resolution", propose("A")).ok(200);
    ann.act(&bet, "propose-resolution", propose("B")).problem(409, "proposal_pending");
    ann.act(&bet, "respond-resolution", json!({"accept": true})).problem(403, "not_allowed");
    bob.act(&bet, "respond-resolution", json!({"accept": false})).ok(200);
    ann.act(&bet, "propose-resolution", propose("void")).ok(200);
    let stale = json!({"accept": true, "proposalId": first["bet"]["proposalId"]});
    bob.act(&bet, "respond-resolution", stale).problem(409, "proposal_changed");
    bob.act(&bet, "dispute", json!({"reason": "No."})).ok(200);
    for (action, body) in [
        ("propose-resolution", propose("A")),
        ("dispute", json!({"reason": "Again."})),
        ("early-resolution", json!({})),
    ] {
        ann.act(&bet, action, body).problem(409, "bet_disputed");
    }
    bob.act(&bet, "respond-resolution", json!({"accept": false})).problem(409, "bet_disputed");
    // Accepting the standing proposal settles the bet, and `void` gives both stakes back.
    let settled = bob.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
    assert_eq!((&settled["status"], &settled["cancelReason"]), (&json!("cancelled"), &json!("void")));

    let won = ann.bet(20);
    bob.accept(&won).ok(200);
    ann.act(&won, "propose-resolution", propose("B")).ok(200);
    bob.act(&won, "respond-resolution", json!({"accept": true})).ok(200);
    for (action, body) in [("propose-resolution", propose("A")), ("early-resolution", json!({}))] {
        ann.act(&won, action, body).problem(409, "bet_already_resolved");
    }
    server.assert_audit_clean();
}

#[test]
fn rulings_are_for_admins_who_are_no_party() {
    let server = Server::start();
    let ann = server.user("ann");
    let (root, other) = (server.admin("root"), server.admin("other"));
    let bet = ann.bet(10);
    root.accept(&bet).ok(200);
    let rule = |client: &crate::harness::Client, outcome: &str| {
        client.post(&format!("/api/admin/bets/{}/rule", id(&bet)), json!({"outcome": outcome, "note": ""}))
    };
    rule(&other, "A").problem(409, "bet_not_awaiting_resolution");
    ann.act(&bet, "early-resolution", json!({})).ok(200);
    rule(&other, "A").problem(409, "bet_not_disputed");
    ann.act(&bet, "dispute", json!({"reason": "Look."})).ok(200);
    rule(&root, "A").problem(403, "conflict_of_interest");
    rule(&ann, "A").problem(403, "not_allowed");
    ann.get("/api/admin/disputes").problem(403, "not_allowed");
    assert_eq!(rule(&other, "A").ok(200)["winnerId"], bet["creatorId"]);
    rule(&other, "B").problem(409, "bet_already_resolved");
    assert_eq!(ann.bolts(), 1_010);

    let revoked = server.command(&["admin", "revoke", "other@example.com"]);
    assert!(revoked.status.success());
    other.get("/api/admin/disputes").problem(403, "not_allowed");
    server.assert_audit_clean();
}

#[test]
fn emails_are_masked_and_foreign_data_is_not_found() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let root = server.admin("root");
    let bet = ann.bet(10);
    bob.accept(&bet).ok(200);
    assert_eq!(ann.see(&bet)["creator"]["email"], "ann@example.com");
    assert_eq!(ann.see(&bet)["acceptor"]["email"], "b•••@example.com");
    assert_eq!(bob.see(&bet)["creator"]["email"], "a•••@example.com");
    assert_eq!(root.see(&bet)["creator"]["email"], "ann@example.com");
    for list in ["/api/bets/public", "/api/bets/my"] {
        assert_eq!(ann.get(list).ok(200)[0]["creator"]["email"], "a•••@example.com", "{list}");
    }
    assert_eq!(server.client().see(&bet)["creator"]["email"], "a•••@example.com");

    let note = ann.get("/api/notifications").ok(200)[0]["id"].clone();
    let path = format!("/api/notifications/{}/read", note.as_str().expect("an id"));
    bob.post(&path, json!({})).problem(404, "notification_not_found");
    server.client().post(&path, json!({})).problem(401, "not_signed_in");
    ann.post(&path, json!({})).ok(200);
}

#[test]
fn deadlines_apply_before_the_next_sweep() {
    let server = Server::start();
    // The pause lasts from 1970 to 9987, so that only a request can apply the deadline.
    server
        .database
        .execute("INSERT INTO settings (name, value) VALUES ('sweeps_paused', '0 253000000000000000')");
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet_with(json!({"expiresAt": in_seconds(3)}));
    std::thread::sleep(std::time::Duration::from_millis(3_050));
    bob.accept(&bet).problem(409, "bet_expired");
    assert_eq!(
        (ann.see(&bet)["status"].clone(), ann.bolts(), bob.bolts()),
        (json!("cancelled"), 1_000, 1_000)
    );
    ann.delete(&format!("/api/bets/{}", id(&bet))).problem(409, "bet_not_pending");
    server.assert_audit_clean();
}
