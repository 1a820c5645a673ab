//! The real LNbits servers of `just lnbits-up`, for tests. The site has a wallet on one server, and a customer has a
//! wallet on the other server. The site's server uses another wallet on the customer's server as its Lightning node. A
//! relay between two programs can lose messages.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};

use bolts_testkit::free_port;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Client, eventually};
use crate::sats::{WHILE, sats};

/// The LNbits servers. Dropping the value ends the servers, even if the test fails.
pub(crate) struct Lnbits {
    process: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    pub(crate) site: Wallet,
    pub(crate) customer: Wallet,
    /// The wallet on the customer's server that is the node of the site's server.
    pub(crate) node: Wallet,
    data: TempDir,
}

impl Lnbits {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the servers with a relay between the site's server and its node.
    pub(crate) fn start_with_link() -> (Self, Relay) {
        let (hub, link) = (free_port().to_string(), Relay::start());
        link.lead_to(&format!("http://127.0.0.1:{hub}"));
        (Self::start_with(&["--hub-port", &hub, "--node-url", &link.url]), link)
    }

    fn start_with(further: &[&str]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let python = root.join("target/lnbits/bin/python");
        assert!(python.exists(), "LNbits is not installed: run 'just lnbits'");
        let data = TempDir::new().expect("a temporary folder");
        let mut process = Command::new(python)
            .arg("-B")
            .arg(root.join("crates/app/tests/lnbits/network.py"))
            .args(["up", "--data"])
            .arg(data.path().join("lnbits"))
            .args(further)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("LNbits starts");
        let commands = process.stdin.take().expect("standard input");
        let mut answers = BufReader::new(process.stdout.take().expect("standard output"));
        let wallets = line(&mut answers);
        let [site, customer, node] = ["site", "customer", "node"].map(|name| Wallet::of(&wallets[name]));
        Self { process, commands, answers, site, customer, node, data }
    }

    /// Removes payments that LNbits keeps as pending although its node does not know them. An operator does the same:
    /// stops LNbits, sets the records to `failed`, and starts LNbits (docs/lightning.md).
    pub(crate) fn fail_pending_payments<'a>(&mut self, payment_hashes: impl IntoIterator<Item = &'a String>) {
        self.tell("stop site");
        let file = self.data.path().join("lnbits/site/database.sqlite3");
        let mut database =
            SqliteConnection::establish(&file.display().to_string()).expect("LNbits' database");
        for hash in payment_hashes {
            let sql = format!(
                "UPDATE apipayments SET status = 'failed' WHERE payment_hash = '{hash}' AND amount < 0 AND status = 'pending'"
            );
            assert_eq!(diesel::sql_query(sql).execute(&mut database), Ok(1), "{hash}");
        }
        drop(database);
        self.tell("start site");
    }

    /// The customer pays a deposit for a user of a site. Waits until the deposit is credited.
    pub(crate) fn deposit(&self, user: &Client, amount: i64) {
        let before = sats(user);
        let made = user.post("/api/deposit/create-invoice", json!({"amount": amount})).ok(201);
        self.customer.pay(made["lightningInvoice"].as_str().expect("an invoice"));
        // A poll of the page asks LNbits at once.
        let path = format!("/api/deposit/check-status/{}", made["invoiceId"].as_str().expect("an id"));
        let is_paid = || user.get(&path).ok(200)["paid"].as_bool().filter(|paid| *paid);
        eventually("the deposit is credited", WHILE, is_paid);
        assert_eq!(sats(user), before + amount);
    }

    /// Sends a command to the Python program and waits until the command is done. A command is `kill`, `stop`, `start`,
    /// `pause` or `resume`, followed by a server (`site` or `customer`).
    pub(crate) fn tell(&mut self, command: &str) {
        writeln!(self.commands, "{command}").expect("LNbits listens");
        assert_eq!(line(&mut self.answers), json!({"done": command}));
    }
}

fn line(from: &mut impl BufRead) -> Value {
    let mut text = String::new();
    from.read_line(&mut text).expect("a line of LNbits");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

impl Drop for Lnbits {
    fn drop(&mut self) {
        // The Python program ends its servers before it ends. Errors are ignored here, because they could hide the
        // failure of a test.
        let asked = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        drop(asked);
        drop(self.process.wait());
    }
}

/// A wallet on an LNbits server.
#[derive(Clone)]
pub(crate) struct Wallet {
    pub(crate) url: String,
    pub(crate) admin_key: String,
    pub(crate) invoice_key: String,
    /// The Lightning address of the wallet.
    pub(crate) address: String,
}

impl Wallet {
    fn of(json: &Value) -> Self {
        let text = |name: &str| json[name].as_str().unwrap_or_else(|| panic!("{name} in {json}")).to_owned();
        let [url, admin_key] = ["url", "admin_key"].map(text);
        Self { url, admin_key, invoice_key: text("invoice_key"), address: text("address") }
    }

    /// A new, empty wallet on the same server. Payments between the two wallets do not leave the server.
    pub(crate) fn neighbour(&self) -> Self {
        let made = Client::new(&self.url).post("/api/v1/account", json!({"name": "neighbour"})).ok(200);
        let text = |name: &str| made[name].as_str().expect("a key").to_owned();
        let (admin_key, invoice_key) = (text("adminkey"), text("inkey"));
        let wallet = Self { url: self.url.clone(), admin_key, invoice_key, address: String::new() };
        // If a currency were set, LNbits would ask a server for exchange rates.
        wallet.call("PATCH", "/api/v1/wallet", Some(json!({"currency": ""})));
        wallet
    }

    fn call(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let headers = [("X-Api-Key", self.admin_key.as_str()), ("Content-Type", "application/json")];
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let answer = Client::new(&self.url).send(method, path, &headers, &body);
        (answer.status, answer.json())
    }

    /// A new invoice for this number of sats.
    pub(crate) fn invoice(&self, sats: i64) -> String {
        let wanted = json!({"out": false, "amount": sats, "memo": "Winnings"});
        let (status, made) = self.call("POST", "/api/v1/payments", Some(wanted));
        assert_eq!(status, 201, "{made}");
        made["bolt11"].as_str().expect("an invoice").to_owned()
    }

    /// Pays an invoice and asserts success.
    pub(crate) fn pay(&self, invoice: &str) {
        let (status, paid) =
            self.call("POST", "/api/v1/payments", Some(json!({"out": true, "bolt11": invoice})));
        assert_eq!((status, &paid["status"]), (201, &json!("success")), "{paid}");
    }

    /// Whether the wallet has a record of this payment or invoice.
    pub(crate) fn knows(&self, payment_hash: &str) -> bool {
        match self.call("GET", &format!("/api/v1/payments/{payment_hash}"), None) {
            (200, _) => true,
            (404, _) => false,
            other => panic!("{other:?}"),
        }
    }

    /// Whether the wallet has received the sats of its invoice, or has made the payment, with this payment hash.
    pub(crate) fn has_completed(&self, payment_hash: &str) -> bool {
        match self.call("GET", &format!("/api/v1/payments/{payment_hash}"), None) {
            (200, payment) => payment["paid"].as_bool().unwrap_or_else(|| panic!("{payment}")),
            (404, _) => false,
            other => panic!("{other:?}"),
        }
    }

    /// The balance in sats.
    pub(crate) fn balance(&self) -> i64 {
        let (status, wallet) = self.call("GET", "/api/v1/wallet", None);
        assert_eq!(status, 200, "{wallet}");
        wallet["balance"].as_i64().expect("a balance in millisats") / 1_000
    }

    /// The options for `bolts serve` with this wallet, with `url` as the address of LNbits.
    pub(crate) fn options(&self, url: &str) -> Vec<String> {
        let keys = ["--lnbits-admin-key", &self.admin_key, "--lnbits-invoice-key", &self.invoice_key];
        let all = ["--lightning", "lnbits", "--lnbits-url", url].into_iter().chain(keys);
        all.map(str::to_owned).collect()
    }
}

/// The messages that a relay loses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// None.
    Nothing,
    /// The webhooks that report a paid invoice.
    Webhooks,
    /// The requests for the list of payments.
    Lists,
    /// The answers to requests that pay an invoice.
    PaymentAnswers,
    /// The answers to all requests. LNbits carries out the requests.
    Answers,
}

/// A relay that forwards connections. Each connection has one request.
pub(crate) struct Relay {
    pub(crate) url: String,
    told: Arc<Mutex<Told>>,
    open: Arc<Mutex<Vec<Weak<TcpStream>>>>,
}

/// The target of a relay (none at first), and the messages that it loses.
#[derive(Clone, Copy)]
struct Told {
    target: Option<SocketAddr>,
    loss: Loss,
}

impl Relay {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let told = Arc::new(Mutex::new(Told { target: None, loss: Loss::Nothing }));
        let open = Arc::new(Mutex::new(Vec::new()));
        let (theirs, opened) = (told.clone(), open.clone());
        // Both threads end with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (told, stream) = (*theirs.lock().expect("no panic"), Arc::new(stream));
                opened.lock().expect("no panic").push(Arc::downgrade(&stream));
                std::thread::spawn(move || told.pass(&stream));
            }
        });
        Self { url, told, open }
    }

    /// Sets the target of new connections.
    pub(crate) fn lead_to(&self, url: &str) {
        let address = url.strip_prefix("http://").and_then(|address| address.parse().ok());
        self.told.lock().expect("no panic").target = Some(address.expect("an address"));
    }

    /// Sets the messages to lose on new connections.
    pub(crate) fn lose(&self, loss: Loss) {
        self.told.lock().expect("no panic").loss = loss;
    }

    /// Ends all connections.
    pub(crate) fn disconnect(&self) {
        for stream in self.open.lock().expect("no panic").drain(..).filter_map(|stream| stream.upgrade()) {
            // The connection may have ended.
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

impl Told {
    /// Forwards one connection. After any error the relay closes the connection.
    fn pass(self, mut near: &TcpStream) -> Option<()> {
        let mut first = [0; 4096];
        let length = near.read(&mut first).ok()?;
        let first = first.get(..length)?;
        let loses = |loss, request: &str| self.loss == loss && first.starts_with(request.as_bytes());
        if loses(Loss::Webhooks, "POST /api/deposit/webhook/") {
            return None;
        }
        if loses(Loss::Lists, "GET /api/v1/payments?") {
            return None;
        }
        let mut far = TcpStream::connect(self.target?).ok()?;
        // The server closes the connection after its answer. Otherwise the relay would not see the next request.
        let (line, rest) = first.split_at(first.windows(2).position(|pair| pair == b"\r\n")?);
        far.write_all(&[line, b"\r\nConnection: close", rest].concat()).ok()?;
        let (mut from_near, mut to_far) = (near.try_clone().ok()?, far.try_clone().ok()?);
        std::thread::spawn(move || {
            drop(std::io::copy(&mut from_near, &mut to_far));
            drop(to_far.shutdown(Shutdown::Write));
        });
        if loses(Loss::PaymentAnswers, "POST /api/v1/payments") || self.loss == Loss::Answers {
            // When the answer begins, the server has carried out the request.
            far.read_exact(&mut [0]).ok()?;
        } else {
            std::io::copy(&mut far, &mut near).ok()?;
        }
        near.shutdown(Shutdown::Both).ok()
    }
}
