//! Bets with a named arbiter: the choice, the invitation, a dispute from the dispute to the ruling, what the arbiter sees,
//! and the search for a user.

use std::time::Duration;

use serde_json::{Value, json};

use crate::events::Stream;
use crate::harness::{Client, Server, eventually, id, new_bet};

fn named(server: &Server, name: &str) -> Client {
    let user = server.user(name);
    user.page("PATCH", "/api/auth/profile", Some(&json!({"username": name}))).ok(200);
    user
}

fn kinds(user: &Client) -> Vec<String> {
    let notes = user.get("/api/notifications").ok(200);
    let titles = notes.as_array().expect("a list").iter().map(|note| note["title"].as_str());
    titles.flatten().filter(|title| *title != "Achievement Unlocked").map(str::to_owned).collect()
}

/// The ids of a list of bets with one field of each bet.
fn list(user: &Client, path: &str, field: &str) -> Vec<(Value, Value)> {
    let list = user.get(path).ok(200);
    list.as_array().expect("a list").iter().map(|bet| (bet["id"].clone(), bet[field].clone())).collect()
}

fn turns(user: &Client) -> Vec<(Value, Value)> {
    list(user, "/api/bets/my?turn=mine", "turn")
}

fn disputes(admin: &Client) -> Vec<(Value, Value)> {
    list(admin, "/api/admin/disputes", "status")
}

fn bet_with_umpire(creator: &Client) -> Value {
    creator.bet_with(json!({"stakeAmount": 10, "arbiter": "umpire"}))
}

fn dispute(creator: &Client, bet: &Value) -> Value {
    creator.act(bet, "early-resolution", json!({})).ok(200);
    creator.act(bet, "dispute", json!({"reason": "It was snow."})).ok(200)
}

#[test]
fn a_dispute_goes_to_the_arbiter_who_accepted() {
    let server = Server::start();
    let (ann, bob, umpire, root) =
        (server.user("ann"), server.user("bob"), named(&server, "umpire"), server.admin("root"));
    let bet = bet_with_umpire(&ann);
    let arbiter = &bet["arbiter"];
    assert_eq!((&arbiter["username"], &arbiter["status"]), (&json!("umpire"), &json!("invited")));
    assert_eq!(arbiter["email"], "u•••@example.com");
    assert_eq!(umpire.see(&bet)["arbiter"]["email"], "umpire@example.com", "the arbiter's own address");
    assert_eq!(kinds(&umpire), ["Arbiter Wanted"]);
    assert_eq!(turns(&umpire), [(bet["id"].clone(), json!("answer_invitation"))]);
    assert_eq!(umpire.see(&bet)["actions"], json!(["accept_arbitration", "decline_arbitration"]));
    assert_eq!(umpire.see(&bet)["waitsFor"], json!([]));

    let accepted = umpire.act(&bet, "arbiter", json!({"accept": true})).ok(200);
    assert_eq!(accepted["arbiter"]["status"], "accepted");
    assert_eq!(accepted["actions"], json!(["resign_arbitration"]));
    assert_eq!((turns(&umpire), kinds(&ann)), (vec![], vec!["Arbiter Accepted".to_owned()]));
    bob.accept(&bet).ok(200);

    let disputed = dispute(&ann, &bet);
    assert!(disputed["arbiterDeadline"].is_string(), "{disputed}");
    assert_eq!(disputed["waitsFor"], json!(["arbiter"]));
    assert_eq!((disputes(&root), turns(&root), kinds(&root)), (vec![], vec![], vec![]));
    assert_eq!(turns(&umpire), [(bet["id"].clone(), json!("rule"))]);
    assert_eq!(umpire.get("/api/bets/turn-count").ok(200)["turnCount"], 1);
    assert_eq!(kinds(&umpire), ["Dispute to Rule On", "Arbiter Wanted"]);
    let seen = umpire.see(&bet);
    assert_eq!(seen["actions"], json!(["rule", "resign_arbitration"]));
    assert_eq!(seen["disputeReason"], "It was snow.", "the arbiter reads the reason");

    umpire.act(&bet, "rule", json!({"outcome": "B", "note": " "})).invalid(&["note"]);
    umpire.act(&bet, "rule", json!({"outcome": "C", "note": "Seen."})).invalid(&["outcome"]);
    let ruled = umpire.act(&bet, "rule", json!({"outcome": "B", "note": "No snow fell."})).ok(200);
    assert_eq!((&ruled["status"], &ruled["settledBy"]), (&json!("resolved"), &json!("arbiter_ruling")));
    assert_eq!((ann.bolts(), bob.bolts()), (990, 1_010));
    assert_eq!(umpire.bolts(), 1_000, "the arbiter earns nothing");
    assert_eq!((turns(&umpire), ruled["arbiterDeadline"].clone()), (vec![], Value::Null));
    let timeline = bob.get(&format!("/api/bets/{}/timeline", id(&bet))).ok(200);
    let last = timeline["events"].as_array().and_then(|events| events.last()).cloned().expect("events");
    assert_eq!((&last["event"], &last["by"]), (&json!("ruled"), &json!("arbiter")));
    assert_eq!(last["detail"], "B: No snow fell.");
    assert_eq!(umpire.get("/api/admin/actions").status, 403);
    let recorded = root.get("/api/admin/actions").ok(200);
    assert_eq!(recorded.as_array().map(Vec::len), Some(1), "only the grant of the admin: {recorded}");
    server.assert_audit_clean();
}

#[test]
fn the_open_pages_of_the_arbiter_follow_the_bet() {
    let server = Server::start();
    let (ann, bob, umpire) = (server.user("ann"), server.user("bob"), named(&server, "umpire"));
    let bet = bet_with_umpire(&ann);
    umpire.act(&bet, "arbiter", json!({"accept": true})).ok(200);
    bob.accept(&bet).ok(200);
    let mut page = Stream::open(&server, &umpire);
    let about = format!("data: {{\"betId\":\"{}\"", id(&bet));
    ann.act(&bet, "early-resolution", json!({})).ok(200);
    assert!(page.line_with(&about).is_some(), "the bet can be proposed");
    ann.act(&bet, "dispute", json!({"reason": "It was snow."})).ok(200);
    assert!(page.line_with(&about).is_some(), "the arbiter can rule");
    assert!(page.line_with("event: notification").is_some(), "the arbiter is told of the dispute");
    umpire.act(&bet, "rule", json!({"outcome": "B", "note": "No snow fell."})).ok(200);
    assert!(page.line_with(&about).is_some(), "the bet is settled");
}

#[test]
fn without_an_accepted_arbiter_the_admins_rule() {
    let server = Server::start();
    let (ann, bob, umpire, root) =
        (server.user("ann"), server.user("bob"), named(&server, "umpire"), server.admin("root"));
    for answer in [None, Some(false)] {
        let bet = bet_with_umpire(&ann);
        if let Some(accept) = answer {
            let declined = umpire.act(&bet, "arbiter", json!({"accept": accept})).ok(200);
            assert_eq!(declined["arbiter"]["status"], "declined");
        }
        bob.accept(&bet).ok(200);
        let disputed = dispute(&ann, &bet);
        assert_eq!((&disputed["arbiterDeadline"], &disputed["waitsFor"]), (&Value::Null, &json!(["admin"])));
        assert_eq!(disputes(&root).len(), 1);
        let path = format!("/api/admin/bets/{}/rule", id(&bet));
        root.post(&path, json!({"outcome": "void", "note": ""})).ok(200);
    }
    server.assert_audit_clean();
}

#[test]
fn an_arbiter_who_gives_up_or_is_late_hands_the_dispute_to_the_admins() {
    let server = Server::start_with(&["--arbiter-rules-within", "2s"]);
    let (ann, bob, umpire, root) =
        (server.user("ann"), server.user("bob"), named(&server, "umpire"), server.admin("root"));
    let [given, late] = [(), ()].map(|()| {
        let bet = bet_with_umpire(&ann);
        umpire.act(&bet, "arbiter", json!({"accept": true})).ok(200);
        bob.accept(&bet).ok(200);
        dispute(&ann, &bet);
        bet
    });
    umpire.act(&given, "arbiter", json!({"accept": false})).ok(200);
    eventually("the hand-over", Duration::from_secs(60), || (disputes(&root).len() == 2).then_some(()));
    let found = disputes(&root);
    assert!(
        [&given, &late].iter().all(|bet| found.contains(&(bet["id"].clone(), json!("awaiting_resolution"))))
    );
    let told = kinds(&umpire);
    assert!(told.contains(&"Dispute Handed Over".to_owned()), "{told:?}");
    assert!(kinds(&bob).contains(&"Arbiter Stepped Down".to_owned()) && kinds(&root).len() == 2);
    umpire.act(&late, "rule", json!({"outcome": "A", "note": "Late."})).problem(409, "arbiter_out_of_time");
    let path = format!("/api/admin/bets/{}/rule", id(&late));
    root.post(&path, json!({"outcome": "A", "note": "Seen."})).ok(200);
}

#[test]
fn the_arbiter_is_chosen_by_username() {
    let server = Server::start();
    let (ann, umpire) = (named(&server, "ann_1"), named(&server, "Umpire"));
    let create =
        |arbiter: Value| ann.post("/api/bets", new_bet(json!({"stakeAmount": 1, "arbiter": arbiter})));
    create(json!("nobody")).invalid(&["arbiter"]);
    create(json!("ANN_1")).invalid(&["arbiter"]);
    create(json!(7)).invalid(&["arbiter"]);
    assert_eq!(ann.bolts(), 1_000, "a refusal stakes nothing");
    for none in [json!(""), Value::Null] {
        assert_eq!(create(none).ok(201)["arbiter"], Value::Null);
    }
    assert_eq!(create(json!(" uMPIRE ")).ok(201)["arbiter"]["username"], "Umpire");
    drop(umpire);
}

#[test]
fn the_arbiter_sees_a_private_bet_like_a_party() {
    let server = Server::start();
    let (ann, umpire, cay) = (server.user("ann"), named(&server, "umpire"), server.user("cay"));
    let bet = ann.bet_with(json!({"stakeAmount": 1, "isPrivate": true, "arbiter": "umpire"}));
    let timeline = format!("/api/bets/{}/timeline", id(&bet));
    let mine = "/api/bets/arbitrated";
    assert_eq!(umpire.see(&bet)["shareToken"], Value::Null, "the link is the creator's to share");
    umpire.get(&timeline).ok(200);
    assert_eq!(list(&umpire, mine, "isPrivate"), [(bet["id"].clone(), json!(true))]);
    assert_eq!(list(&umpire, &format!("{mine}?status=resolved"), "isPrivate"), []);
    assert_eq!((list(&umpire, "/api/bets/my", "id"), list(&ann, mine, "id")), (vec![], vec![]));
    cay.get(&timeline).problem(404, "bet_not_found");
    umpire.get(&format!("{mine}?status=won")).invalid(&["status"]);

    umpire.act(&bet, "arbiter", json!({"accept": false})).ok(200);
    umpire.get(&timeline).problem(404, "bet_not_found");
    assert_eq!(list(&umpire, mine, "id"), []);
    let token = bet["shareToken"].as_str().expect("a token");
    umpire.get(&format!("/api/bets/{token}")).ok(200);
}

#[test]
fn a_search_finds_users_by_the_beginning_of_the_username() {
    let server = Server::start();
    let ann = named(&server, "ann_1");
    for name in ["Bob_a", "bob_b", "bobby", "b_o"] {
        named(&server, name);
    }
    let found = |q: &str| {
        let found = ann.get(&format!("/api/users/search?q={q}")).ok(200);
        let users = found.as_array().expect("a list").clone();
        assert!(users.iter().all(|user| user.as_object().is_some_and(|user| user.len() == 2)), "{found}");
        users.iter().map(|user| user["username"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("BOB"), ["Bob_a", "bob_b", "bobby"]);
    assert_eq!(found("bob_"), ["Bob_a", "bob_b"], "an underscore is no wildcard");
    assert_eq!((found("b_o"), found("ann"), found("zz")), (vec!["b_o".to_owned()], vec![], vec![]));
    for q in ["", "a%25", "aaaaaaaaaaaaaaaaaaaaa"] {
        ann.get(&format!("/api/users/search?q={q}")).invalid(&["q"]);
    }
    ann.get("/api/users/search").invalid(&["q"]);
    server.client().get("/api/users/search?q=bob").problem(401, "not_signed_in");
}

#[test]
fn a_search_returns_at_most_eight_users_and_is_limited() {
    let server = Server::start_with(&["--writes-per-minute", "300"]);
    let ann = named(&server, "xx_ann");
    for number in 0..9 {
        named(&server, &format!("xx_{number}"));
    }
    let users = ann.get("/api/users/search?q=xx_").ok(200);
    assert_eq!(users.as_array().map(Vec::len), Some(8));
    // 60 in a minute. The minute of the clock may end in between, so that there are two limits.
    let refused = (0..130).map(|_| ann.get("/api/users/search?q=xx_")).find(|answer| answer.status != 200);
    let refused = refused.expect("a limit");
    refused.problem(429, "too_many_requests");
    assert!(refused.headers.contains_key("retry-after"));
    ann.get("/api/auth/user").ok(200);
}
