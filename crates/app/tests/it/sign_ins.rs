//! Guesses of a password by the thousand. `BOLTS_SIGN_INS=10000` is the long form (`just prove-long`).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::json;

use crate::harness::{Answer, Client, Server, number};
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

fn sign_in(client: &Client, from: &str, password: &str) -> Answer {
    let body = json!({"email": "ann@example.com", "password": password});
    client.page_with("POST", "/api/auth/login", &[("X-Forwarded-For", from)], Some(&body))
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
                        statuses.push(sign_in(&client, &from(guess), &format!("guess {guess}")).status);
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
    let server = Server::start_with(&["--signins-per-minute", "60", "--trusted-proxies", "127.0.0.1"]);
    let ann = server.user("ann");
    let forms: [(&str, usize, Source); 3] = [
        ("one address", CHECKED, |_| "198.51.100.1".to_owned()),
        ("one IPv6 /64", CHECKED, |guess| format!("2001:db8:7:1::{guess:x}")),
        ("one IPv6 /48", CHECKED_OF_A_SITE, |guess| format!("2001:db8:8:{:x}::1", guess % 0xffff)),
    ];
    for (what, most, from) in forms {
        let statuses = guess(&server, guesses / 3, from);
        // 503: more sign-ins at once than the server checks.
        let [checked, refused, busy] = [401, 429, 503].map(|status| count(&statuses, status));
        println!("{what}: {checked} of {} guesses checked", statuses.len());
        assert_eq!(checked + refused + busy, statuses.len(), "{what}: {statuses:?}");
        assert!((1..=most).contains(&checked), "{what}: {checked} checked");
        assert!(refused > busy, "{what}: {refused} refused by the limit, {busy} because others were checked");
    }
    // The guesses do not lock out the browser that Ann has used before.
    sign_in(&ann, "198.51.100.1", "secret").ok(200);
    // At most 100 wrong passwords a minute are checked for an account, so a new browser elsewhere may have to wait for the
    // rest of this minute.
    let elsewhere = sign_in(&server.client(), "203.0.113.7", "secret");
    let wait = elsewhere.headers.get("retry-after").and_then(|wait| wait.to_str().ok()?.parse::<u32>().ok());
    let is_short = matches!((elsewhere.status, wait), (200, None) | (429, Some(1..=60)));
    assert!(is_short, "{elsewhere:?}");
}
