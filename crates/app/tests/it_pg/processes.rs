//! Several server processes on one database.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::events::{Stream, bet_that_was_told};
use crate::factors::{challenged, protected};
use crate::harness::{Client, Server, at_best_within};
use crate::races::{at_once, count};
use crate::writers::storm;

/// Two processes on one database, without limits on sign-ups and sign-ins.
fn two() -> (Server, Server) {
    let one = Server::start();
    let other = Server::on(one.database.clone(), vec![]);
    (one, other)
}

/// A browser that uses the user's session at another process.
fn moved(client: &Client, to: &Server) -> Client {
    to.client().with_cookie(client.cookie())
}

#[test]
fn one_of_64_acceptances_over_two_processes_succeeds() {
    let (one, other) = two();
    let ann = one.user("ann");
    let racers: Vec<Client> = (0..64)
        .map(|number| {
            let racer = one.user(&format!("racer{number}"));
            if number % 2 == 0 { racer } else { moved(&racer, &other) }
        })
        .collect();
    let bet = ann.bet(200);
    let statuses = at_once(&racers, |racer| racer.accept(&bet).status);
    assert_eq!((count(&statuses, 200), count(&statuses, 409)), (1, 63), "{statuses:?}");
    let sum: i64 = racers.iter().map(Client::bolts).sum::<i64>() + ann.bolts();
    assert_eq!(sum + 400, 65 * 1_000, "what is not in balances is the bet's escrow");
    other.assert_audit_clean();
}

#[test]
fn a_sign_out_on_one_ends_the_session_on_the_other_at_once() {
    let (one, other) = two();
    at_best_within(Duration::from_secs(1), |attempt| {
        let ann = one.user(&format!("ann{attempt}"));
        let there = moved(&ann, &other);
        there.get("/api/auth/user").ok(200);
        let mut stream = Stream::open(&other, &there);
        ann.post("/api/auth/logout", json!({})).ok(200);
        there.get("/api/auth/user").problem(401, "not_signed_in");
        let started = Instant::now();
        // A chunk of length 0 ends the answer. The connection stays open for other requests.
        assert_eq!(stream.line_with("0").as_deref(), Some("0"), "the stream ends with its session");
        started.elapsed()
    });
}

#[test]
fn changes_on_one_process_reach_open_pages_of_the_other_within_a_second() {
    let (one, other) = two();
    at_best_within(Duration::from_secs(1), |attempt| {
        let (ann, bob) = (one.user(&format!("ann{attempt}")), other.user(&format!("bob{attempt}")));
        let bet = bet_that_was_told(&one, &ann);
        let mut pages = [Stream::open(&one, &ann), Stream::open(&other, &moved(&ann, &other))];
        let started = Instant::now();
        bob.accept(&bet).ok(200);
        for page in &mut pages {
            page.line_with("event: notification").expect("the stream goes on");
        }
        started.elapsed()
    });
}

#[test]
fn one_code_signs_in_once_over_two_processes() {
    let (one, other) = two();
    let (_ann, phone, codes) = protected(&one, "ann");
    for proof in [("code", json!(phone.now(1))), ("recoveryCode", codes[0].clone())] {
        let racers: Vec<(Client, serde_json::Value)> = (0..8)
            .map(|number| {
                let client = if number % 2 == 0 { one.client() } else { other.client() };
                let challenge = challenged(&client, "ann");
                (client, json!({"challenge": challenge, proof.0: proof.1}))
            })
            .collect();
        let statuses =
            at_once(&racers, |(client, body)| client.post("/api/auth/login/factor", body.clone()).status);
        assert_eq!(count(&statuses, 200), 1, "{statuses:?}");
    }
}

#[test]
fn the_limit_of_sign_ins_counts_over_all_processes() {
    let one = Server::start_with(&["--signins-per-minute", "6"]);
    let other = Server::on(one.database.clone(), one.arguments.clone());
    one.user("ann");
    let guess = |server: &Server| {
        let body = json!({"email": "nobody@example.com", "password": "wrong"});
        server.client().post("/api/auth/login", body).status
    };
    let statuses = at_once(&[&one, &other].repeat(8), |server| guess(server));
    assert_eq!((count(&statuses, 429) >= 10, count(&statuses, 503)), (true, 0), "{statuses:?}");
}

#[test]
fn sixty_four_writers_over_two_processes_meet_no_failure() {
    let (one, other) = two();
    storm(&[&one, &other]);
}
