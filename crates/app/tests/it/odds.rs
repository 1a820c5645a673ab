//! Bets whose two sides stake different amounts, over HTTP, from creation to their end.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Client, Server, eventually, id, in_seconds, lifetime, new_bet};

/// Creates a bet of the creator's stake against the opponent's, on side A.
fn bet(client: &Client, stake: i64, against: i64) -> Value {
    client.bet_with(json!({"stakeAmount": stake, "opponentStake": against}))
}

/// Proposes an outcome, and lets the other party accept it.
fn settle(bet: &Value, creator: &Client, acceptor: &Client, outcome: &str) -> Value {
    creator.act(bet, "propose-resolution", json!({"winningOption": outcome})).ok(200);
    acceptor.act(bet, "respond-resolution", json!({"accept": true})).ok(200)
}

fn messages(client: &Client) -> Vec<String> {
    let all = client.get("/api/notifications").ok(200);
    all.as_array()
        .expect("a list")
        .iter()
        .map(|one| one["message"].as_str().expect("words").to_owned())
        .collect()
}

/// The newest transfers of a user: kind and signed amount.
fn moves(client: &Client, count: usize) -> Vec<(String, i64)> {
    let csv = client.get("/api/wallet/history.csv").text;
    let cells = |line: &str| {
        let mut cells = line.split(',').map(str::to_owned);
        (cells.nth(1).expect("a kind"), cells.nth(1).expect("an amount").parse().expect("a number"))
    };
    csv.split("\r\n").skip(1).take(count).map(cells).collect()
}

#[test]
fn a_bet_says_both_stakes_the_pot_and_the_odds() {
    let server = Server::start();
    let ann = server.user("ann");
    for (stake, against, side, stakes, odds) in [
        (100, 40, "A", (100, 40), (1.4, 3.5)),
        (100, 40, "B", (40, 100), (3.5, 1.4)),
        (1, 100, "A", (1, 100), (101.0, 1.01)),
        (3, 1, "A", (3, 1), (1.33, 4.0)),
        (8, 1, "A", (8, 1), (1.13, 9.0)),
    ] {
        let fields = json!({"stakeAmount": stake, "opponentStake": against, "creatorOption": side});
        let bet = ann.bet_with(fields);
        assert_eq!(ann.see(&bet)["pot"], bet["pot"]);
        let said = ["stakeAmount", "opponentStake", "stakeA", "stakeB", "pot"].map(|name| bet[name].as_i64());
        let expected = [stake, against, stakes.0, stakes.1, stake + against].map(Some);
        assert_eq!(said, expected);
        assert_eq!((bet["oddsA"].as_f64(), bet["oddsB"].as_f64()), (Some(odds.0), Some(odds.1)), "{bet}");
        ann.delete(&format!("/api/bets/{}", id(&bet))).ok(200);
    }
    for absent in [json!({"stakeAmount": 30}), json!({"stakeAmount": 30, "opponentStake": null})] {
        let bet = ann.bet_with(absent);
        assert_eq!((&bet["opponentStake"], &bet["oddsB"]), (&json!(30), &json!(2.0)));
    }
    server.assert_audit_clean();
}

#[test]
fn the_ratio_of_the_stakes_is_limited() {
    let server = Server::start();
    let ann = server.user("ann");
    let refused = |fields: Value| {
        let problem = ann.post("/api/bets", new_bet(fields)).problem(422, "invalid_fields");
        assert_eq!(problem["errors"][0]["field"], "opponentStake", "{problem}");
        problem["errors"][0]["message"].as_str().expect("a message").to_owned()
    };
    assert_eq!(
        refused(json!({"stakeAmount": 200, "opponentStake": 20_001})),
        "The larger stake may be at most 100 times the smaller one. \
         Against 200 Bolts, the opponent's stake must be from 2 to 20,000 Bolts."
    );
    for against in [json!(1), json!(0), json!(-2), json!(i64::MAX), json!("40"), json!(2.5), json!([])] {
        refused(json!({"stakeAmount": 200, "opponentStake": against}));
    }
    // 99 sats against 100 sats is below the smallest stake.
    refused(json!({"currencyType": "sats", "stakeAmount": 100, "opponentStake": 99}));
    assert_eq!(ann.bolts(), 1_000);
}

#[test]
fn each_side_pays_its_stake_and_the_winner_gets_the_pot() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let won = bet(&ann, 100, 40);
    assert_eq!((ann.bolts(), bob.bolts()), (900, 1_000));
    bob.accept(&won).ok(200);
    assert_eq!((ann.bolts(), bob.bolts()), (900, 960));
    settle(&won, &ann, &bob, "A");
    assert_eq!((ann.bolts(), bob.bolts()), (1_040, 960));
    assert_eq!(moves(&ann, 2), [("payout".to_owned(), 140), ("stake".to_owned(), -100)]);
    assert_eq!(moves(&bob, 1), [("stake".to_owned(), -40)]);

    let lost = bet(&ann, 7, 500);
    bob.accept(&lost).ok(200);
    assert_eq!((ann.bolts(), bob.bolts()), (1_033, 460));
    settle(&lost, &ann, &bob, "B");
    assert_eq!((ann.bolts(), bob.bolts()), (1_033, 967));
    assert_eq!(moves(&bob, 2), [("payout".to_owned(), 507), ("stake".to_owned(), -500)]);

    let void = bet(&ann, 2, 150);
    bob.accept(&void).ok(200);
    settle(&void, &ann, &bob, "void");
    assert_eq!((ann.bolts(), bob.bolts()), (1_033, 967));
    assert_eq!(
        (moves(&ann, 1), moves(&bob, 1)),
        (vec![("refund".to_owned(), 2)], vec![("refund".to_owned(), 150)])
    );

    // A win adds the stake of the loser, and a loss costs the own stake.
    let figures = |client: &Client| {
        let stats = client.get("/api/users/stats").ok(200);
        ["net", "bestWin", "biggestLoss"].map(|name| stats["bolts"][name].as_i64().expect("a number"))
    };
    assert_eq!((figures(&ann), figures(&bob)), ([33, 40, 7], [-33, 7, 40]));
    let tiles = ann.get("/api/bets/stats").ok(200);
    assert_eq!(tiles["boltsVolume"], json!(140 + 507 + 152));
    server.assert_audit_clean();
}

#[test]
fn the_taker_needs_the_takers_stake() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let dear = bet(&ann, 11, 1_001);
    let problem = bob.accept(&dear).problem(409, "insufficient_balance");
    assert_eq!(problem["detail"], "You need 1,001 Bolts but only have 1,000 Bolts.");
    let cheap = bet(&ann, 900, 9);
    bob.accept(&cheap).ok(200);
    assert_eq!((ann.bolts(), bob.bolts()), (89, 991));
    // The creator needs only the own stake, however much the other side stakes.
    let problem = ann.post("/api/bets", new_bet(json!({"stakeAmount": 90, "opponentStake": 1})));
    problem.problem(409, "insufficient_balance");
    bet(&ann, 89, 8_900);
    assert_eq!(ann.bolts(), 0);
    server.assert_audit_clean();
}

#[test]
fn notifications_name_the_readers_amounts() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let manual = |stake: i64, against: i64| {
        let fields = json!({"stakeAmount": stake, "opponentStake": against, "resolutionMethod": "Manual Verification"});
        let bet = ann.bet_with(fields);
        bob.accept(&bet).ok(200);
        ann.act(&bet, "early-resolution", json!({})).ok(200);
        bet
    };
    let declare = |bet: &Value, outcome: &str| {
        ann.act(bet, "propose-resolution", json!({"winningOption": outcome})).ok(200);
    };
    declare(&manual(100, 40), "A");
    declare(&manual(100, 41), "B");
    declare(&manual(100, 42), "void");
    let said = messages(&bob);
    for words in
        ["You lost 40 Bolts.", "You won 100 Bolts.", "Your stake of 42 Bolts is back in your balance."]
    {
        assert_eq!(said.iter().filter(|message| message.contains(words)).count(), 1, "{words}: {said:?}");
    }
    server.assert_audit_clean();
}

#[test]
fn the_clock_and_the_admins_give_each_owner_the_own_stake() {
    let waits = ["--stand-after", "1s", "--lapse-after", "2s", "--remind-before", "1s"];
    let server = Server::start_with(&waits);
    let (ann, bob, admin) = (server.user("ann"), server.user("bob"), server.admin("root"));
    let lifetime = lifetime(3, 2, &ann);
    let soon = |stake: i64, against: i64| {
        let expiry = in_seconds(lifetime);
        ann.bet_with(json!({"stakeAmount": stake, "opponentStake": against, "expiresAt": expiry}))
    };
    let (expires, lapses, stands) = (soon(1, 100), soon(50, 3), soon(4, 200));
    bob.accept(&lapses).ok(200);
    bob.accept(&stands).ok(200);
    ann.act(&stands, "propose-resolution", json!({"winningOption": "A"})).ok(200);
    let refunded = bet(&ann, 60, 5);
    bob.accept(&refunded).ok(200);
    let answer = admin.post(&format!("/api/admin/bets/{}/refund", id(&refunded)), json!({})).ok(200);
    assert_eq!((&answer["refundedAmount"], &answer["refundedUsers"]), (&json!(65), &json!(2)));
    let deleted = bet(&ann, 9, 900);
    admin.delete(&format!("/api/admin/bets/{}", id(&deleted))).ok(200);
    eventually("the clock has ended all bets", Duration::from_secs(60), || {
        let ended = [&expires, &lapses, &stands].map(|bet| ann.see(bet)["settledAt"].is_string());
        ended.iter().all(|ended| *ended).then_some(())
    });
    assert_eq!((ann.bolts(), bob.bolts()), (1_200, 800));
    let said = messages(&bob);
    let words = "Your stake of 3 Bolts is back in your balance.";
    assert!(said.iter().any(|message| message.contains(words)), "{said:?}");
    server.assert_audit_clean();
}

/// The ways in which a bet stands or has ended.
const STANDINGS: [&str; 9] =
    ["pending", "live", "proposed", "disputed", "won", "lost", "void", "refunded", "deleted"];

#[test]
fn the_audit_agrees_at_odds_from_1_to_100_to_100_to_1() {
    let server = Server::start();
    let (ann, bob, admin) = (server.user("ann"), server.user("bob"), server.admin("root"));
    let mut held = 0;
    for (stake, against) in [(1, 100), (100, 1), (7, 3)] {
        for standing in STANDINGS {
            let bet = bet(&ann, stake, against);
            if standing != "pending" {
                bob.accept(&bet).ok(200);
            }
            let path = format!("/api/admin/bets/{}", id(&bet));
            match standing {
                "proposed" => {
                    drop(ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200))
                }
                "disputed" => {
                    ann.act(&bet, "early-resolution", json!({})).ok(200);
                    bob.act(&bet, "dispute", json!({"reason": "It snowed."})).ok(200);
                }
                "won" => drop(settle(&bet, &ann, &bob, "A")),
                "lost" => drop(settle(&bet, &ann, &bob, "B")),
                "void" => drop(settle(&bet, &ann, &bob, "void")),
                "refunded" => drop(admin.post(&format!("{path}/refund"), json!({})).ok(200)),
                "deleted" => drop(admin.delete(&path).ok(200)),
                _ => {}
            }
            held += match standing {
                "pending" => stake,
                "live" | "proposed" | "disputed" => stake + against,
                _ => 0,
            };
            assert_eq!(ann.bolts() + bob.bolts() + held, 2_000, "{stake} against {against}, {standing}");
        }
    }
    server.assert_audit_clean();
}

#[test]
fn lists_are_sorted_by_what_a_bet_costs() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    // The cost of the free side is 90, 1 and 30, and the pots are 92, 101 and 60.
    let made = [bet(&ann, 2, 90), bet(&ann, 100, 1), bet(&ann, 30, 30)];
    let list = |sort: &str| -> Vec<usize> {
        let page = ann.get(&format!("/api/bets/public?sort={sort}")).ok(200);
        let place =
            |bet: &Value| made.iter().position(|one| one["id"] == bet["id"]).expect("one of the bets");
        page.as_array().expect("a list").iter().map(place).collect()
    };
    assert_eq!(
        (list("stake_desc"), list("stake_asc"), list("pot_desc")),
        (vec![0, 2, 1], vec![1, 2, 0], vec![1, 0, 2])
    );
    bob.accept(&made[1]).ok(200);
    assert_eq!((list("stake_desc"), list("pot_desc")), (vec![1, 0, 2], vec![1, 0, 2]));
}
