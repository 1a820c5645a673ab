//! The calls of the admin panel.

use serde_json::{Value, json};

use crate::harness::{Server, id};

#[test]
fn a_gift_of_bolts_is_booked_recorded_and_notified() {
    let server = Server::start();
    let (ann, root) = (server.user("ann"), server.admin("root"));
    let give = |body: Value| root.post("/api/admin/deposit-bolts", body);
    let given = give(json!({"userEmail": " ANN@example.com", "amount": 500})).ok(200);
    assert_eq!(given, json!({"userEmail": "ann@example.com", "amount": 500, "boltsBalance": 1_500}));
    assert_eq!(ann.bolts(), 1_500);
    let note = ann.get("/api/notifications").ok(200)[0].clone();
    assert_eq!((&note["title"], &note["betId"]), (&json!("Bolts Received"), &json!(null)));
    assert_eq!(note["deadline"], json!(null));
    for amount in [json!(0), json!(-1), json!(1.5), json!("5"), json!(null), json!(100_000_001)] {
        give(json!({"userEmail": "ann@example.com", "amount": amount})).invalid(&["amount"]);
    }
    give(json!({"amount": 1})).invalid(&["userEmail"]);
    give(json!({"userEmail": "nobody@example.com", "amount": 1})).problem(404, "user_not_found");
    let body = json!({"userEmail": "ann@example.com", "amount": 1});
    for _ in 0..2 {
        root.page_with("POST", "/api/admin/deposit-bolts", &[("Idempotency-Key", "k")], Some(&body)).ok(200);
    }
    assert_eq!(ann.bolts(), 1_501);
    ann.post("/api/admin/deposit-bolts", body).problem(403, "not_allowed");

    let actions = root.get("/api/admin/actions?limit=2");
    let list = actions.ok(200);
    assert_eq!((&list[0]["action"], &list[0]["admin"]), (&json!("grant_bolts"), &json!("root@example.com")));
    assert_eq!((&list[1]["user"], &list[1]["detail"]), (&json!("ann@example.com"), &json!("500")));
    let link = actions.headers["link"].to_str().expect("text").to_owned();
    let path = link.trim_start_matches('<').split('>').next().expect("a target").to_owned();
    assert_eq!(root.get(&path).ok(200)[0]["action"], "grant_admin");
    ann.get("/api/admin/actions").problem(403, "not_allowed");
    server.assert_audit_clean();
}

#[test]
fn a_reset_password_opens_the_account_until_it_is_changed() {
    let server = Server::start();
    let (ann, root) = (server.user("ann"), server.admin("root"));
    let reset = |email: &str| root.post("/api/admin/reset-password", json!({"userEmail": email}));
    let first = reset("ann@example.com").ok(200)["temporaryPassword"].clone();
    let second = reset("ann@example.com").ok(200)["temporaryPassword"].clone();
    assert_ne!(first, second);
    assert!(second.as_str().is_some_and(|password| password.len() >= 16), "{second}");
    ann.get("/api/auth/user").problem(401, "not_signed_in");

    let sign_in = |password: &Value| {
        let client = server.client();
        let answer =
            client.post("/api/auth/login", json!({"email": "ann@example.com", "password": password}));
        (client, answer)
    };
    sign_in(&json!("secret")).1.problem(401, "invalid_credentials");
    sign_in(&first).1.problem(401, "invalid_credentials");
    let (ann, answer) = sign_in(&second);
    assert_eq!(answer.ok(200)["mustChangePassword"], true);
    ann.get("/api/bets/my").problem(403, "password_change_required");
    ann.post("/api/bets", crate::harness::new_bet(json!({}))).problem(403, "password_change_required");
    let change = json!({"currentPassword": second, "newPassword": "a new one"});
    ann.page("PATCH", "/api/auth/password", Some(&change)).ok(200);
    assert_eq!(ann.get("/api/auth/user").ok(200)["mustChangePassword"], false);
    ann.get("/api/bets/my").ok(200);
    sign_in(&second).1.problem(401, "invalid_credentials");
    sign_in(&json!("a new one")).1.ok(200);

    reset("nobody@example.com").problem(404, "user_not_found");
    let bet = ann.bet(10);
    root.accept(&bet).ok(200);
    reset("ann@example.com").problem(403, "conflict_of_interest");
    ann.post("/api/admin/reset-password", json!({"userEmail": "root@example.com"}))
        .problem(403, "not_allowed");
}

#[test]
fn admins_who_are_not_parties_refund_and_delete_bets() {
    let server = Server::start();
    let (ann, bob, root) = (server.user("ann"), server.user("bob"), server.admin("root"));
    let (live, pending) = (ann.bet(100), ann.bet_with(json!({"isPrivate": true, "stakeAmount": 50})));
    bob.accept(&live).ok(200);
    assert_eq!(root.get("/api/admin/bets").ok(200).as_array().map(Vec::len), Some(2));
    assert_eq!(root.get("/api/admin/bets?status=pending").ok(200)[0]["id"], pending["id"]);
    ann.get("/api/admin/bets").problem(403, "not_allowed");

    let refund = |bet: &Value| root.post(&format!("/api/admin/bets/{}/refund", id(bet)), json!({}));
    let refunded = refund(&live).ok(200);
    assert_eq!(
        (&refunded["refundedAmount"], &refunded["currency"], &refunded["refundedUsers"]),
        (&json!(200), &json!("bolts"), &json!(2))
    );
    assert_eq!(refunded["bet"]["cancelReason"], "refunded");
    refund(&live).problem(409, "bet_cancelled");
    assert_eq!((ann.bolts(), bob.bolts()), (950, 1_000));

    root.delete(&format!("/api/admin/bets/{}", id(&pending))).ok(200);
    ann.get(&format!("/api/bets/{}", id(&pending))).problem(404, "bet_not_found");
    assert_eq!(ann.bolts(), 1_000);
    assert_eq!(ann.get("/api/notifications").ok(200)[0]["title"], "Bet Removed");

    let won = ann.bet(100);
    bob.accept(&won).ok(200);
    ann.act(&won, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    bob.act(&won, "respond-resolution", json!({"accept": true})).ok(200);
    refund(&won).problem(409, "bet_already_resolved");
    root.delete(&format!("/api/admin/bets/{}", id(&won))).ok(200);
    assert_eq!((ann.bolts(), bob.bolts()), (1_100, 900), "what was paid out stays paid out");

    let own = root.bet(10);
    refund(&own).problem(403, "conflict_of_interest");
    root.delete(&format!("/api/admin/bets/{}", id(&own))).problem(403, "conflict_of_interest");
    bob.delete(&format!("/api/admin/bets/{}", id(&own))).problem(403, "not_allowed");
    server.assert_audit_clean();
}
