//! Achievements over HTTP: how they unlock, and that each reward is paid only once.

use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Client, Server};

fn one(client: &Client, id: &str) -> Value {
    let all = client.get("/api/achievements").ok(200);
    let all = all.as_array().expect("a list").clone();
    all.into_iter().find(|one| one["definition"]["id"] == id).expect("it is in the catalogue")
}

fn claim(client: &Client, id: &str) -> u16 {
    client
        .post("/api/achievements/claim-reward", json!({"achievementId": id, "rewardBolts": 9_999_999}))
        .status
}

#[test]
fn the_catalogue_is_shown_with_progress() {
    let server = Server::start();
    let ann = server.user("ann");
    let all = ann.get("/api/achievements").ok(200);
    assert_eq!(all.as_array().map(Vec::len), Some(9));
    let whale = one(&ann, "whale");
    assert_eq!(whale["definition"]["condition"], json!({"type": "total_winnings", "value": 100_000}));
    assert_eq!(whale["definition"]["reward"], json!({"bolts": 10_000, "sats": null, "title": "Whale"}));
    assert_eq!(
        (&whale["current"], &whale["percentage"], &whale["unlockedAt"]),
        (&json!(0), &json!(0.0), &json!(null))
    );
    server.client().get("/api/achievements").problem(401, "not_signed_in");
}

#[test]
fn an_achievement_unlocks_with_its_cause_and_is_rewarded_once() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let locked = json!({"achievementId": "first_bet", "rewardBolts": -1});
    ann.post("/api/achievements/claim-reward", locked).problem(409, "achievement_locked");
    ann.post("/api/achievements/claim-reward", json!({"achievementId": "everything"}))
        .invalid(&["achievementId"]);
    ann.post("/api/achievements/claim-reward", json!({})).invalid(&["achievementId"]);

    let bet = ann.bet(100);
    let first = one(&ann, "first_bet");
    assert_eq!((&first["percentage"], &first["claimedAt"]), (&json!(100.0), &json!(null)));
    assert!(first["unlockedAt"].is_string(), "{first}");
    assert_eq!(ann.get("/api/notifications").ok(200)[0]["title"], "Achievement Unlocked");
    assert_eq!(one(&ann, "high_roller")["percentage"], json!(10.0));
    assert_eq!(ann.bolts(), 900, "nothing is given before it is claimed");

    assert_eq!((claim(&ann, "first_bet"), claim(&ann, "first_bet"), ann.bolts()), (200, 200, 1_000));
    assert!(one(&ann, "first_bet")["claimedAt"].is_string());
    bob.accept(&bet).ok(200);
    ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    bob.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
    assert_eq!((claim(&ann, "first_win"), ann.bolts()), (200, 1_400));
    assert_eq!((claim(&bob, "first_win"), claim(&bob, "first_bet"), bob.bolts()), (409, 200, 1_000));
    server.assert_audit_clean();
}

#[test]
fn a_repeated_claim_gets_the_first_answer() {
    let server = Server::start();
    let ann = server.user("ann");
    ann.bet(100);
    let claim = |id: &str| {
        let (key, body) = ([("Idempotency-Key", "one")], json!({"achievementId": id}));
        ann.page_with("POST", "/api/achievements/claim-reward", &key, Some(&body))
    };
    let (first, again) = (claim("first_bet"), claim("first_bet"));
    assert_eq!((first.ok(200), ann.bolts()), (again.ok(200), 1_000));
    assert!(!first.headers.contains_key("idempotent-replayed"));
    assert!(again.headers.contains_key("idempotent-replayed"));
    claim("first_win").problem(409, "idempotency_key_reused");
    server.assert_audit_clean();
}

#[test]
fn one_of_64_simultaneous_claims_is_rewarded() {
    let server = Server::start();
    let ann = server.user("ann");
    ann.bet(100);
    let barrier = Barrier::new(64);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let racers: Vec<_> = (0..64)
            .map(|_| {
                scope.spawn(|| {
                    barrier.wait();
                    claim(&ann, "first_bet")
                })
            })
            .collect();
        racers.into_iter().map(|racer| racer.join().expect("no panic")).collect()
    });
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    assert_eq!(ann.bolts(), 1_000);
    server.assert_audit_clean();
}

#[test]
fn a_streak_counts_wins_in_the_order_of_creation() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    for round in 0..3 {
        let bet = ann.bet(10);
        bob.accept(&bet).ok(200);
        ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
        bob.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
        assert_eq!(one(&ann, "win_streak_3")["current"], json!(round + 1));
    }
    assert!(one(&ann, "win_streak_3")["unlockedAt"].is_string());
    assert_eq!(one(&bob, "win_streak_3")["current"], json!(0));
    assert_eq!((claim(&ann, "win_streak_3"), ann.bolts()), (200, 1_000 + 30 + 750));
    server.assert_audit_clean();
}
