//! Live updates: hints reach the open pages.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Client, Server, at_best_within};

/// An open event stream, read line by line.
pub(crate) struct Stream(BufReader<TcpStream>);

impl Stream {
    pub(crate) fn open(server: &Server, client: &Client) -> Self {
        let address = server.base.trim_start_matches("http://");
        let mut connection = TcpStream::connect(address).expect("a connection");
        connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out");
        let cookie = client.cookie().unwrap_or_default();
        let head = format!("GET /api/events HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n\r\n");
        connection.write_all(head.as_bytes()).expect("it is sent");
        let mut stream = Self(BufReader::new(connection));
        assert_eq!(stream.line_with("HTTP/1.1").as_deref(), Some("HTTP/1.1 200 OK"));
        stream.line_with("event: last-hint").expect("the stream begins");
        stream
    }

    /// The next line that begins with this text. `None` if the stream has ended.
    pub(crate) fn line_with(&mut self, beginning: &str) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("no time-out") == 0 {
                return None;
            }
            if line.starts_with(beginning) {
                return Some(line.trim_end().to_owned());
            }
        }
    }

    /// The names of the next `N` events, sorted.
    fn events<const N: usize>(&mut self) -> [String; N] {
        let mut names = [(); N].map(|()| self.line_with("event: ").expect("an event"));
        names.sort();
        names
    }
}

/// Creates a bet, and waits until its events have reached the open pages.
pub(crate) fn bet_that_was_told(server: &Server, creator: &Client) -> serde_json::Value {
    let mut page = Stream::open(server, creator);
    let bet = creator.bet(100);
    page.line_with("event: ").expect("the stream goes on");
    // The hints of one change are sent together. The last hint arrives during this pause.
    std::thread::sleep(Duration::from_millis(300));
    bet
}

#[test]
fn what_changes_reaches_open_pages_at_once() {
    let server = Server::start();
    at_best_within(Duration::from_secs(1), |attempt| {
        let (ann, bob) = (server.user(&format!("ann{attempt}")), server.user(&format!("bob{attempt}")));
        let bet = bet_that_was_told(&server, &ann);
        let (mut anns, mut bobs) = (Stream::open(&server, &ann), Stream::open(&server, &bob));
        let started = Instant::now();
        bob.accept(&bet).ok(200);
        assert_eq!(anns.events(), ["event: bet", "event: notification"]);
        let took = started.elapsed();
        // Bob gets a notification too, because his first bet unlocks an achievement.
        assert_eq!(bobs.events(), ["event: balance", "event: bet", "event: notification"]);
        took
    });
}

#[test]
fn a_stream_says_when_the_user_got_the_last_hint_before_it_was_open() {
    let server = Server::start();
    let ann = server.user("ann");
    let _bet = bet_that_was_told(&server, &ann);
    let created = Instant::now();
    std::thread::sleep(Duration::from_millis(500));
    let mut stream = Stream::open(&server, &ann);
    let line = stream.line_with("data: ").expect("its data");
    let data: serde_json::Value = serde_json::from_str(line.trim_start_matches("data: ")).expect("JSON");
    let ago = Duration::from_millis(data["agoMs"].as_u64().expect("a number"));
    let since = created.elapsed();
    // `bet_that_was_told` returns 300 ms after the last hint at the earliest.
    assert!(ago >= Duration::from_millis(800), "{ago:?}");
    assert!(ago <= since + Duration::from_secs(20), "{ago:?} {since:?}");
}

#[test]
fn a_stream_ends_only_with_its_own_session() {
    let server = Server::start();
    let ann = server.user("ann");
    let elsewhere = server.client();
    elsewhere.post("/api/auth/login", json!({"email": "ann@example.com", "password": "secret"})).ok(200);
    let (mut here, mut there) = (Stream::open(&server, &ann), Stream::open(&server, &elsewhere));
    elsewhere.post("/api/auth/logout", json!({})).ok(200);
    // A chunk of length 0 ends the answer. The server closes the connection later, like other idle connections.
    assert_eq!(there.line_with("0").as_deref(), Some("0"), "the stream of the ended session ends");
    ann.bet(1);
    here.line_with("event: ").expect("the other one goes on");
    server.client().get("/api/events").problem(401, "not_signed_in");
}

#[test]
fn the_newest_stream_takes_the_place_of_the_oldest() {
    let server = Server::start();
    let ann = server.user("ann");
    // A reloaded page leaves its old stream open until the server notices that the page is gone.
    let mut open: Vec<Stream> = (0..17).map(|_| Stream::open(&server, &ann)).collect();
    let mut newest = open.pop().expect("it is open");
    let oldest = &mut open[0];
    assert_eq!(oldest.line_with("retry:").as_deref(), Some("retry: 60000"), "its page waits");
    assert_eq!(oldest.line_with("0").as_deref(), Some("0"), "the oldest stream ends");
    ann.bet(1);
    newest.line_with("event: ").expect("the newest stream carries hints");
    open[1].line_with("event: ").expect("the second oldest stays open");
}

#[test]
fn open_streams_do_not_delay_a_stop() {
    let mut server = Server::start();
    let ann = server.user("ann");
    let mut stream = Stream::open(&server, &ann);
    let (code, took) = server.stop();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(stream.line_with("event: "), None);
}
