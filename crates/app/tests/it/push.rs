//! Push messages of the real binary to a real socket. The journey `push.spec.ts` decrypts them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_testkit::provider::{Reply, Request, Server as Receiver};
use serde_json::{Value, json};

use crate::harness::{Client, Server, eventually, new_bet};
use crate::secrets;

const PATH: &str = "/api/notifications/push-subscriptions";

/// A point of the curve P-256: its generator.
const PUBLIC_KEY: &str = "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

/// A push service, which keeps all requests.
struct Service {
    server: Receiver,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Service {
    /// Answers with this status.
    fn start(status: u16) -> Self {
        let seen = Arc::new(Mutex::new(Vec::<Request>::new()));
        let kept = seen.clone();
        let server = Receiver::start(None, move |request| {
            kept.lock().expect("no panic").push(request.clone());
            Reply::json(status, &Value::Null)
        });
        Self { server, seen }
    }

    fn endpoint(&self, name: &str) -> String {
        format!("{}/push/{name}", self.server.url())
    }

    fn seen(&self) -> Vec<Request> {
        self.seen.lock().expect("no panic").clone()
    }

    /// The only request, once it has arrived.
    fn only(&self) -> Request {
        let seen = eventually("a message", Duration::from_secs(30), || {
            let seen = self.seen();
            (!seen.is_empty()).then_some(seen)
        });
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen[0].clone()
    }
}

fn site() -> Server {
    Server::start_with(&["--webhook-allow-private"])
}

/// The subscription of a browser, as its `toJSON()` gives it.
fn subscription(endpoint: &str) -> Value {
    let public = hex::decode(PUBLIC_KEY).expect("hex");
    let keys = json!({"p256dh": URL_SAFE_NO_PAD.encode(public), "auth": URL_SAFE_NO_PAD.encode([9; 16])});
    json!({"endpoint": endpoint, "expirationTime": null, "keys": keys})
}

fn subscribe(client: &Client, endpoint: &str) {
    assert_eq!(client.post(PATH, subscription(endpoint)).ok(200), json!({"ok": true}));
}

fn endpoints(client: &Client) -> Vec<Value> {
    let listed = client.get(PATH).ok(200);
    let all = listed["subscriptions"].as_array().expect("a list");
    all.iter().map(|one| one["endpoint"].clone()).collect()
}

#[test]
fn a_browser_gets_messages_that_only_it_can_read() {
    let (server, service) = (site(), Service::start(201));
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let key = ann.get(PATH).ok(200)["publicKey"].clone();
    assert_eq!(URL_SAFE_NO_PAD.decode(key.as_str().expect("a key")).expect("base64url").len(), 65);
    assert_eq!(bob.get(PATH).ok(200)["publicKey"], key, "one key for the site");
    let endpoint = service.endpoint("secret-address-of-ann");
    secrets::note(&endpoint, "address of a browser");
    subscribe(&ann, &endpoint);
    subscribe(&ann, &endpoint);
    let listed = ann.get(PATH).ok(200);
    let [one] = &listed["subscriptions"].as_array().expect("a list")[..] else { panic!("{listed}") };
    assert_eq!((&one["endpoint"], &one["isCurrent"]), (&json!(endpoint), &json!(true)));
    assert_eq!(endpoints(&bob), Vec::<Value>::new(), "of ann alone");

    let wanted = json!({"stakeAmount": 1, "title": "Nobody may read this"});
    let bet = ann.post("/api/bets", new_bet(wanted)).ok(201);
    bob.accept(&bet).ok(200);
    let message = service.only();
    assert!(!String::from_utf8_lossy(&message.raw).contains("Nobody"));
    assert_eq!(message.header("content-encoding"), Some("aes128gcm"));
    let signed = message.header("authorization").expect("a signature").to_owned();
    assert!(signed.ends_with(&format!(", k={}", key.as_str().expect("a key"))), "{signed}");
    server.assert_audit_clean();
}

#[test]
fn a_subscription_ends_with_its_session_or_by_its_user() {
    let (server, service) = (site(), Service::start(201));
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let [phone, laptop, tablet] = ["phone", "laptop", "tablet"].map(|name| service.endpoint(name));
    let other = server.client();
    let credentials = json!({"email": "ann@example.com", "password": "secret"});
    other.post("/api/auth/login", credentials.clone()).ok(200);
    subscribe(&ann, &phone);
    subscribe(&other, &laptop);
    subscribe(&other, &tablet);
    let listed = ann.get(PATH).ok(200);
    let id = listed["subscriptions"][2]["id"].as_str().expect("an id").to_owned();
    assert_eq!(listed["subscriptions"][2]["isCurrent"], json!(false));
    let end = |client: &Client| client.page("DELETE", &format!("{PATH}/{id}"), None);
    end(&bob).problem(404, "push_subscription_not_found");
    end(&ann).ok(200);
    end(&ann).problem(404, "push_subscription_not_found");
    assert_eq!(endpoints(&ann), [json!(phone), json!(laptop)]);
    other.post("/api/auth/logout", json!({})).ok(200);
    assert_eq!(endpoints(&ann), [json!(phone)], "the session of the laptop has ended");
    ann.page("DELETE", PATH, Some(&json!({"endpoint": phone}))).ok(200);
    assert_eq!(endpoints(&ann), Vec::<Value>::new());
    ann.post(&format!("{PATH}/test"), json!({})).problem(404, "push_subscription_not_found");

    // An admin resets the password of a stolen account.
    subscribe(&ann, &phone);
    let root = server.admin("root");
    root.post("/api/admin/reset-password", json!({"userEmail": "ann@example.com"})).ok(200);
    let left = server.database.rows("destinations WHERE channel = 'push'");
    assert_eq!(left, 0, "the thief's browser gets nothing more");
    assert_eq!(service.seen().len(), 0);
    server.assert_audit_clean();
}

#[test]
fn a_browser_that_has_unsubscribed_is_removed() {
    for status in [404, 410] {
        let (server, service) = (site(), Service::start(status));
        let ann = server.user("ann");
        subscribe(&ann, &service.endpoint("gone"));
        ann.post(&format!("{PATH}/test"), json!({})).ok(200);
        let removed = || endpoints(&ann).is_empty().then_some(());
        eventually("a removal", Duration::from_secs(30), removed);
        let told = ann.get("/api/notifications").ok(200);
        assert_eq!(told[0]["title"], "Push Messages Stopped", "{told}");
        server.assert_audit_clean();
    }
}

/// Without the operator's option, users cannot make the server call its own network.
#[test]
fn private_addresses_need_the_option() {
    let (server, service) = (Server::start(), Service::start(201));
    let ann = server.user("ann");
    let endpoint = service.endpoint("a");
    for wrong in [endpoint.clone(), endpoint.replace("http:", "https:"), "https://10.0.0.1".to_owned()] {
        ann.post(PATH, subscription(&wrong)).invalid(&["endpoint"]);
    }
    let mut without_keys = subscription("https://push.example");
    without_keys["keys"] = json!({"p256dh": 1});
    ann.post(PATH, without_keys).invalid(&["keys"]);
    // A name is only judged when it is resolved.
    subscribe(&ann, &endpoint.replace("http://127.0.0.1", "https://localhost"));
    ann.post(&format!("{PATH}/test"), json!({})).ok(200);
    let refused = "deliveries WHERE channel = 'push' AND last_error LIKE '%not on the public internet%'";
    let attempt = || (server.database.rows(refused) == 1).then_some(());
    eventually("a refused attempt", Duration::from_secs(30), attempt);
    assert_eq!(service.seen().len(), 0);
}
