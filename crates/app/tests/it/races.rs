//! Simultaneous requests: exactly the expected number succeeds, and no Bolt appears or disappears.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Client, Server, eventually, id, in_seconds, new_bet, seconds_for};

/// Sends one request for each client, all at the same moment. Returns the statuses.
pub(crate) fn at_once<T: Sync>(clients: &[T], request: impl Fn(&T) -> u16 + Sync) -> Vec<u16> {
    let barrier = Barrier::new(clients.len());
    thread::scope(|scope| {
        let racers: Vec<_> = clients
            .iter()
            .map(|client| {
                scope.spawn(|| {
                    barrier.wait();
                    request(client)
                })
            })
            .collect();
        racers.into_iter().map(|racer| racer.join().expect("no panic")).collect()
    })
}

pub(crate) fn count(statuses: &[u16], status: u16) -> usize {
    statuses.iter().filter(|found| **found == status).count()
}

#[test]
fn one_of_64_simultaneous_acceptances_succeeds() {
    let server = Server::start();
    let ann = server.user("ann");
    let racers: Vec<Client> = (0..64).map(|n| server.user(&format!("racer{n}"))).collect();
    let bet = ann.bet(200);
    let statuses = at_once(&racers, |racer| racer.accept(&bet).status);
    assert_eq!((count(&statuses, 200), count(&statuses, 409)), (1, 63), "{statuses:?}");
    let sum: i64 = racers.iter().map(Client::bolts).sum::<i64>() + ann.bolts();
    assert_eq!(sum + 400, 65 * 1_000, "what is not in balances is the bet's escrow");
    assert_eq!(racers.iter().filter(|racer| racer.bolts() == 800).count(), 1);
    server.assert_audit_clean();
}

#[test]
fn of_accepting_and_deleting_only_one_succeeds() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    for _ in 0..20 {
        let bet = ann.bet(5);
        let path = format!("/api/bets/{}", id(&bet));
        let statuses = at_once(&[true, false], |accepts| {
            if *accepts { bob.accept(&bet).status } else { ann.delete(&path).status }
        });
        assert_eq!(count(&statuses, 200), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 404, 409].contains(status)), "{statuses:?}");
    }
    server.assert_audit_clean();
}

#[test]
fn a_balance_for_three_bets_makes_exactly_three() {
    let server = Server::start();
    let ann = server.user("ann");
    let statuses =
        at_once(&[(); 16], |()| ann.post("/api/bets", new_bet(json!({"stakeAmount": 300}))).status);
    assert_eq!((count(&statuses, 201), count(&statuses, 409)), (3, 13), "{statuses:?}");
    assert_eq!(ann.bolts(), 100);
    server.assert_audit_clean();
}

#[test]
fn simultaneous_proposals_answers_and_disputes_have_one_result() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    for round in 0..8 {
        let bet = ann.bet(10);
        bob.accept(&bet).ok(200);
        let both = at_once(&["A", "B"], |outcome| {
            ann.act(&bet, "propose-resolution", json!({"winningOption": outcome})).status
        });
        assert_eq!((count(&both, 200), count(&both, 409)), (1, 1), "round {round}: {both:?}");
        let answers = at_once(&[true, false, true, false], |accept| {
            bob.act(&bet, "respond-resolution", json!({"accept": accept})).status
        });
        assert_eq!((count(&answers, 200), count(&answers, 409)), (1, 3), "round {round}: {answers:?}");
    }
    server.assert_audit_clean();
}

#[test]
fn simultaneous_requests_with_one_idempotency_key_make_one_bet() {
    let server = Server::start();
    let ann = server.user("ann");
    let body = new_bet(json!({"stakeAmount": 100}));
    let statuses = at_once(&[(); 8], |()| {
        ann.page_with("POST", "/api/bets", &[("Idempotency-Key", "twice")], Some(&body)).status
    });
    assert_eq!(count(&statuses, 201), 8, "{statuses:?}");
    assert_eq!(ann.bolts(), 900);
    assert_eq!(ann.get("/api/bets/my").ok(200).as_array().map(Vec::len), Some(1));
    server.assert_audit_clean();
}

#[test]
fn a_proposal_and_a_dispute_at_once_leave_one_state() {
    let server = Server::start();
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    for round in 0..8 {
        let bet = ann.bet(10);
        bob.accept(&bet).ok(200);
        ann.act(&bet, "early-resolution", json!({})).ok(200);
        let statuses = at_once(&[true, false], |proposes| {
            if *proposes {
                ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).status
            } else {
                bob.act(&bet, "dispute", json!({"reason": "Please look."})).status
            }
        });
        // A dispute may follow a proposal. A proposal is refused after a dispute.
        assert!([vec![200, 200], vec![409, 200]].contains(&statuses), "round {round}: {statuses:?}");
        let seen = ann.see(&bet);
        assert!(seen["disputedAt"].is_string(), "round {round}: {seen}");
        assert_eq!(seen["proposedWinningOption"] == "A", statuses[0] == 200, "round {round}: {seen}");
    }
    server.assert_audit_clean();
}

/// Users play whole bets at the same time, and each request that moves money comes twice.
#[test]
fn whole_bets_at_the_same_time_keep_all_figures() {
    let server = Server::start();
    let pairs: Vec<(Client, Client)> =
        (0..24).map(|n| (server.user(&format!("maker{n}")), server.user(&format!("taker{n}")))).collect();
    let twice = |client: &Client, path: &str, body: &Value, status: u16| {
        let send = || client.page_with("POST", path, &[("Idempotency-Key", "1")], Some(body)).ok(status);
        thread::scope(|scope| {
            let other = scope.spawn(send);
            let answer = send();
            assert_eq!(answer, other.join().expect("no panic"), "{path}");
            answer
        })
    };
    at_once(&pairs, |(maker, taker)| {
        let made = twice(maker, "/api/bets", &new_bet(json!({"stakeAmount": 5})), 201);
        twice(taker, "/api/bets/accept", &json!({"betId": id(&made), "chosenOption": "B"}), 200);
        maker.act(&made, "early-resolution", json!({})).ok(200);
        maker.act(&made, "propose-resolution", json!({"winningOption": "A"})).ok(200);
        taker.act(&made, "respond-resolution", json!({"accept": true})).status
    });
    for (maker, taker) in &pairs {
        assert_eq!((maker.bolts(), taker.bolts()), (1_005, 995));
    }
    server.assert_audit_clean();
}

/// The acceptor rejects a proposal at the moment at which it stands.
#[test]
fn of_an_answer_and_the_clock_only_one_decides() {
    let waits = ["--stand-after", "1s", "--remind-before", "1s"];
    let server = Server::start_with(&waits);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let propose_on = |expiry: u64| {
        let fields = json!({"stakeAmount": 10, "expiresAt": in_seconds(expiry.cast_signed())});
        let bet = ann.bet_with(fields);
        bob.accept(&bet).ok(200);
        ann.act(&bet, "propose-resolution", json!({"winningOption": "A"})).ok(200);
        bet
    };
    // All proposals must be made before the first bet expires.
    let expiry = seconds_for(8, 4, || drop(propose_on(3_600)));
    let bets: Vec<(Instant, Value)> = (0..8).map(|_| (Instant::now(), propose_on(expiry))).collect();
    // All answers come at the moment at which the proposal on the middle bet stands.
    let stands_at = bets[bets.len() / 2].0 + Duration::from_secs(expiry + 1);
    thread::sleep(stands_at.saturating_duration_since(Instant::now()));
    let statuses =
        at_once(&bets, |(_, bet)| bob.act(bet, "respond-resolution", json!({"accept": false})).status);
    for ((_, bet), status) in bets.iter().zip(&statuses) {
        let ended = eventually("the bet has ended or is rejected", Duration::from_secs(30), || {
            Some(ann.see(bet)).filter(|seen| seen["status"] == "resolved" || seen["rejectionCount"] == 1)
        });
        match status {
            200 => assert_eq!(ended["rejectionCount"], 1, "{ended}"),
            409 => assert_eq!(
                (&ended["settledBy"], &ended["rejectionCount"]),
                (&json!("stand"), &json!(0)),
                "{ended}"
            ),
            other => panic!("{other}: {ended}"),
        }
    }
    server.assert_audit_clean();
}
