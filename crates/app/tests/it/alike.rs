//! Requests whose times must not tell who is registered or who has a second factor. The attack: many requests, and a look at
//! their times.

use std::time::{Duration, Instant};

use bolts_testkit::smtp::Server as Relay;
use serde_json::{Value, json};

use crate::factors::protected;
use crate::harness::{Answer, Client, Server, number};
use crate::mail::{ORIGIN, start};

/// The number of requests of each kind without `BOLTS_SAMPLES`.
const SAMPLES: u64 = 9;

/// 100 wrong passwords a minute are checked for an account, so several accounts share the samples.
const SAMPLES_OF_AN_ACCOUNT: u64 = 50;

/// Other load can make the shortest of a few requests longer by this time. A hash takes three times as long.
const NOISE: Duration = Duration::from_millis(5);

fn samples() -> u64 {
    number("BOLTS_SAMPLES").unwrap_or(SAMPLES)
}

/// An address that no other request has, so that no limit of a network applies.
fn address(request: u64) -> String {
    format!("10.{}.{}.{}", request >> 16, request >> 8 & 255, request & 255)
}

/// Sends a request, and returns its answer and its time.
fn timed(client: &Client, path: &str, from: &str, body: &Value) -> (Answer, Duration) {
    let headers = [("X-Forwarded-For", from)];
    let started = Instant::now();
    let answer = client.page_with("POST", path, &headers, Some(body));
    (answer, started.elapsed())
}

/// What an attacker can compare in an answer. The request's id is in none of it.
fn told(answer: &Answer) -> (u16, String, Vec<String>) {
    let mut headers: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
    headers.sort();
    (answer.status, answer.text.clone(), headers)
}

/// Sends both kinds of requests in turn. Each kind comes first in every other round.
fn both(samples: u64, mut send: impl FnMut(usize, u64) -> Duration) -> [Vec<Duration>; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for sample in 0..samples {
        let first = (sample % 2) as usize;
        for kind in [first, 1 - first] {
            times[kind].push(send(kind, sample));
        }
    }
    times
}

/// The probability that a request of the first kind takes longer than one of the second kind.
fn longer(one: &[Duration], other: &[Duration]) -> f64 {
    // Both lists are sorted.
    let below = one.iter().map(|time| other.partition_point(|than| than < time)).sum::<usize>();
    below as f64 / (one.len() * other.len()) as f64
}

/// Asserts that the times of the two kinds are alike. Returns the figures.
fn assert_alike(kinds: [&str; 2], times: [Vec<Duration>; 2]) -> String {
    let [mut one, mut other] = times;
    one.sort();
    other.sort();
    let (samples, fast, longer) = (one.len(), one.len() / 10, longer(&one, &other));
    let figures = format!(
        "{samples} samples: {} and {}: shortest {:?}, {:?}; a tenth is shorter than {:?}, {:?}; the first takes longer: {longer:.3}",
        kinds[0], kinds[1], one[0], other[0], one[fast], other[fast]
    );
    let are_many = samples >= 500;
    let noise = if are_many { Duration::ZERO } else { NOISE };
    let is_near = |one: Duration, other: Duration| one <= other * 2 + noise;
    assert!(is_near(one[0], other[0]) && is_near(other[0], one[0]), "{figures}");
    if are_many {
        // Other load makes requests of both kinds slower at random. On a busy machine the fastest tenths of two equal kinds
        // differed by 9 %. The load does not change the probability of 0.5 that a request of the first kind takes longer.
        // The standard deviation of this figure is 0.01 with 2,000 samples.
        assert!((longer - 0.5).abs() < 0.05, "{figures}");
    }
    figures
}

fn server() -> Server {
    Server::start_with(&["--trusted-proxies", "127.0.0.1"])
}

/// Tries a wrong password for accounts of two kinds, whose names begin so, and returns the times.
fn wrong_passwords(server: &Server, kinds: [&str; 2]) -> [Vec<Duration>; 2] {
    let (client, samples) = (server.client(), samples());
    let accounts = samples.div_ceil(SAMPLES_OF_AN_ACCOUNT);
    let mut answers = [None, None];
    let times = both(samples, |kind, sample| {
        let email = format!("{}{}@example.com", kinds[kind], sample % accounts);
        let body = json!({"email": email, "password": "wrong"});
        let (answer, took) = timed(&client, "/api/auth/login", &address(2 * sample + kind as u64), &body);
        answer.problem(401, "invalid_credentials");
        answers[kind].get_or_insert(told(&answer));
        took
    });
    assert_eq!(answers[0], answers[1]);
    times
}

/// A look-up of an account takes far less than a tenth of the time of a hash. If the server computed no hash for an unknown
/// email, the times would differ clearly.
#[test]
fn a_sign_in_takes_as_long_for_an_unknown_email() {
    let server = server();
    for account in 0..samples().div_ceil(SAMPLES_OF_AN_ACCOUNT) {
        server.user(&format!("known{account}"));
    }
    let kinds = ["known", "nobody"];
    println!("{}", assert_alike(kinds, wrong_passwords(&server, kinds)));
}

/// A person without the password must not learn which accounts have a second factor.
#[test]
fn a_wrong_password_takes_as_long_with_a_second_factor() {
    let server = server();
    for account in 0..samples().div_ceil(SAMPLES_OF_AN_ACCOUNT) {
        server.user(&format!("plain{account}"));
        protected(&server, &format!("protected{account}"));
    }
    let kinds = ["plain", "protected"];
    println!("{}", assert_alike(kinds, wrong_passwords(&server, kinds)));
}

/// Users with these numbers, who can ask for a new password. Their sign-ups would take most of the time.
fn add_users(server: &Server, count: u64) {
    for number in 0..count {
        let id = format!("{:032x}", 1 + number);
        server.database.execute(&format!(
            "INSERT INTO users (id, email, created_at) VALUES ('{id}', 'known{number}@example.com', 5);
             INSERT INTO credentials (user_id, password_hash, changed_at) VALUES ('{id}', 'none', 5);"
        ));
    }
}

/// The mail goes out later, so it cannot be seen in the time of the request.
#[test]
fn a_request_for_a_new_password_takes_as_long_for_an_unknown_address() {
    let (relay, samples) = (Relay::start(|_| None), samples());
    let server = start(&relay, &["--trusted-proxies", "127.0.0.1"]);
    add_users(&server, samples);
    let (client, kinds) = (server.client().at(ORIGIN), ["known", "nobody"]);
    let mut answers = [None, None];
    let times = both(samples, |kind, sample| {
        let body = json!({"email": format!("{}{sample}@example.com", kinds[kind])});
        let from = address(2 * sample + kind as u64);
        let (answer, took) = timed(&client, "/api/auth/password-reset/request", &from, &body);
        answer.ok(200);
        answers[kind].get_or_insert(told(&answer));
        took
    });
    assert_eq!(answers[0], answers[1]);
    println!("{}", assert_alike(kinds, times));
    // The requests of known addresses really cause mails, up to the last one.
    crate::harness::eventually("all mails", Duration::from_secs(300), || {
        let arrived =
            relay.messages().iter().filter(|mail| mail.contains("Subject: Set a new password")).count();
        (arrived as u64 == samples).then_some(())
    });
}
