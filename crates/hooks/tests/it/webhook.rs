//! Webhooks.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bolts_hooks::{ReceiverOptions, SignedWebhooks};
use bolts_ports::{Event, Secret, Undelivered, Webhooks};
use bolts_testkit::provider::{Reply, Request, Server};
use bolts_testkit::{FakeClock, start};
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use crate::run;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

fn event(url: &str) -> Event {
    Event {
        name: "0198.abc".to_owned(),
        url: url.to_owned(),
        secret: Secret::new(SECRET),
        kind: "bet_accepted".to_owned(),
        at: start(),
        notification: 7.into(),
        bet: Some(9.into()),
    }
}

fn webhooks(allow_private: bool) -> SignedWebhooks {
    let options = ReceiverOptions { allow_private, within: Duration::from_secs(2) };
    SignedWebhooks::new(options, Arc::new(FakeClock::at(start()))).expect("an adapter")
}

/// Sends the event to a server that answers in this way. Returns the result and the requests.
fn send(answer: Reply) -> (Result<(), Undelivered>, Vec<Request>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = seen.clone();
    let server = Server::start(None, move |request| {
        kept.lock().expect("no panic").push(request.clone());
        answer.clone()
    });
    let sent = run(webhooks(true).send(event(&format!("{}/hook?key=1", server.url()))));
    let requests = seen.lock().expect("no panic").clone();
    (sent, requests)
}

fn fine() -> Reply {
    Reply::json(204, &Value::Null)
}

#[test]
fn an_event_has_ids_and_kinds_and_a_signature() {
    let (sent, requests) = send(fine());
    assert_eq!(sent, Ok(()));
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(
        (request.method.as_str(), request.path.as_str(), request.query.as_str()),
        ("POST", "/hook", "key=1")
    );
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("webhook-id"), Some("0198_abc"), "a dot would be ambiguous in the signature");
    let (notification, bet) = (format!("{:032x}", 7), format!("{:032x}", 9));
    let expected = json!({
        "type": "bet_accepted",
        "timestamp": start(),
        "data": {"notificationId": notification, "betId": bet},
    });
    assert_eq!(request.body, expected);
    let at: i64 = request.header("webhook-timestamp").expect("a time").parse().expect("seconds");
    assert_eq!(at, start().micros() / 1_000_000);
    let key = Webhook::new(SECRET).expect("a key");
    let signature = key.sign("0198_abc", at, &request.raw).expect("signed");
    assert_eq!(request.header("webhook-signature"), Some(signature.as_str()));
}

#[test]
fn each_answer_has_its_meaning() {
    let later = |status: u16| Err(Undelivered::Later(format!("status {status}")));
    let reply = |status| Reply::json(status, &json!({"any": "thing"}));
    let wait = |seconds, status: u16| {
        Err(Undelivered::Wait(Duration::from_secs(seconds), format!("status {status}")))
    };
    for (answer, expected) in [
        (reply(200), Ok(())),
        (reply(299), Ok(())),
        (reply(400), later(400)),
        (reply(404), later(404)),
        (reply(410), Err(Undelivered::Gone("status 410".to_owned()))),
        (reply(429), later(429)),
        (reply(429).with_header("retry-after", "60"), wait(60, 429)),
        (reply(503).with_header("retry-after", "7"), wait(7, 503)),
        (reply(503).with_header("retry-after", "99999999"), wait(6 * 3_600, 503)),
        (reply(503).with_header("retry-after", "Mon, 23 Nov 2026 12:00:00 GMT"), later(503)),
        (reply(500), later(500)),
    ] {
        assert_eq!(send(answer).0, expected);
    }
    assert!(matches!(send(Reply::close()).0, Err(Undelivered::Unavailable(_))));
}

/// A receiver answers without end, or with a body that would fill the memory.
#[test]
fn the_body_of_an_answer_is_not_read() {
    let started = Instant::now();
    assert_eq!(send(fine().padded(64 * 1024 * 1024)).0, Ok(()));
    assert_eq!(send(Reply::json(200, &Value::Null).left_open()).0, Ok(()));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// A receiver on the internet redirects to a server behind the firewall.
#[test]
fn a_redirect_is_not_followed() {
    let (sent, requests) = send(Reply::redirect("/elsewhere"));
    assert_eq!(sent, Err(Undelivered::Later("status 307".to_owned())));
    assert_eq!(requests.len(), 1, "{requests:?}");
}

/// A receiver takes the connection and says nothing.
#[test]
fn a_silent_receiver_is_given_up_in_time() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let started = Instant::now();
    let url = format!("http://{}/", silent.local_addr().expect("an address"));
    let sent = run(webhooks(true).send(event(&url)));
    assert!(matches!(sent, Err(Undelivered::Unavailable(_))), "{sent:?}");
    assert!(started.elapsed() >= Duration::from_secs(2), "{:?}", started.elapsed());
}

/// A user names an address of this machine, directly or by a name that only the resolver can judge.
#[test]
fn private_addresses_are_never_called() {
    let here = TcpListener::bind("127.0.0.1:0").expect("a port");
    here.set_nonblocking(true).expect("possible");
    let port = here.local_addr().expect("an address").port();
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        format!("https://[::ffff:127.0.0.1]:{port}/"),
        format!("https://2130706433:{port}/"),
        format!("https://localhost:{port}/"),
    ] {
        let sent = run(webhooks(false).send(event(&url)));
        assert!(
            matches!(sent, Err(Undelivered::Unavailable(_) | Undelivered::Refused(_))),
            "{url}: {sent:?}"
        );
        let arrived = here.accept().map(drop).map_err(|error| error.kind());
        assert_eq!(arrived, Err(std::io::ErrorKind::WouldBlock), "{url} was called");
    }
    let name = format!("https://localhost:{port}/");
    let sent = run(webhooks(false).send(event(&name)));
    let Err(Undelivered::Unavailable(why)) = sent else { panic!("{sent:?}") };
    assert!(why.contains("not on the public internet"), "{why}");
    assert!(!why.contains("localhost"), "the reason must not have the address: {why}");
}
