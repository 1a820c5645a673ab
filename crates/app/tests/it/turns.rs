//! The bets that wait for a user: `GET /api/bets/my?turn=mine`, their count, and the fields `turn`
//! and `waitsFor` of a bet.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Client, Server, eventually, id, in_seconds, lifetime};

const TURNS: &str = "/api/bets/my?turn=mine";

/// The ids and tasks of the bets that wait for this user. The count must be their number.
fn turns(user: &Client) -> Vec<(Value, Value)> {
    let list = user.get(TURNS).ok(200);
    let found: Vec<_> =
        list.as_array().expect("a list").iter().map(|bet| (bet["id"].clone(), bet["turn"].clone())).collect();
    assert_eq!(user.get("/api/bets/turn-count").ok(200)["turnCount"], json!(found.len()));
    found
}

fn turn(bet: &Value, task: &str) -> (Value, Value) {
    (bet["id"].clone(), json!(task))
}

#[test]
fn a_bet_waits_for_one_user_after_the_other() {
    let server = Server::start();
    let (ann, bob, cay, root) =
        (server.user("ann"), server.user("bob"), server.user("cay"), server.admin("root"));
    let bet = ann.bet(10);
    bob.accept(&bet).ok(200);
    for user in [&ann, &bob, &cay, &root] {
        assert_eq!(turns(user), []);
    }
    ann.act(&bet, "early-resolution", json!({})).ok(200);
    assert_eq!(turns(&ann), [turn(&bet, "propose")]);
    assert_eq!(turns(&bob), []);

    let proposed = ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    assert_eq!(
        (&proposed["bet"]["turn"], &proposed["bet"]["waitsFor"]),
        (&json!(null), &json!(["acceptor"]))
    );
    assert_eq!((turns(&ann), turns(&bob)), (vec![], vec![turn(&bet, "answer")]));
    assert_eq!(bob.see(&bet)["turn"], "answer");
    assert_eq!(server.client().see(&bet)["turn"], json!(null), "a visitor has no turn");

    bob.act(&bet, "respond-resolution", json!({"accept": false})).ok(200);
    assert_eq!((turns(&ann), turns(&bob)), (vec![turn(&bet, "propose_again")], vec![]));

    bob.act(&bet, "dispute", json!({"reason": "Please look."})).ok(200);
    assert_eq!((turns(&ann), turns(&bob)), (vec![], vec![]));
    assert_eq!(turns(&root), [turn(&bet, "rule")]);
    assert_eq!(cay.see(&bet)["waitsFor"], json!(["admin"]));
    let ruling = json!({"outcome": "B", "note": "Seen."});
    root.post(&format!("/api/admin/bets/{}/rule", id(&bet)), ruling).ok(200);
    for user in [&ann, &bob, &cay, &root] {
        assert_eq!(turns(user), []);
    }
}

#[test]
fn the_soonest_deadline_comes_first() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let live = |days: i64| {
        let bet = ann.bet_with(json!({"stakeAmount": 10, "expiresAt": in_seconds(days * 86_400)}));
        bob.accept(&bet).ok(200);
        bet
    };
    let (late, soon, voided) = (live(9), live(2), live(1));
    let propose = |bet, outcome| {
        ann.act(bet, "propose-resolution", json!({"winningOption": outcome})).ok(200);
    };
    propose(&late, "A");
    propose(&soon, "B");
    propose(&voided, "void");
    // A proposal stands 3 days after the expiry. Void does not stand by silence: such a bet lapses after 14 days.
    let expected = [&soon, &late, &voided].map(|bet| turn(bet, "answer"));
    assert_eq!(turns(&bob), expected);
    let first = bob.get(&format!("{TURNS}&limit=1")).ok(200);
    assert_eq!(first.as_array().map(Vec::len), Some(1));
    assert_eq!(first[0]["id"], soon["id"]);
    assert_eq!(bob.get(&format!("{TURNS}&status=accepted")).ok(200), json!([]));
}

#[test]
fn an_expired_bet_waits_for_both_parties() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet_with(json!({"stakeAmount": 10, "expiresAt": in_seconds(lifetime(3, 3, &ann))}));
    bob.accept(&bet).ok(200);
    assert_eq!((turns(&ann), turns(&bob)), (vec![], vec![]));
    eventually("the clock tells the expiry", Duration::from_secs(60), || {
        (!ann.get(TURNS).ok(200).as_array()?.is_empty()).then_some(())
    });
    assert_eq!(turns(&ann), [turn(&bet, "propose")]);
    assert_eq!(turns(&bob), [turn(&bet, "open")]);
    assert_eq!(bob.see(&bet)["waitsFor"], json!(["creator", "acceptor"]));
}

#[test]
fn another_turn_than_mine_is_refused() {
    let server = Server::start();
    let ann = server.user("ann");
    ann.get("/api/bets/my?turn=yours").invalid(&["turn"]);
    server.client().get(TURNS).problem(401, "not_signed_in");
}
