//! The server is killed under load. Everything that the server confirmed before is still there after the restart.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Client, Server, eventually, new_bet};

/// The bets that the server confirmed to the clients.
#[derive(Default)]
struct Journal {
    created: Mutex<Vec<Value>>,
    accepted: Mutex<Vec<Value>>,
}

fn load(client: &Client, other: &Client, journal: &Journal, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let body = new_bet(json!({"stakeAmount": 1})).to_string().into_bytes();
        let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
        let Some(created) = client.try_send("POST", "/api/bets", &headers, body) else { return };
        if created.status != 201 {
            assert!([409, 503].contains(&created.status), "{created:?}");
            return;
        }
        let bet = created.json();
        journal.created.lock().expect("no panic").push(bet["id"].clone());
        let accept = json!({"betId": bet["id"], "chosenOption": "B"}).to_string().into_bytes();
        let Some(accepted) = other.try_send("POST", "/api/bets/accept", &headers, accept) else { return };
        if accepted.status == 200 {
            journal.accepted.lock().expect("no panic").push(bet["id"].clone());
        }
    }
}

#[test]
fn every_acknowledged_effect_survives_a_kill() {
    let mut server = Server::start();
    let mut pairs: Vec<(Client, Client)> =
        (0..4).map(|n| (server.user(&format!("maker{n}")), server.user(&format!("taker{n}")))).collect();
    for round in 0..3 {
        let (journal, stop) = (Journal::default(), AtomicBool::new(false));
        thread::scope(|scope| {
            for (maker, taker) in &pairs {
                scope.spawn(|| load(maker, taker, &journal, &stop));
            }
            eventually("there is load", Duration::from_secs(60), || {
                (journal.accepted.lock().expect("no panic").len() >= 4).then_some(())
            });
            server.kill();
            stop.store(true, Ordering::Relaxed);
        });
        server.restart();
        let (created, accepted) = (
            journal.created.into_inner().expect("no panic"),
            journal.accepted.into_inner().expect("no panic"),
        );
        assert!(!created.is_empty() && !accepted.is_empty(), "round {round} had no load");
        let reader = server.client();
        for id in &created {
            let bet = reader.get(&format!("/api/bets/{}", id.as_str().expect("an id"))).ok(200);
            let must_be_live = accepted.contains(id);
            assert!(!must_be_live || bet["status"] == "accepted", "round {round}: {bet}");
        }
        server.assert_audit_clean();
        // The clients continue with the new process and their old cookies.
        pairs = pairs_on(&server, &pairs);
    }
}

fn pairs_on(server: &Server, pairs: &[(Client, Client)]) -> Vec<(Client, Client)> {
    let moved = |client: &Client| server.client().with_cookie(client.cookie());
    pairs.iter().map(|(maker, taker)| (moved(maker), moved(taker))).collect()
}
