//! Tests of the real binary with real sats. The provider is scripted: it gives wrong answers, breaks connections and
//! loses records.

mod caps;
mod crashes;
mod deposits;
mod identity;
mod refusals;
mod settling;
mod stops;
mod together;
mod unknown;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bolts_testkit::free_port;
use bolts_testkit::provider::{ADMIN_KEY, Call, INVOICE_KEY, Kind, MACAROON, Made, Provider, Wanted, now};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::database::Database;
pub(crate) use crate::wallet::{sats, withdraw as try_withdraw};

use crate::harness::{Client, Server, eventually};

/// Runs a test with both providers in parallel, because a test mostly waits.
pub(crate) fn both(test: impl Fn(Kind) + Sync) {
    std::thread::scope(|scope| {
        for kind in Kind::ALL {
            let test = &test;
            scope.spawn(move || test(kind));
        }
    });
}

/// A time limit that allows for several time-outs, for growing intervals between look-ups, and for other tests at the
/// same time.
pub(crate) const WHILE: Duration = Duration::from_secs(90);

/// A site with real sats, and its provider.
pub(crate) struct Site {
    pub(crate) server: Server,
    pub(crate) provider: Provider,
    files: TempDir,
}

impl Site {
    pub(crate) fn start(kind: Kind) -> Self {
        Self::start_with(kind, &[])
    }

    /// Starts a site with further options of `serve`. Returns after the first clean check of the provider. Before that check,
    /// each request for a withdrawal looks up its payment.
    pub(crate) fn start_with(kind: Kind, further: &[&str]) -> Self {
        let provider = Provider::start(kind);
        let files = TempDir::new().expect("a temporary folder");
        let mut arguments = provider_options(&provider, files.path());
        for option in further.iter().filter(|argument| argument.starts_with("--")) {
            // Options of a test replace the default options.
            if let Some(usual) = arguments.iter().position(|argument| argument == option) {
                arguments.drain(usual..usual + 2);
            }
        }
        arguments.extend(further.iter().map(|argument| (*argument).to_owned()));
        let server = Server::on(Arc::new(Database::new()), arguments);
        let is_waiting = || server.client().get("/api/config").ok(200)["withdrawalsWaiting"] == true;
        eventually("the first check is clean", WHILE, || (!is_waiting()).then_some(()));
        Self { server, provider, files }
    }

    /// Starts a site with metrics. Also returns a client that reads them.
    pub(crate) fn start_with_metrics(kind: Kind) -> (Self, Client) {
        let bind = format!("127.0.0.1:{}", free_port());
        (Self::start_with(kind, &["--metrics-bind", &bind]), Client::new(&format!("http://{bind}")))
    }

    /// A user with this number of sats, at most 50,000.
    pub(crate) fn user(&self, name: &str, sats: i64) -> Client {
        let user = self.server.user(name);
        if sats > 0 {
            let deposit = self.deposit(&user, sats);
            self.provider.receive(&deposit.hash, sats * 1_000);
            eventually("the deposit is credited", WHILE, || deposit.is_paid(&user).then_some(()));
        }
        user
    }

    /// A deposit invoice of the user. On a busy machine the provider may answer after the time-out, and the user is told
    /// to try again.
    pub(crate) fn deposit(&self, user: &Client, sats: i64) -> Deposit {
        let ask = || {
            let answer = user.post("/api/deposit/create-invoice", json!({"amount": sats}));
            (answer.status != 503).then_some(answer)
        };
        let made = eventually("the provider makes an invoice", WHILE, ask).ok(201);
        let invoice = made["lightningInvoice"].as_str().expect("an invoice").to_owned();
        let hash = self.provider.books(|books| books.hash_of(&invoice)).expect("the provider knows it");
        Deposit { id: made["invoiceId"].as_str().expect("an id").to_owned(), invoice, hash }
    }

    /// An invoice of another node for this number of sats.
    pub(crate) fn invoice(&self, sats: u64) -> Made {
        self.provider.invoice(&Wanted::sats(sats))
    }

    /// Compares the provider's list with `withdrawals` or `deposits`. Returns the exit status and the output.
    pub(crate) fn reconcile(&self, side: &str, further: &[&str]) -> (Option<i32>, String) {
        let options = provider_options(&self.provider, self.files.path());
        let arguments = [side, "reconcile"].into_iter().chain(further.iter().copied());
        let arguments: Vec<&str> = arguments.chain(options.iter().map(String::as_str)).collect();
        let output = self.server.command(&arguments);
        let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
        (output.status.code(), said)
    }

    /// Asserts that the site is consistent after all withdrawals have ended.
    pub(crate) fn assert_sound(&self) {
        self.server.assert_audit_clean();
        assert!(!self.provider.books(|books| books.has_double_payment()), "something was paid twice");
    }
}

/// The options that name the provider.
fn provider_options(provider: &Provider, files: &Path) -> Vec<String> {
    let write = |name: &str, content: &[u8]| {
        let path = files.join(name);
        std::fs::write(&path, content).expect("a file");
        path.display().to_string()
    };
    let (url, mut options) = (provider.url(), vec![]);
    let named: Vec<(&str, String)> = match provider.kind() {
        Kind::Lnbits => vec![
            ("--lightning", "lnbits".to_owned()),
            ("--lnbits-url", url),
            ("--lnbits-admin-key", ADMIN_KEY.to_owned()),
            ("--lnbits-invoice-key", INVOICE_KEY.to_owned()),
        ],
        Kind::Lnd => {
            let certificate = provider.certificate_pem().expect("a certificate");
            let macaroon = hex::decode(MACAROON).expect("hexadecimal");
            vec![
                ("--lightning", "lnd".to_owned()),
                ("--lnd-url", url),
                ("--lnd-macaroon-file", write("admin.macaroon", &macaroon)),
                ("--lnd-tls-cert-file", write("tls.cert", certificate.as_bytes())),
            ]
        }
    };
    for (option, value) in named {
        options.extend([option.to_owned(), value]);
    }
    // The time-outs are short, so that tests do not take minutes, but long enough for a busy machine.
    for (option, value) in [("--lightning-timeout", "2s"), ("--withdrawal-patience", "1s")] {
        options.extend([option.to_owned(), value.to_owned()]);
    }
    options
}

/// The invoice of a deposit.
pub(crate) struct Deposit {
    pub(crate) id: String,
    pub(crate) invoice: String,
    pub(crate) hash: String,
}

impl Deposit {
    pub(crate) fn status(&self, user: &Client) -> Value {
        user.get(&format!("/api/deposit/check-status/{}", self.id)).ok(200)
    }

    pub(crate) fn is_paid(&self, user: &Client) -> bool {
        self.status(user)["paid"] == true
    }
}

/// Requests a withdrawal, which must be accepted. Returns its id.
pub(crate) fn withdraw(user: &Client, made: &Made) -> String {
    let taken = try_withdraw(user, &made.text).ok(201);
    taken["id"].as_str().expect("an id").to_owned()
}

/// The withdrawal as its user sees it.
pub(crate) fn see(user: &Client, id: &str) -> Value {
    user.get(&format!("/api/withdrawals/{id}")).ok(200)
}

/// Waits until the withdrawal has this status, and returns it.
pub(crate) fn until(user: &Client, id: &str, status: &str) -> Value {
    eventually(&format!("{id} is {status}"), WHILE, || {
        Some(see(user, id)).filter(|withdrawal| withdrawal["status"] == status)
    })
}

/// The operator settles a withdrawal in spite of the provider's answer.
pub(crate) fn settle(site: &Site, id: &str, outcome: &str) {
    let words = [id, outcome, "--reason", "looked it up", "--despite", "it is not in the wallet's own list"];
    let settled = site.server.settle_when_possible(&words);
    assert!(settled.status.success(), "{settled:?}");
}

/// Waits until every withdrawal has ended or waits for the operator. Only with LNbits a withdrawal waits for the
/// operator. Returns the waiting withdrawals. Asserts that each paid withdrawal was paid once, and that no other was
/// paid.
pub(crate) fn come_to_rest(site: &Site, users: &[Client]) -> Vec<Value> {
    let all_of = |user: &Client| {
        let all = user.get("/api/withdrawals?limit=100").ok(200);
        all.as_array().expect("a list").clone()
    };
    let hash = |withdrawal: &Value| withdrawal["paymentHash"].as_str().expect("a hash").to_owned();
    let asked = |hash: &str| site.provider.calls_for(hash, Call::LookUpPayment);
    let before: BTreeMap<String, usize> = users
        .iter()
        .flat_map(all_of)
        .map(|withdrawal| (hash(&withdrawal), asked(&hash(&withdrawal))))
        .collect();
    let is_at_rest = |withdrawal: &Value| match withdrawal["status"].as_str() {
        Some("paid" | "refunded") => true,
        // LNbits does not know the payment. After two further look-ups it is certain that look-ups lead to no result.
        Some("sending") if site.provider.kind() == Kind::Lnbits => {
            let hash = hash(withdrawal);
            !site.provider.books(|books| books.payments.contains_key(&hash))
                && asked(&hash) >= before[&hash] + 2
        }
        _ => false,
    };
    let mut left = vec![];
    for user in users {
        let all = eventually("the user's withdrawals come to rest", WHILE, || {
            Some(all_of(user)).filter(|all| all.iter().all(is_at_rest))
        });
        for withdrawal in all {
            let times = site.provider.books(|books| books.times_paid(&hash(&withdrawal)));
            assert_eq!(times, u32::from(withdrawal["status"] == "paid"), "{withdrawal}");
            left.extend((withdrawal["status"] == "sending").then_some(withdrawal));
        }
    }
    left
}

/// Moves the start of all withdrawals in `sending` back by this number of hours.
pub(crate) fn age(site: &Site, hours: u32) {
    let since = (now() - hours * Duration::from_secs(3_600)).as_micros();
    let sent = format!("UPDATE withdrawals SET first_attempt_at = {since} WHERE status = 'sending'");
    site.server.database.execute(&sent);
}
