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
    let lifted = ["--signups-per-hour", "0", "--signins-per-minute", "0"];
    Server::start_with(&[&lifted[..], &["--webhook-allow-private"]].concat())
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
