//! Guesses of a password by the thousand. `BOLTS_SIGN_INS=10000` is the long form (`just prove-long`).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::harness::{Client, Server, eventually, number};
use crate::races::count;

/// The number of guesses without `BOLTS_SIGN_INS`.
const GUESSES: usize = 600;

/// The guesses that may be checked for one address, at the most: the ten free ones, and a few after the waiting times,
/// which begin at 30 s and double.
const CHECKED: usize = 16;

/// An IPv6 /48 has ten times as much.
const CHECKED_OF_A_SITE: usize = 10 * CHECKED;

/// The address that a guess comes from, by the number of the guess.
type Source = fn(usize) -> String;

/// A minute, and some time for a busy machine.
const A_MINUTE: Duration = Duration::from_secs(80);

fn sign_in(client: &Client, from: &str, password: &str) -> u16 {
    let body = json!({"email": "ann@example.com", "password": password});
    client.page_with("POST", "/api/auth/login", &[("X-Forwarded-For", from)], Some(&body)).status
}

/// Sends guesses from eight clients at once, each from the address that `from` names. Returns the statuses.
fn guess(server: &Server, guesses: usize, from: impl Fn(usize) -> String + Sync) -> Vec<u16> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let guessing: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let (client, mut statuses) = (server.client(), Vec::new());
                    loop {
                        let guess = next.fetch_add(1, Ordering::Relaxed);
                        if guess >= guesses {
                            return statuses;
                        }
                        statuses.push(sign_in(&client, &from(guess), &format!("guess {guess}")));
                    }
                })
            })
            .collect();
        guessing.into_iter().flat_map(|thread| thread.join().expect("it guessed")).collect()
    })
}

#[test]
fn guesses_by_the_thousand_are_not_checked_and_lock_nobody_out() {
    let guesses =
        number("BOLTS_SIGN_INS").map_or(GUESSES, |number| usize::try_from(number).expect("a number"));
    let server = Server::start_with(&["--signups-per-hour", "0", "--trusted-proxies", "127.0.0.1"]);
    let ann = server.user("ann");
    let forms: [(&str, usize, Source); 3] = [
        ("one address", CHECKED, |_| "198.51.100.1".to_owned()),
        ("one IPv6 /64", CHECKED, |guess| format!("2001:db8:7:1::{guess:x}")),
        ("one IPv6 /48", CHECKED_OF_A_SITE, |guess| format!("2001:db8:8:{:x}::1", guess % 0xffff)),
    ];
    for (what, most, from) in forms {
        let statuses = guess(&server, guesses / 3, from);
        let (checked, refused) = (count(&statuses, 401), count(&statuses, 429));
        println!("{what}: {checked} of {} guesses checked", statuses.len());
        // 503: more sign-ins at once than the server checks.
        assert_eq!(checked + refused + count(&statuses, 503), statuses.len(), "{what}: {statuses:?}");
        assert!(checked <= most, "{what}: {checked} checked");
    }
    // The guesses do not lock out the browser that Ann has used before.
    assert_eq!(sign_in(&ann, "198.51.100.1", "secret"), 200, "her own browser beside the attacker");
    // At most 100 wrong passwords a minute are checked for an account, so a new browser may have to wait for the rest
    // of this minute.
    eventually("a new browser elsewhere signs in", A_MINUTE, || {
        let status = sign_in(&server.client(), "203.0.113.7", "secret");
        assert!([200, 429].contains(&status), "{status}");
        (status == 200).then_some(())
    });
}
