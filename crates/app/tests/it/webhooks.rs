//! Webhooks of the real binary to a real socket.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_testkit::provider::{Reply, Request, Server as Receiver};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, eventually, new_bet};
use crate::secrets;

const PATH: &str = "/api/notifications/webhook";

/// A server of a user, which keeps all requests.
struct Hook {
    server: Receiver,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Hook {
    /// Answers with the statuses in turn, and with 200 after them.
    fn start(statuses: &[u16]) -> Self {
        let seen = Arc::new(Mutex::new(Vec::<Request>::new()));
        let (kept, statuses) = (seen.clone(), statuses.to_vec());
        let server = Receiver::start(None, move |request| {
            let mut kept = kept.lock().expect("no panic");
            kept.push(request.clone());
            Reply::json(statuses.get(kept.len() - 1).copied().unwrap_or(200), &Value::Null)
        });
        Self { server, seen }
    }

    fn url(&self) -> String {
        format!("{}/hook", self.server.url())
    }

    fn seen(&self) -> Vec<Request> {
        self.seen.lock().expect("no panic").clone()
    }

    /// The first event of this kind, once it has arrived.
    fn event(&self, kind: &str) -> Request {
        let find = || self.seen().into_iter().find(|request| request.body["type"] == kind);
        eventually(kind, Duration::from_secs(30), find)
    }
}

fn site() -> Server {
    Server::start_with(&["--webhook-allow-private"])
}

fn put(client: &Client, url: &str) -> Answer {
    client.page("PUT", PATH, Some(&json!({"url": url})))
}

#[test]
fn a_webhook_gets_signed_events_without_content() {
    let (server, hook) = (site(), Hook::start(&[]));
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    assert_eq!(ann.get(PATH).ok(200), json!({"url": null, "since": null, "stopped": null}));
    let stored = put(&ann, &hook.url()).ok(200);
    let secret = stored["secret"].as_str().expect("a secret").to_owned();
    secrets::note(&secret, "secret of a webhook");
    let shown = ann.get(PATH).ok(200);
    assert_eq!((&shown["url"], &shown["stopped"]), (&json!(hook.url()), &Value::Null));
    assert!(!shown.to_string().contains("whsec_"), "the secret is shown once: {shown}");
    assert_eq!(ann.get("/api/notifications/preferences").ok(200)["webhookUrl"], json!(hook.url()));
    assert_eq!(bob.get(PATH).ok(200)["url"], Value::Null, "of ann alone");

    ann.post(&format!("{PATH}/test"), json!({})).ok(200);
    let test = hook.event("test");
    let key = standardwebhooks::Webhook::new(&secret).expect("a key");
    let header = |name| test.header(name).expect("a header").to_owned();
    let at = header("webhook-timestamp").parse().expect("seconds");
    let signature = key.sign(&header("webhook-id"), at, &test.raw).expect("signed");
    assert_eq!(header("webhook-signature"), signature);

    let wanted = json!({"stakeAmount": 1, "title": "Nobody may read this", "isPrivate": true});
    let bet = ann.post("/api/bets", new_bet(wanted)).ok(201);
    let link = json!({"shareToken": bet["shareToken"], "option": "B"});
    bob.post("/api/bets/accept", link).ok(200);
    let accepted = hook.event("bet_accepted");
    assert_eq!(accepted.body["data"]["betId"], bet["id"]);
    let sent = String::from_utf8(accepted.raw).expect("text");
    assert!(!sent.contains("Nobody may read this") && !sent.contains("bob"), "{sent}");
    server.assert_audit_clean();
}

#[test]
fn a_receiver_that_is_gone_gets_nothing_more_until_its_user_sets_it_again() {
    let (server, hook) = (site(), Hook::start(&[410]));
    let ann = server.user("ann");
    put(&ann, &hook.url()).ok(200);
    ann.post(&format!("{PATH}/test"), json!({})).ok(200);
    let stopped = || ann.get(PATH).ok(200)["stopped"].as_str().map(str::to_owned);
    assert_eq!(eventually("a stop", Duration::from_secs(30), stopped), "status 410");
    let told = ann.get("/api/notifications").ok(200);
    assert_eq!(told[0]["title"], "Webhook Stopped", "{told}");
    ann.post(&format!("{PATH}/test"), json!({})).problem(404, "webhook_not_found");
    put(&ann, &hook.url()).ok(200);
    ann.post(&format!("{PATH}/test"), json!({})).ok(200);
    eventually("a second test", Duration::from_secs(30), || (hook.seen().len() == 2).then_some(()));
    ann.page("DELETE", PATH, None).ok(200);
    assert_eq!(ann.get(PATH).ok(200)["url"], Value::Null);
    ann.page("DELETE", PATH, None).ok(200);
    server.assert_audit_clean();
}

/// Without the operator's option, users cannot make the server call its own network.
#[test]
fn private_addresses_need_the_option() {
    let (server, hook) = (Server::start(), Hook::start(&[]));
    let ann = server.user("ann");
    for url in [hook.url(), hook.url().replace("http:", "https:"), "https://10.0.0.1".to_owned()] {
        put(&ann, &url).invalid(&["url"]);
    }
    // A name is only judged when it is resolved.
    put(&ann, &hook.url().replace("http://127.0.0.1", "https://localhost")).ok(200);
    ann.post(&format!("{PATH}/test"), json!({})).ok(200);
    let refused = "deliveries WHERE channel = 'webhook' AND last_error LIKE '%not on the public internet%'";
    let attempt = || (server.database.rows(refused) == 1).then_some(());
    eventually("a refused attempt", Duration::from_secs(30), attempt);
    assert_eq!(hook.seen().len(), 0);
}

const CHOICES: &str = "/api/notifications/preferences";

/// The address of the webhook is one of the choices. It is set, kept and removed together with the others.
#[test]
fn the_choices_set_keep_and_remove_the_webhook() {
    let (server, hook) = (site(), Hook::start(&[]));
    let ann = server.user("ann");
    let change = |body: Value| ann.page("PUT", CHOICES, Some(&body));
    let shown = || ann.get(CHOICES).ok(200);
    let first = change(json!({"webhookUrl": hook.url(), "digest": "weekly"})).ok(200);
    let secret = first["webhookSecret"].as_str().expect("a secret").to_owned();
    secrets::note(&secret, "secret of a webhook");
    assert_eq!((&first["webhookUrl"], &first["digest"]), (&json!(hook.url()), &json!("weekly")));
    assert!(shown().get("webhookSecret").is_none(), "the secret is shown once");
    let since = ann.get(PATH).ok(200)["since"].clone();

    // A program that stores the whole document again must not lose the secret.
    let again = change(shown()).ok(200);
    assert_eq!(again, shown());
    let again = change(json!({"webhookUrl": format!(" {} ", hook.url()), "digest": "off"})).ok(200);
    assert_eq!((again.get("webhookSecret"), &again["digest"]), (None, &json!("off")));
    assert_eq!(ann.get(PATH).ok(200)["since"], since);
    assert_eq!(change(json!({"timeZone": "Asia/Kolkata"})).ok(200)["webhookUrl"], json!(hook.url()));
    ann.post(&format!("{PATH}/test"), json!({})).ok(200);
    let (test, key) = (hook.event("test"), standardwebhooks::Webhook::new(&secret).expect("a key"));
    let header = |name| test.header(name).expect("a header").to_owned();
    let at = header("webhook-timestamp").parse().expect("seconds");
    let signature = key.sign(&header("webhook-id"), at, &test.raw).expect("signed");
    assert_eq!(header("webhook-signature"), signature, "the first secret counts still");

    let before = shown();
    for bad in ["https://10.0.0.1/?a=1#b", "http://hook.example", "nonsense", ""] {
        change(json!({"webhookUrl": bad, "digest": "daily"})).invalid(&["webhookUrl"]);
    }
    change(json!({"webhookUrl": 5})).invalid(&["webhookUrl"]);
    change(json!({"webhookUrl": "https://hook.example", "digest": "hourly"})).invalid(&["digest"]);
    assert_eq!(shown(), before, "a refused change changes nothing");

    let other = change(json!({"webhookUrl": "https://hook.example"})).ok(200);
    assert_eq!(other["webhookUrl"], "https://hook.example/");
    secrets::note(other["webhookSecret"].as_str().expect("a secret"), "secret of a webhook");
    assert_ne!(other["webhookSecret"], json!(secret), "another receiver must not know the old secret");
    let removed = change(json!({"webhookUrl": null, "showsPrivateTitles": true})).ok(200);
    assert_eq!((&removed["webhookUrl"], &removed["showsPrivateTitles"]), (&Value::Null, &json!(true)));
    assert_eq!(ann.get(PATH).ok(200)["url"], Value::Null);
    change(json!({"webhookUrl": null})).ok(200);
    server.assert_audit_clean();
}
