//! Many concurrent writers.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Client, Server, new_bet, number};

/// The duration of the load. The variable BOLTS_LOAD_SECONDS makes it longer.
fn long() -> Duration {
    Duration::from_secs(number("BOLTS_LOAD_SECONDS").unwrap_or(2))
}

/// 64 pairs create and accept bets on these servers, which share a database. Each answer must be a success or
/// 'insufficient balance'.
pub(crate) fn storm(servers: &[&Server]) {
    let pairs: Vec<(Client, Client)> = (0..64)
        .map(|number| {
            let server = servers[number % servers.len()];
            (server.user(&format!("maker{number}")), server.user(&format!("taker{number}")))
        })
        .collect();
    let (statuses, until) = (Mutex::new(Vec::new()), Instant::now() + long());
    thread::scope(|scope| {
        for (maker, taker) in &pairs {
            scope.spawn(|| {
                // Each pair creates at least two bets, even on a busy machine.
                for round in 0.. {
                    if round >= 2 && Instant::now() >= until {
                        break;
                    }
                    let made = maker.post("/api/bets", new_bet(json!({"stakeAmount": 1})));
                    let taken = (made.status == 201).then(|| taker.accept(&made.json()).status);
                    let both = [Some(made.status), taken].into_iter().flatten();
                    statuses.lock().expect("no panic").extend(both);
                }
            });
        }
    });
    let statuses = statuses.into_inner().expect("no panic");
    let unexpected: Vec<&u16> = statuses.iter().filter(|status| ![200, 201, 409].contains(*status)).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    let accepted = statuses.iter().filter(|status| **status == 200).count();
    assert!(accepted > 64, "{accepted}");
    servers[0].assert_audit_clean();
}

#[test]
fn sixty_four_writers_meet_no_failure() {
    storm(&[&Server::start()]);
}
