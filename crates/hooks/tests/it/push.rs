//! Push messages.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_hooks::{EncryptedPushes, PushKey, ReceiverOptions};
use bolts_ports::{PushMessage, Pusher, Secret, Undelivered};
use bolts_testkit::provider::{Reply, Request, Server};
use bolts_testkit::{FakeClock, start};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::{Value, json};
use web_push_native::p256::SecretKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;
use web_push_native::{Auth, decrypt};

use crate::run;

const CONTENT: &str = r#"{"title":"Bet Accepted","body":"bob took your bet"}"#;

/// The private half of a browser's keys.
fn browser() -> (SecretKey, Auth) {
    (SecretKey::from_slice(&[7; 32]).expect("a key"), Auth::from([9; 16]))
}

fn keys() -> Secret {
    let (secret, auth) = browser();
    let public = secret.public_key().to_encoded_point(false);
    Secret::new(format!("{}.{}", URL_SAFE_NO_PAD.encode(public.as_bytes()), URL_SAFE_NO_PAD.encode(auth)))
}

fn message(endpoint: &str) -> PushMessage {
    let (endpoint, content) = (endpoint.to_owned(), CONTENT.to_owned());
    PushMessage { endpoint, keys: keys(), content, is_urgent: true }
}

fn key() -> PushKey {
    PushKey::read(&PushKey::fresh().expect("random")).expect("the output of `fresh`")
}

fn pushes(key: PushKey, allow_private: bool) -> EncryptedPushes {
    let options = ReceiverOptions { allow_private, within: Duration::from_secs(2) };
    let contact = Some("https://bets.example".to_owned());
    EncryptedPushes::new(options, Arc::new(FakeClock::at(start())), Arc::new(key), contact)
        .expect("an adapter")
}

/// Sends the message to a push service that answers in this way. Returns the result and the requests.
fn send(key: PushKey, answer: Reply) -> (Result<(), Undelivered>, Vec<Request>, String) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = seen.clone();
    let server = Server::start(None, move |request| {
        kept.lock().expect("no panic").push(request.clone());
        answer.clone()
    });
    let sent = run(pushes(key, true).send(message(&format!("{}/push/abc", server.url()))));
    let requests = seen.lock().expect("no panic").clone();
    (sent, requests, server.url())
}

#[test]
fn only_the_browser_can_read_a_message() {
    let (sent, requests, _) = send(key(), Reply::json(201, &Value::Null));
    assert_eq!(sent, Ok(()));
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/push/abc"));
    for (name, value) in [("content-encoding", "aes128gcm"), ("ttl", "86400"), ("urgency", "high")] {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    assert!(!String::from_utf8_lossy(&request.raw).contains("Accepted"));
    let (secret, auth) = browser();
    let read = decrypt(request.raw.clone(), &secret, &auth).expect("encrypted for this browser");
    assert_eq!(read, CONTENT.as_bytes());
    let other = SecretKey::from_slice(&[8; 32]).expect("a key");
    assert!(decrypt(request.raw.clone(), &other, &auth).is_err());
}

/// RFC 8292: the push service checks that the requests come from the site to which the browser subscribed.
#[test]
fn a_push_service_recognises_the_site() {
    let key = key();
    let public = key.public();
    let (_, requests, service) = send(key, Reply::json(201, &Value::Null));
    let header = requests[0].header("authorization").expect("a signature").to_owned();
    let (token, sent_key) =
        header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("both");
    assert_eq!(sent_key, public);
    let (signed, signature) = token.rsplit_once('.').expect("a signature");
    let decoded = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
    let verifier = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decoded(&public));
    verifier.verify(signed.as_bytes(), &decoded(signature)).expect("signed by the site");
    let (head, claims) = signed.split_once('.').expect("two parts");
    let json = |text: &str| serde_json::from_slice::<Value>(&decoded(text)).expect("JSON");
    assert_eq!(json(head), json!({"typ": "JWT", "alg": "ES256"}));
    let expires = start().micros() / 1_000_000 + 12 * 3_600;
    assert_eq!(json(claims), json!({"aud": service, "exp": expires, "sub": "https://bets.example"}));
}

#[test]
fn a_key_is_kept_as_text() {
    let stored = PushKey::fresh().expect("random");
    let read = || PushKey::read(&stored).expect("a key").public();
    assert_eq!(read(), read());
    assert_ne!(read(), key().public(), "each site has its own");
    for wrong in ["", "abc", "not base64!"] {
        assert!(PushKey::read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn each_answer_has_its_meaning() {
    let gone = |status: u16| Err(Undelivered::Gone(format!("status {status}")));
    let refused = |status: u16| Err(Undelivered::Refused(format!("status {status}")));
    let later = |status: u16| Err(Undelivered::Later(format!("status {status}")));
    for (status, expected) in [
        (200, Ok(())),
        (201, Ok(())),
        (202, Ok(())),
        (404, gone(404)),
        (410, gone(410)),
        (400, refused(400)),
        (403, refused(403)),
        (413, refused(413)),
        (429, later(429)),
        (500, later(500)),
    ] {
        assert_eq!(send(key(), Reply::json(status, &Value::Null)).0, expected);
    }
    assert!(matches!(send(key(), Reply::close()).0, Err(Undelivered::Unavailable(_))));
}

/// A user invented the keys, or the content is longer than a push service takes.
#[test]
fn a_message_that_cannot_be_sent_reaches_nobody() {
    let reached = Arc::new(Mutex::new(0));
    let count = reached.clone();
    let server = Server::start(None, move |_| {
        *count.lock().expect("no panic") += 1;
        Reply::json(201, &Value::Null)
    });
    let pushes = pushes(key(), true);
    let not_on_the_curve = format!("{}.{}", URL_SAFE_NO_PAD.encode([4; 65]), URL_SAFE_NO_PAD.encode([9; 16]));
    for keys in ["", "abc", &not_on_the_curve] {
        let sent = run(pushes.send(PushMessage { keys: Secret::new(keys), ..message(&server.url()) }));
        assert!(matches!(sent, Err(Undelivered::Gone(_))), "{keys}: {sent:?}");
    }
    for (length, is_sent) in [(3_993, true), (3_994, false)] {
        let sent = run(pushes.send(PushMessage { content: "a".repeat(length), ..message(&server.url()) }));
        assert_eq!(sent.is_ok(), is_sent, "{length}: {sent:?}");
    }
    assert_eq!(*reached.lock().expect("no panic"), 1);
}

#[test]
fn push_services_on_private_networks_are_never_called() {
    let reached = Arc::new(Mutex::new(0));
    let count = reached.clone();
    let server = Server::start(None, move |_| {
        *count.lock().expect("no panic") += 1;
        Reply::json(201, &Value::Null)
    });
    let port = server.url().rsplit(':').next().expect("a port").to_owned();
    let pushes = pushes(key(), false);
    for endpoint in [
        server.url(),
        format!("https://127.0.0.1:{port}/"),
        format!("https://[::ffff:127.0.0.1]:{port}/"),
        format!("https://localhost:{port}/"),
        "https://169.254.169.254/latest/meta-data".to_owned(),
    ] {
        let sent = run(pushes.send(message(&endpoint)));
        assert!(
            matches!(sent, Err(Undelivered::Unavailable(_) | Undelivered::Refused(_))),
            "{endpoint}: {sent:?}"
        );
    }
    assert_eq!(*reached.lock().expect("no panic"), 0);
}
