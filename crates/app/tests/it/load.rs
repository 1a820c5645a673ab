//! Many and very slow requests at once. Some may be refused, but other users must not have to wait.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Client, id, new_bet, number};
use crate::wire::{Process, connect, statuses};

/// The time limit for 99 of 100 requests of other users. The limit is generous, because some of these tests run beside each
/// other.
const PATIENCE: Duration = Duration::from_secs(1);

fn signed_in(server: &Process) -> Client {
    let client = server.client();
    client.post("/api/auth/register", json!({"email": "ann@example.com", "password": "secret"})).ok(201);
    client
}

/// The number of sockets that send slowly. The variable BOLTS_SOCKETS names another.
fn sockets() -> usize {
    number("BOLTS_SOCKETS").map_or(210, |number| usize::try_from(number).expect("a number"))
}

/// Sends `GET /api/auth/user` again and again until `stop` is set. Returns the sorted durations.
fn ask_meanwhile(client: &Client, stop: &AtomicBool) -> Vec<Duration> {
    let mut times = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let started = Instant::now();
        // Each request has its own connection, so that every thread of the server takes part.
        client.page_with("GET", "/api/auth/user", &[("Connection", "close")], None).ok(200);
        times.push(started.elapsed());
        std::thread::sleep(Duration::from_millis(5));
    }
    times.sort();
    times
}

/// Sets the flag when dropped.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The time that requests of other users may take: `PATIENCE`, or on a busy machine twenty times the duration of a
/// request to the idle server. If a user had to wait for one of the slow sockets, the request would take much longer.
fn patience(client: &Client) -> Duration {
    let (_, at_rest) = beside(client, || std::thread::sleep(PATIENCE));
    PATIENCE.max(20 * at_rest)
}

/// Calls `run` while another user sends requests. Returns the result of `run`, and the 99th percentile of the durations
/// of the other user's requests.
fn beside<T>(client: &Client, run: impl FnOnce() -> T) -> (T, Duration) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| ask_meanwhile(client, &stop));
        let done = {
            // This value sets the flag even if `run` panics. Otherwise the scope would wait for its threads for ever.
            let _stopped = Stop(&stop);
            run()
        };
        let times = asking.join().expect("every answer is a 200");
        assert!(!times.is_empty(), "nobody asked meanwhile");
        (done, times[(times.len() * 99).div_ceil(100) - 1])
    })
}

fn post(path: &str, body: &str) -> Vec<u8> {
    let head =
        "Host: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nConnection: close";
    format!("POST {path} HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn read_all(mut connection: TcpStream) -> String {
    let mut said = Vec::new();
    connection.read_to_end(&mut said).expect("an answer in time");
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn five_hundred_sign_ins_at_once_are_bounded() {
    let server = Process::start(&["--log", "warn"]);
    let ann = signed_in(&server);
    let patience = patience(&ann);
    let (said, p99) = beside(&ann, || {
        let open = |number: usize| {
            let mut connection = connect(&server.base, Duration::from_secs(300));
            let body = json!({"email": format!("user{number}@example.com"), "password": "wrong password"});
            connection.write_all(&post("/api/auth/login", &body.to_string())).expect("it is sent");
            connection
        };
        let connections: Vec<TcpStream> = (0..500).map(open).collect();
        connections.into_iter().map(read_all).collect::<Vec<_>>()
    });
    let (mut checked, mut turned_away) = (0, 0);
    for answer in &said {
        match statuses(answer)[..] {
            [401] => checked += 1,
            [503] => {
                turned_away += 1;
                assert!(answer.to_lowercase().contains("\r\nretry-after: "), "{answer}");
            }
            _ => panic!("{answer}"),
        }
    }
    println!(
        "{checked} checked, {turned_away} turned away, others' p99 {p99:?}, {} MB",
        server.peak_memory()
    );
    assert!(checked >= 100 && turned_away > 0, "{checked} checked, {turned_away} turned away");
    assert!(p99 < patience, "others waited {p99:?}");
    assert!(server.peak_memory() < 150, "{} MB", server.peak_memory());
    // A user who was refused can sign in afterwards.
    ann.post("/api/auth/login", json!({"email": "ann@example.com", "password": "secret"})).ok(200);
}

/// The address of the card that the page of this bet names.
fn card_of(client: &Client, bet: &Value) -> String {
    let page = client.get(&format!("/bet/{}", id(bet))).text;
    let named =
        page.split_once(r#"property="og:image" content=""#).and_then(|(_, rest)| rest.split_once('"'));
    named.expect("a card").0.to_owned()
}

#[test]
fn a_hundred_cards_delay_nobody() {
    let server = Process::start(&["--log", "warn", "--bets-per-hour", "0"]);
    let ann = signed_in(&server);
    let title = |number: usize| format!("Does it snow in Łódź on day {number} of the winter? ❄");
    let cards: Vec<String> = (0..100)
        .map(|number| ann.bet_with(json!({"stakeAmount": 1, "title": title(number)})))
        .map(|bet| card_of(&ann, &bet))
        .collect();
    let patience = patience(&ann);
    let started = Instant::now();
    let (drawn, p99) = beside(&ann, || {
        std::thread::scope(|scope| {
            let get = |card| move || ureq::get(card).call().map(|answer| answer.status().as_u16()).ok();
            let asked: Vec<_> = cards.iter().map(|card| scope.spawn(get(card))).collect();
            asked.into_iter().map(|one| one.join().expect("an answer")).collect::<Vec<_>>()
        })
    });
    println!("100 cards in {:?}; others' p99 {p99:?}", started.elapsed());
    assert_eq!(drawn, vec![Some(200); 100]);
    assert!(p99 < patience, "others waited {p99:?}");
    assert!(server.peak_memory() < 150, "{} MB", server.peak_memory());
}

/// Sockets that never finish the head of a request, its body, or a chunked body that no handler reads.
fn tricklers(server: &Process) -> Vec<Slow> {
    let origin = "HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n";
    let kinds = [
        ("head", format!("POST /api/auth/login {origin}")),
        ("body", format!("POST /api/auth/login {origin}Content-Length: 60000\r\n\r\n{{")),
        ("unread", format!("POST /api/bets {origin}Transfer-Encoding: chunked\r\n\r\nffff\r\n{{")),
    ];
    let open = |number: usize| {
        let (kind, begin) = &kinds[number % kinds.len()];
        let mut connection = connect(&server.base, Duration::from_millis(1));
        connection.write_all(begin.as_bytes()).expect("it is sent");
        (connection, *kind)
    };
    (0..sockets()).map(open).collect()
}

/// A socket, and the kind of what it sends.
type Slow = (TcpStream, &'static str);

/// Opens the sockets, and sends a byte on each of them after every pause until the server has closed all. Returns the time
/// of each close, and the lag: a close is noticed late by the time that opening all sockets, or one round over them, takes.
fn until_closed(
    open: impl FnOnce() -> Vec<Slow>,
    pause: Duration,
) -> (Vec<(&'static str, Duration)>, Duration) {
    let started = Instant::now();
    let (mut open, mut closed) = (open(), Vec::new());
    let mut lag = started.elapsed();
    // The loop may run for 30 s, which is longer than any time-out of the server.
    while !open.is_empty() && started.elapsed() < Duration::from_secs(30) + 2 * lag {
        let round = Instant::now();
        open.retain_mut(|(connection, kind)| {
            let goes_on = connection.write_all(b"x").is_ok() && still_open(connection);
            if !goes_on {
                closed.push((*kind, started.elapsed()));
            }
            goes_on
        });
        lag = lag.max(round.elapsed());
        std::thread::sleep(pause);
    }
    (closed, lag)
}

#[test]
fn slow_sockets_are_closed_and_delay_no_other_user() {
    let server = Process::start(&["--log", "warn"]);
    let ann = signed_in(&server);
    let patience = patience(&ann);
    let ((closed, lag), p99) = beside(&ann, || until_closed(|| tricklers(&server), Duration::from_secs(1)));
    let last = |kind| closed.iter().filter(|(of, _)| *of == kind).map(|(_, at)| *at).max();
    let times = ["head", "body", "unread"].map(|kind| (kind, last(kind)));
    println!("{} sockets closed after {times:?}; others' p99 {p99:?}", closed.len());
    assert_eq!(closed.len(), sockets(), "all are closed: {times:?}");
    for (kind, at) in times {
        let within = Duration::from_secs(if kind == "body" { 25 } else { 12 }) + 2 * lag;
        assert!(at < Some(within), "{kind}: {at:?}, noticed up to {lag:?} late");
    }
    assert!(p99 < patience, "others waited {p99:?}");
    assert!(server.peak_memory() < 150, "{} MB", server.peak_memory());
}

/// Opens a connection whose first request is complete and answered. On every fourth connection the client has already
/// sent a part of the next request.
fn answered(server: &Process, number: usize) -> TcpStream {
    let mut connection = connect(&server.base, Duration::from_secs(20));
    let body = r#"{"email":"nobody","password":""}"#;
    let get = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".to_owned();
    let post = "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n";
    let post =
        format!("{post}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let first = if number.is_multiple_of(2) { get } else { post };
    let begun = if number.is_multiple_of(4) { "GET /heal" } else { "" };
    connection.write_all(format!("{first}{begun}").as_bytes()).expect("it is sent");
    let mut answer = [0; 12];
    connection.read_exact(&mut answer).expect("the first request is answered");
    assert!(answer.starts_with(b"HTTP/1.1 "), "{answer:?}");
    connection.set_read_timeout(Some(Duration::from_millis(1))).expect("a time-out");
    connection
}

#[test]
fn the_head_of_every_request_is_timed() {
    let server = Process::start(&["--log", "warn"]);
    let ann = signed_in(&server);
    let patience = patience(&ann);
    let ((closed, lag), p99) = beside(&ann, || {
        let mut idle = answered(&server, 2);
        let open = || (0..200).map(|number| (answered(&server, number), "second head")).collect();
        let closed = until_closed(open, Duration::from_millis(500));
        assert!(still_open(&mut idle), "a connection without a request may stay open for longer");
        closed
    });
    let last = closed.iter().map(|(_, at)| *at).max();
    println!("closed after {last:?}, noticed up to {lag:?} late; others' p99 {p99:?}");
    assert_eq!(closed.len(), 200, "all are closed");
    assert!(last < Some(Duration::from_secs(15) + 2 * lag), "{last:?}, noticed up to {lag:?} late");
    assert!(p99 < patience, "others waited {p99:?}");
}

/// The server may be too busy to read for longer than the time limit of a head.
#[test]
fn a_head_that_has_arrived_is_never_too_late() {
    let server = Process::start(&["--log", "warn"]);
    // One connection is new, and on the other one the first request is answered.
    let fresh = connect(&server.base, Duration::from_secs(20));
    let used = answered(&server, 2);
    used.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out");
    let mut connections = [fresh, used];
    std::thread::sleep(Duration::from_secs(1));

    server.signal("STOP");
    for connection in &mut connections {
        connection
            .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .expect("it is sent");
    }
    std::thread::sleep(Duration::from_secs(6));
    server.signal("CONT");
    for connection in connections {
        let said = read_all(connection);
        assert_eq!(statuses(&said).last(), Some(&200), "{said}");
    }
}

/// Whether the connection is still open. Data from the server is discarded.
fn still_open(connection: &mut TcpStream) -> bool {
    let mut buffer = [0; 4_096];
    loop {
        match connection.read(&mut buffer) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => {
                use std::io::ErrorKind::{TimedOut, WouldBlock};
                return matches!(error.kind(), WouldBlock | TimedOut);
            }
        }
    }
}

#[test]
fn an_endless_body_is_cut_off() {
    let server = Process::start(&["--log", "warn"]);
    let ann = signed_in(&server);
    let patience = patience(&ann);
    let head = "HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json";
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    // The first endpoint reads any body. The second one refuses the user before it reads the body.
    for path in ["/api/auth/login", "/api/bets"] {
        let (taken, p99) = beside(&ann, || {
            let mut connection = connect(&server.base, Duration::from_secs(20));
            let begin = format!("POST {path} {head}\r\nTransfer-Encoding: chunked\r\n\r\n");
            connection.write_all(begin.as_bytes()).expect("it is sent");
            let started = Instant::now();
            while started.elapsed() < Duration::from_secs(15)
                && connection.write_all(chunk.as_bytes()).is_ok()
            {}
            started.elapsed()
        });
        println!("{path}: cut off after {taken:?}, others' p99 {p99:?}");
        assert!(taken < Duration::from_secs(10), "{path}: read for {taken:?}");
        assert!(p99 < patience, "{path}: others waited {p99:?}");
    }
    assert!(server.peak_memory() < 100, "{} MB", server.peak_memory());
}

/// The space that 60 bets may take in the database, in bytes.
const MOST_WRITTEN: u64 = 60 * 10_000;

#[test]
fn a_user_who_writes_without_end_delays_nobody_and_fills_no_disk() {
    // `Process::start` lifts these two limits. The options set them to their defaults again.
    let server = Process::start(&["--log", "warn", "--bets-per-hour", "60", "--writes-per-minute", "300"]);
    let ann = signed_in(&server);
    let patience = patience(&ann);
    let zoe = server.client();
    zoe.post("/api/auth/register", json!({"email": "zoe@example.com", "password": "secret"})).ok(201);
    let before = server.database_size();
    let (statuses, p99) = beside(&ann, || {
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..4).map(|_| scope.spawn(|| create_and_delete(&zoe))).collect();
            writers.into_iter().flat_map(|writer| writer.join().expect("it wrote")).collect::<Vec<u16>>()
        })
    });
    let count = |status| statuses.iter().filter(|seen| **seen == status).count();
    let written = server.database_size().saturating_sub(before);
    println!("{} created, {} refused, {written} bytes, others' p99 {p99:?}", count(201), count(429));
    assert_eq!(count(201) + count(200) + count(429), statuses.len(), "{statuses:?}");
    // The hour of the limit begins with the user's first bet, so it does not end during the test.
    assert_eq!(count(201), 60, "{} refused", count(429));
    assert!(count(429) > 0);
    assert!(written < MOST_WRITTEN, "{written} bytes");
    assert!(p99 < patience, "others waited {p99:?}");
}

/// Creates and deletes bets as fast as the server answers, for at least 6 s and until the server refuses a bet. Returns the statuses.
fn create_and_delete(user: &Client) -> Vec<u16> {
    let (started, mut statuses) = (Instant::now(), Vec::new());
    let body = new_bet(json!({"description": "a".repeat(2_000), "stakeAmount": 1}));
    let is_refused = |statuses: &[u16]| statuses.contains(&429);
    // On a slow machine, the first refusal comes later than after 6 s.
    let limit = |statuses: &[u16]| Duration::from_secs(if is_refused(statuses) { 6 } else { 90 });
    while started.elapsed() < limit(&statuses) {
        let created = user.post("/api/bets", body.clone());
        statuses.push(created.status);
        if created.status == 201 {
            statuses.push(user.delete(&format!("/api/bets/{}", id(&created.json()))).status);
        }
    }
    statuses
}
