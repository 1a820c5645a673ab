//! The main tasks of users over HTTP: bets from creation to their end.

use std::time::Duration;

use serde_json::json;

use crate::harness::{Client, Server, eventually, id, in_seconds, lifetime, new_bet};

#[test]
fn two_people_bet_and_the_winner_is_paid() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    assert_eq!(ann.bolts(), 1_000);
    let bet = ann.bet(200);
    assert_eq!((ann.bolts(), &bet["status"]), (800, &json!("pending")));

    let found = bob.get("/api/bets/public?q=snow+fri&status=active").ok(200);
    assert_eq!(found[0]["id"], bet["id"]);
    let accepted = bob.accept(&bet).ok(200);
    assert_eq!((bob.bolts(), &accepted["status"]), (800, &json!("accepted")));

    let ended = ann.act(&bet, "early-resolution", json!({})).ok(200);
    assert_eq!(ended["status"], "awaiting_resolution");
    let proposed = ann.act(&bet, "propose-resolution", json!({"winningOption": "B"})).ok(200);
    assert!(!proposed["message"].as_str().expect("a message").contains("Manual Verification"));
    assert_eq!(proposed["bet"]["proposedWinningOption"], "B");

    let told = bob.get("/api/notifications").ok(200);
    assert_eq!(told[0]["title"], "Outcome Proposed");
    assert_eq!((&told[0]["betId"], &told[0]["isRead"]), (&bet["id"], &json!(false)));
    assert!(told[0]["message"].as_str().expect("words").contains(" New York time"), "{}", told[0]);
    assert_eq!(told[0]["deadline"], proposed["bet"]["next"]["at"], "the page words it in the reader's time");
    let path = format!("/api/notifications/{}/read", told[0]["id"].as_str().expect("an id"));
    assert_eq!(bob.post(&path, json!({})).ok(200)["isRead"], true);

    let answer = json!({"accept": true, "proposalId": proposed["bet"]["proposalId"]});
    let settled = bob.act(&bet, "respond-resolution", answer).ok(200);
    assert_eq!((&settled["status"], &settled["settledBy"]), (&json!("resolved"), &json!("agreement")));
    assert_eq!(settled["winnerId"], bob.get("/api/auth/user").ok(200)["id"]);
    assert_eq!((ann.bolts(), bob.bolts()), (800, 1_200));

    let timeline = ann.get(&format!("/api/bets/{}/timeline", id(&bet))).ok(200);
    let events: Vec<_> =
        timeline["events"].as_array().expect("events").iter().map(|e| e["event"].clone()).collect();
    assert_eq!(events, ["created", "accepted", "ended_early", "proposed", "agreed"]);
    assert_eq!(timeline["next"], json!(null));

    let stats = bob.get("/api/users/stats").ok(200);
    assert_eq!(
        (&stats["wonBets"], &stats["bolts"]["net"], &stats["winRate"]),
        (&json!(1), &json!(200), &json!(100.0))
    );
    // Bob has two notifications about the bet, of which he has read one, and two about his achievements.
    assert_eq!(bob.post("/api/notifications/read-all", json!({})).ok(200), json!({"marked": 3}));
    assert_eq!(bob.get("/api/notifications").ok(200)[0]["isRead"], json!(true));
    assert_eq!(bob.delete("/api/notifications/clear-all").ok(200)["cleared"].as_i64(), Some(4));
    assert_eq!(bob.get("/api/notifications").ok(200), json!([]));
    server.assert_audit_clean();
}

#[test]
fn a_private_bet_is_rejected_disputed_and_ruled_void() {
    let server = Server::start();
    let (ann, bob, carl) = (server.user("ann"), server.user("bob"), server.user("carl"));
    let admin = server.admin("root");
    let bet = ann.bet_with(json!({"isPrivate": true}));
    let token = bet["shareToken"].as_str().expect("a token");

    assert_eq!(carl.get("/api/bets/public").ok(200), json!([]));
    for path in [format!("/api/bets/{}", id(&bet)), format!("/api/bets/{}?token=wrong", id(&bet))] {
        carl.get(&path).problem(404, "bet_not_found");
    }
    assert_eq!(bob.get(&format!("/api/bets/share/{token}")).ok(200)["id"], bet["id"]);
    assert_eq!(bob.get(&format!("/api/bets/{token}")).ok(200)["shareToken"], token);
    let accepted = bob.post("/api/bets/accept", json!({"shareToken": token, "option": "B"})).ok(200);
    assert_eq!(accepted["status"], "accepted");
    assert_eq!(bob.see(&bet)["shareToken"], json!(null));

    ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    let rejected = bob.act(&bet, "respond-resolution", json!({"accept": false})).ok(200);
    assert_eq!(
        (&rejected["status"], &rejected["rejectionCount"]),
        (&json!("awaiting_resolution"), &json!(1))
    );
    bob.act(&bet, "dispute", json!({"reason": "It did not snow."})).ok(200);
    carl.act(&bet, "dispute", json!({"reason": "?"})).problem(404, "bet_not_found");

    let queue = admin.get("/api/admin/disputes").ok(200);
    assert_eq!((&queue[0]["id"], &queue[0]["disputeReason"]), (&bet["id"], &json!("It did not snow.")));
    assert_eq!(admin.get("/api/notifications").ok(200)[0]["title"], "Dispute to Rule On");
    let ruling = json!({"outcome": "void", "note": "No report was published."});
    bob.post(&format!("/api/admin/bets/{}/rule", id(&bet)), ruling.clone()).problem(403, "not_allowed");
    let ruled = admin.post(&format!("/api/admin/bets/{}/rule", id(&bet)), ruling).ok(200);
    assert_eq!(
        (&ruled["status"], &ruled["cancelReason"], &ruled["settledBy"]),
        (&json!("cancelled"), &json!("void"), &json!("ruling"))
    );
    assert_eq!((ann.bolts(), bob.bolts()), (1_000, 1_000));
    assert_eq!(admin.get("/api/admin/disputes").ok(200), json!([]));
    server.assert_audit_clean();
}

#[test]
fn a_pending_bet_expires_by_itself() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet_with(json!({"expiresAt": in_seconds(2)}));
    assert_eq!(ann.bolts(), 800);
    let expired = eventually("the bet is cancelled", Duration::from_secs(30), || {
        Some(ann.see(&bet)).filter(|bet| bet["status"] == "cancelled")
    });
    assert_eq!(expired["cancelReason"], "expired");
    assert_eq!(ann.get("/api/bets/public?sort=ending_soon").ok(200), json!([]));
    assert_eq!(ann.bolts(), 1_000);
    bob.accept(&bet).problem(409, "bet_expired");
    assert_eq!(ann.get("/api/notifications").ok(200)[0]["title"], "Bet Expired");
    server.assert_audit_clean();
}

#[test]
fn an_unanswered_proposal_stands_and_a_bet_without_a_proposal_lapses() {
    let waits = ["--stand-after", "1s", "--lapse-after", "2s", "--remind-before", "1s"];
    let server = Server::start_with(&waits);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let lifetime = lifetime(2, 2, &ann);
    let [stands, lapses] =
        [(); 2].map(|()| ann.bet_with(json!({"stakeAmount": 100, "expiresAt": in_seconds(lifetime)})));
    bob.accept(&stands).ok(200);
    bob.accept(&lapses).ok(200);
    ann.act(&stands, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    let ended = eventually("both bets have ended", Duration::from_secs(60), || {
        let (one, two) = (ann.see(&stands), ann.see(&lapses));
        (one["status"] == "resolved" && two["status"] == "cancelled").then_some((one, two))
    });
    assert_eq!((&ended.0["settledBy"], &ended.1["cancelReason"]), (&json!("stand"), &json!("lapsed")));
    assert_eq!((ann.bolts(), bob.bolts()), (1_100, 900));
    server.assert_audit_clean();
}

#[test]
fn manual_verification_settles_at_once_and_can_be_confined() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet_with(json!({"resolutionMethod": "Manual Verification"}));
    bob.accept(&bet).ok(200);
    bob.act(&bet, "propose-resolution", json!({"winningOption": "B"})).problem(409, "bet_not_expired");
    ann.act(&bet, "early-resolution", json!({})).ok(200);
    let declared = ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    assert!(declared["message"].as_str().expect("a message").contains("Manual Verification"));
    assert_eq!((&declared["bet"]["status"], ann.bolts()), (&json!("resolved"), 1_200));

    let confined = Server::start_with(&["--manual-verification", "bolts"]);
    let carl = confined.user("carl");
    let sats = json!({"resolutionMethod": "Manual Verification", "currencyType": "sats", "stakeAmount": 100});
    carl.post("/api/bets", new_bet(sats)).invalid(&["resolutionMethod"]);
    carl.bet_with(json!({"resolutionMethod": "Manual Verification"}));
}

#[test]
fn deleting_a_pending_bet_gives_the_stake_back_and_hides_it() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet(300);
    bob.delete(&format!("/api/bets/{}", id(&bet))).problem(403, "not_a_party");
    assert_eq!(ann.delete(&format!("/api/bets/{}", id(&bet))).ok(200), json!({"ok": true}));
    assert_eq!(ann.bolts(), 1_000);
    for client in [&ann, &bob] {
        client.get(&format!("/api/bets/{}", id(&bet))).problem(404, "bet_not_found");
    }
    assert_eq!(ann.get("/api/bets/my").ok(200), json!([]));
    assert_eq!(bob.get("/api/bets/total-count").ok(200)["totalBetsCount"], 0);
    ann.delete(&format!("/api/bets/{}", id(&bet))).problem(404, "bet_not_found");
    server.assert_audit_clean();
}

#[test]
fn a_repeated_request_gets_the_first_answer_and_moves_nothing() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let key = [("Idempotency-Key", "one")];
    let body = new_bet(json!({}));
    let first = ann.page_with("POST", "/api/bets", &key, Some(&body));
    let again = ann.page_with("POST", "/api/bets", &key, Some(&body));
    assert_eq!((first.ok(201), ann.bolts()), (again.ok(201), 800));
    assert!(again.headers.contains_key("idempotent-replayed"));
    let other = new_bet(json!({"stakeAmount": 1}));
    ann.page_with("POST", "/api/bets", &key, Some(&other)).problem(409, "idempotency_key_reused");
    assert_eq!(ann.bolts(), 800);

    let bet = first.json();
    let accept = json!({"betId": bet["id"], "chosenOption": "B"});
    for _ in 0..2 {
        bob.page_with("POST", "/api/bets/accept", &key, Some(&accept)).ok(200);
        assert_eq!(bob.bolts(), 800);
    }
    bob.accept(&bet).problem(409, "bet_not_pending");
    server.assert_audit_clean();
}

/// An admin may accept a private bet without its link, so a wrong token beside the id is no error.
#[test]
fn only_the_right_token_beside_the_id_shows_the_link_of_an_accepted_bet() {
    let server = Server::start();
    let (ann, admin) = (server.user("ann"), server.admin("root"));
    for is_right in [false, true] {
        let bet = ann.bet_with(json!({"isPrivate": true}));
        let (sent, shown) = if is_right {
            (bet["shareToken"].clone(), bet["shareToken"].clone())
        } else {
            (json!("wrong"), json!(null))
        };
        let accept = json!({"betId": bet["id"], "chosenOption": "B", "shareToken": sent});
        assert_eq!(admin.post("/api/bets/accept", accept).ok(200)["shareToken"], shown);
    }
}

#[test]
fn the_creator_is_told_who_took_the_bet() {
    let server = Server::start();
    let (ann, bob, cay) = (server.user("ann"), server.user("bob"), server.user("cay"));
    let profile = json!({"username": "Bobby_7", "firstName": "", "lastName": ""});
    bob.page("PATCH", "/api/auth/profile", Some(&profile)).ok(200);
    let told = |taker: &Client| {
        taker.accept(&ann.bet(10)).ok(200);
        ann.get("/api/notifications").ok(200)[0]["message"].as_str().expect("a text").to_owned()
    };
    assert!(told(&bob).starts_with("Bobby_7 took the other side of “"));
    // Without a username there is only an email address, which stays private.
    assert!(told(&cay).starts_with("Somebody took the other side of “"));
}
