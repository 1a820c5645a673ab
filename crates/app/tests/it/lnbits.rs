//! Deposits and withdrawals of sats with real LNbits servers. These servers make every payment of the tests.

use std::time::{Duration, Instant};

use bolts_lightning::decode;
use serde_json::{Value, json};

use crate::database::Database;
use crate::harness::{Client, Server, at_best_within, binary, eventually};
use crate::lnbits_server::{Lnbits, Loss, Relay};

/// More time than any step needs, even on a busy machine.
const SOON: Duration = Duration::from_secs(60);

/// The server under test, its provider, and the relays around it.
struct Site {
    lnbits: Lnbits,
    server: Server,
    /// The relay between the server and LNbits.
    inner: Relay,
    /// The relay between the server and its callers: users, and LNbits with its webhooks.
    outer: Relay,
}

impl Site {
    fn start() -> Self {
        let (lnbits, inner, outer) = (Lnbits::start(), Relay::start(), Relay::start());
        inner.lead_to(&lnbits.site.url);
        let mut options = lnbits.site.options(&inner.url);
        let further = ["--public-url", &outer.url, "--lnurl-allow-private", "--withdrawal-patience", "2s"];
        options.extend(further.map(str::to_owned));
        let server = Server::on(Database::new().into(), options);
        outer.lead_to(&server.base);
        Self { lnbits, server, inner, outer }
    }

    /// A new user.
    fn user(&self, name: &str) -> User {
        let client = Client::new(&self.outer.url);
        client.register(&format!("{name}@example.com"));
        User(client)
    }

    /// A new user who has deposited this number of sats.
    fn user_with(&self, name: &str, sats: i64) -> User {
        let user = self.user(name);
        let deposit = user.deposit(sats);
        self.lnbits.customer.pay(&deposit.invoice);
        eventually("the deposit is credited", SOON, || {
            deposit.status(&user)["paid"].as_bool().filter(|paid| *paid)
        });
        user
    }

    /// Moves the next look-up of the deposit by the server itself to an hour after its creation.
    fn waits_with_its_look_up_of(&self, deposit: &Deposit) {
        self.server.database.execute(&format!(
            "UPDATE deposits SET checks = 12, next_check_at = created_at + 3600000000 WHERE id = '{}'",
            deposit.id
        ));
    }

    /// Starts a new server process. The old process must have ended.
    fn restart(&mut self) {
        self.server.restart();
        self.outer.lead_to(&self.server.base);
    }

    /// Books all payments that the database does not know as the operator's own payments.
    fn owns_its_payments(&self) {
        let options = self.lnbits.site.options(&self.lnbits.site.url);
        let reconcile = |side, further: &[&str]| {
            let arguments = [&[side, "reconcile"], further].concat();
            let arguments: Vec<&str> =
                arguments.into_iter().chain(options.iter().map(String::as_str)).collect();
            self.server.command(&arguments)
        };
        // A payment is noted only after the deposits were compared.
        reconcile("deposits", &[]);
        let differing = reconcile("withdrawals", &[]);
        for line in String::from_utf8_lossy(&differing.stdout).lines() {
            let hash = line.split_whitespace().next().filter(|word| word.len() == 64);
            if let Some(hash) = hash {
                reconcile("withdrawals", &[hash, "--own", "--reason", "It was spent."]);
            }
        }
        for side in ["withdrawals", "deposits"] {
            let output = reconcile(side, &[]);
            assert!(output.status.success(), "{output:?}");
        }
    }

    fn operator(&self, arguments: &[&str]) -> String {
        let output = self.server.command(arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

struct User(Client);

struct Deposit {
    id: String,
    invoice: String,
}

impl Deposit {
    fn status(&self, user: &User) -> Value {
        user.0.get(&format!("/api/deposit/check-status/{}", self.id)).ok(200)
    }
}

impl User {
    fn sats(&self) -> i64 {
        self.0.get("/api/auth/user").ok(200)["satsBalance"].as_i64().expect("a number")
    }

    /// Waits until the user has this balance. Reads no deposit, because such a request would make the server ask
    /// LNbits.
    fn comes_to(&self, sats: i64) {
        eventually(&format!("{sats} sats"), SOON, || (self.sats() == sats).then_some(()));
    }

    fn deposit(&self, sats: i64) -> Deposit {
        let asked = self.0.post("/api/deposit/create-invoice", json!({"amount": sats})).ok(201);
        assert_eq!((&asked["amount"], &asked["isTestMode"]), (&json!(sats), &json!(false)), "{asked}");
        let text =
            |name: &str| asked[name].as_str().unwrap_or_else(|| panic!("{name} in {asked}")).to_owned();
        Deposit { id: text("invoiceId"), invoice: text("lightningInvoice") }
    }

    /// Requests a withdrawal, asserts that its status is `held`, and returns its id.
    fn withdraw(&self, to: Value) -> String {
        let mut wanted = to;
        wanted["password"] = json!("secret");
        let held = self.0.post("/api/withdrawals", wanted).ok(201);
        assert_eq!(held["status"], "held", "{held}");
        held["id"].as_str().expect("an id").to_owned()
    }

    fn withdrawal(&self, id: &str) -> Value {
        self.0.get(&format!("/api/withdrawals/{id}")).ok(200)
    }

    /// Waits until the withdrawal has this status, and returns it.
    fn sees(&self, id: &str, status: &str) -> Value {
        eventually(status, SOON, || {
            Some(self.withdrawal(id)).filter(|withdrawal| withdrawal["status"] == status)
        })
    }

    /// The movements of this user's sats, oldest first.
    fn history(&self) -> Vec<(String, i64)> {
        let moved = self.0.get("/api/wallet/history?limit=100").ok(200);
        let sats = moved.as_array().expect("a list").iter().rev().filter(|one| one["currency"] == "sats");
        let of = |one: &Value| Some((one["kind"].as_str()?.to_owned(), one["amount"].as_i64()?));
        sats.map(|one| of(one).expect("kind and amount")).collect()
    }
}

#[test]
fn sats_come_in_and_go_out_by_a_real_lnbits() {
    let mut site = Site::start();
    for scenario in [
        deposits_are_credited_by_polling,
        deposits_are_credited_by_webhook,
        deposits_are_credited_by_the_background_check,
        payments_that_nobody_reports_are_credited_within_15_seconds,
        a_site_that_lnbits_may_not_call_takes_deposits,
        a_withdrawal_pays_an_invoice,
        a_withdrawal_pays_a_lightning_address,
        payments_within_one_lnbits,
        refused_payments_are_refunded,
        withdrawals_pause_if_sats_of_users_are_missing,
        lnbits_is_down_for_a_while,
        the_server_is_down_for_a_while,
        a_payment_whose_answer_is_lost_is_paid_once,
        a_payment_that_hangs_waits_for_the_operator,
    ] {
        scenario(&mut site);
        site.server.assert_audit_clean();
    }
}

fn deposits_are_credited_by_polling(site: &mut Site) {
    site.outer.lose(Loss::Webhooks);
    site.inner.lose(Loss::Lists);
    let user = site.user("polling");
    let deposit = user.deposit(1_234);
    site.waits_with_its_look_up_of(&deposit);
    assert_eq!(deposit.status(&user), json!({"paid": false, "status": "pending", "credited": null}));
    site.lnbits.customer.pay(&deposit.invoice);
    eventually("paid", SOON, || deposit.status(&user)["paid"].as_bool().filter(|paid| *paid));
    assert_eq!(deposit.status(&user), json!({"paid": true, "status": "paid", "credited": 1_234}));
    assert_eq!(user.sats(), 1_234);
    site.inner.lose(Loss::Nothing);
    site.outer.lose(Loss::Nothing);
}

fn deposits_are_credited_by_webhook(site: &mut Site) {
    site.inner.lose(Loss::Lists);
    let user = site.user("webhook");
    let forged = user.deposit(5_000);
    let said = json!({"payment_hash": "00".repeat(32), "paid": true, "amount": 5_000_000});
    user.0.post(&format!("/api/deposit/webhook/{}", forged.id), said).ok(200);
    assert_eq!(user.sats(), 0, "a webhook is not believed");
    let deposit = user.deposit(2_345);
    site.waits_with_its_look_up_of(&deposit);
    site.lnbits.customer.pay(&deposit.invoice);
    user.comes_to(2_345);
    assert_eq!(user.history().len(), 1, "once, however often LNbits says so");
    site.inner.lose(Loss::Nothing);
}

fn deposits_are_credited_by_the_background_check(site: &mut Site) {
    site.outer.lose(Loss::Webhooks);
    let user = site.user("background");
    let deposit = user.deposit(50_000);
    site.lnbits.customer.pay(&deposit.invoice);
    user.comes_to(50_000);
    site.outer.lose(Loss::Nothing);
    // Neither a look-up by the page nor a webhook credits the deposit a second time.
    assert_eq!(deposit.status(&user)["credited"], 50_000);
    user.0.post(&format!("/api/deposit/webhook/{}", deposit.id), json!({})).ok(200);
    assert_eq!(user.history(), [("deposit".to_owned(), 50_000)]);
}

/// The webhook is lost, no page asks, and the next look-up of the invoice is an hour away.
fn payments_that_nobody_reports_are_credited_within_15_seconds(site: &mut Site) {
    site.outer.lose(Loss::Webhooks);
    let (user, limit, mut total) = (site.user("unreported"), Duration::from_secs(15), 0);
    let mut credited = |invoice: &str| {
        let paid = Instant::now();
        site.lnbits.customer.pay(invoice);
        total += 1_500;
        user.comes_to(total);
        paid.elapsed()
    };
    at_best_within(limit, |_| {
        let deposit = user.deposit(1_500);
        site.waits_with_its_look_up_of(&deposit);
        credited(&deposit.invoice)
    });
    // The database refuses a change of a deposit's times, so the test inserts a deposit that is 50 minutes older than
    // its invoice.
    let (young, age) = (user.deposit(1_500), 50 * 60 * 1_000_000_i64);
    at_best_within(limit, |attempt| {
        let invoice = site.lnbits.site.invoice(1_500);
        let hash = decode(&invoice).expect("an invoice").payment_hash;
        site.server.database.execute(&format!(
            "INSERT INTO deposits (id, user_id, asked, invoice, payment_hash, created_at, expires_at, status, checks, \
             next_check_at) SELECT '{attempt:032x}', user_id, asked, '{invoice}', '{hash}', created_at - {age}, \
             expires_at - {age}, status, 12, created_at + 3600000000 FROM deposits WHERE id = '{}'",
            young.id
        ));
        credited(&invoice)
    });
    site.outer.lose(Loss::Nothing);
}

/// LNbits creates no invoice with a webhook URL that its settings forbid. The settings here allow only 127.0.0.1.
fn a_site_that_lnbits_may_not_call_takes_deposits(site: &mut Site) {
    let relay = Relay::start();
    let public = relay.url.replace("127.0.0.1", "localhost");
    // This second site has its own wallet, because two sites must never share a wallet.
    let wallet = site.lnbits.site.neighbour();
    let mut options = wallet.options(&wallet.url);
    options.extend(["--public-url", &public].map(str::to_owned));
    let server = Server::on(Database::new().into(), options);
    relay.lead_to(&server.base);
    let user = User(Client::new(&public));
    user.0.register("uncalled@example.com");

    let deposit = user.deposit(4_321);
    site.lnbits.customer.pay(&deposit.invoice);
    user.comes_to(4_321);
    server.assert_audit_clean();
}

fn a_withdrawal_pays_an_invoice(site: &mut Site) {
    let user = site.user_with("withdrawing", 10_000);
    let (before, ours) = (site.lnbits.customer.balance(), site.lnbits.site.balance());
    let invoice = site.lnbits.customer.invoice(2_000);

    let id = user.withdraw(json!({"invoice": invoice}));
    let paid = user.sees(&id, "paid");

    assert_eq!(
        (&paid["amount"], &paid["feeLimit"], &paid["fee"]),
        (&json!(2_000), &json!(20), &json!(0)),
        "{paid}"
    );
    assert_eq!(paid["preimage"].as_str().map(str::len), Some(64), "{paid}");
    assert_eq!(site.lnbits.customer.balance(), before + 2_000);
    assert_eq!(site.lnbits.site.balance(), ours - 2_000);
    assert_eq!(user.sats(), 8_000);
    let moved = [("deposit", 10_000), ("hold", -2_020), ("reserve_back", 20)];
    assert_eq!(user.history(), moved.map(|(kind, amount)| (kind.to_owned(), amount)));
    // The site pays no invoice twice, and it does not pay an invoice of its own deposits.
    let again = json!({"invoice": invoice, "password": "secret"});
    user.0.post("/api/withdrawals", again).problem(409, "invoice_used");
    let own = json!({"invoice": user.deposit(500).invoice, "password": "secret"});
    user.0.post("/api/withdrawals", own).invalid(&["invoice"]);
    assert_eq!(user.sats(), 8_000);
}

fn a_withdrawal_pays_a_lightning_address(site: &mut Site) {
    let user = site.user_with("addressing", 5_000);
    let before = site.lnbits.customer.balance();
    let address = site.lnbits.customer.address.clone();
    let id = user.withdraw(json!({"lightningAddress": address, "amount": 1_000}));
    assert_eq!(user.sees(&id, "paid")["lightningAddress"], json!(address));
    assert_eq!((site.lnbits.customer.balance() - before, user.sats()), (1_000, 4_000));

    let nobody = address.replace("customer", "nobody");
    let wanted = json!({"lightningAddress": nobody, "amount": 1_000, "password": "secret"});
    user.0.post("/api/withdrawals", wanted).invalid(&["lightningAddress"]);
    assert_eq!(user.sats(), 4_000);
}

/// If both wallets are on one server, LNbits only moves sats in its own records.
fn payments_within_one_lnbits(site: &mut Site) {
    let (user, neighbour) = (site.user_with("internal", 5_000), site.lnbits.site.neighbour());
    let id = user.withdraw(json!({"invoice": neighbour.invoice(3_000)}));
    assert_eq!(user.sees(&id, "paid")["fee"], 0);
    assert_eq!((neighbour.balance(), user.sats()), (3_000, 2_000));
    neighbour.pay(&user.deposit(700).invoice);
    user.comes_to(2_700);
}

fn refused_payments_are_refunded(site: &mut Site) {
    // After this restart the solvency check runs at once, and again a minute later. This test ends earlier than a
    // minute, so the missing sats do not pause withdrawals.
    site.server.kill();
    site.restart();
    let user = site.user_with("refused", 10_000);
    let (ours, neighbour) = (&site.lnbits.site, site.lnbits.site.neighbour());
    // The operator spends sats of the users.
    let spent = ours.balance() - 5_000;
    ours.pay(&neighbour.invoice(spent));
    for too_much in [5_000, 9_000] {
        let id = user.withdraw(json!({"invoice": site.lnbits.customer.invoice(too_much)}));
        let refunded = user.sees(&id, "refunded");
        assert!(refunded["refundReason"].as_str().is_some_and(|reason| !reason.is_empty()), "{refunded}");
        assert_eq!(user.sats(), 10_000);
    }
    neighbour.pay(&ours.invoice(spent));
}

fn withdrawals_pause_if_sats_of_users_are_missing(site: &mut Site) {
    let user = site.user_with("worried", 6_000);
    let neighbour = site.lnbits.site.neighbour();
    let spent = site.lnbits.site.balance() - 5_000;
    site.lnbits.site.pay(&neighbour.invoice(spent));
    // After this restart the solvency check runs three times. Then it pauses withdrawals.
    site.server.kill();
    site.restart();
    let is_paused = || user.0.get("/api/config").ok(200)["withdrawalsPaused"] == true;
    eventually("withdrawals are paused", SOON, || is_paused().then_some(()));
    let wanted = json!({"invoice": site.lnbits.customer.invoice(1_000), "password": "secret"});
    user.0.post("/api/withdrawals", wanted.clone()).problem(409, "withdrawals_paused");
    assert_eq!(user.sats(), 6_000);

    neighbour.pay(&site.lnbits.site.invoice(spent));
    site.owns_its_payments();
    site.operator(&["withdrawals", "resume"]);
    let id = user.withdraw(wanted);
    user.sees(&id, "paid");
    assert!(!is_paused());
}

fn lnbits_is_down_for_a_while(site: &mut Site) {
    let user = site.user_with("unlucky", 5_000);
    let before = site.lnbits.customer.balance();
    let deposit = user.deposit(1_111);

    site.lnbits.tell("kill site");
    // LNbits cannot be reached, so no payment was requested. The withdrawal is refunded at once.
    let id = user.withdraw(json!({"invoice": site.lnbits.customer.invoice(1_000)}));
    user.sees(&id, "refunded");
    assert_eq!((user.sats(), site.lnbits.customer.balance()), (5_000, before));
    user.0.post("/api/deposit/create-invoice", json!({"amount": 100})).problem(503, "lightning_unavailable");
    assert_eq!(deposit.status(&user)["paid"], false);
    // LNbits' node receives the sats although LNbits is down.
    site.lnbits.customer.pay(&deposit.invoice);

    site.lnbits.tell("start site");
    user.comes_to(6_111);
    let id = user.withdraw(json!({"invoice": site.lnbits.customer.invoice(1_000)}));
    user.sees(&id, "paid");
    assert_eq!((user.sats(), site.lnbits.customer.balance()), (5_111, before - 1_111 + 1_000));
}

fn the_server_is_down_for_a_while(site: &mut Site) {
    let user = site.user("patient");
    let deposit = user.deposit(3_333);
    assert_eq!(site.server.stop().0, Some(0));
    site.lnbits.customer.pay(&deposit.invoice);
    site.restart();
    user.comes_to(3_333);
    assert_eq!(user.history().len(), 1);
}

fn a_payment_whose_answer_is_lost_is_paid_once(site: &mut Site) {
    let user = site.user_with("doubtful", 5_000);
    let before = site.lnbits.customer.balance();
    site.inner.lose(Loss::PaymentAnswers);
    let id = user.withdraw(json!({"invoice": site.lnbits.customer.invoice(1_500)}));
    eventually("LNbits paid", SOON, || (site.lnbits.customer.balance() == before + 1_500).then_some(()));
    assert_eq!(user.withdrawal(&id)["status"], "sending");
    assert_eq!(user.sats(), 5_000 - 1_515, "the hold stands while nobody knows");

    site.server.kill();
    site.restart();
    let paid = user.sees(&id, "paid");

    assert_eq!(paid["preimage"].as_str().map(str::len), Some(64), "{paid}");
    assert_eq!((user.sats(), site.lnbits.customer.balance()), (3_500, before + 1_500));
    site.inner.lose(Loss::Nothing);
}

/// LNbits waits a few seconds for its node. After that, LNbits reports the payment as 'pending' for ever, even if the
/// payment succeeds or fails later.
fn a_payment_that_hangs_waits_for_the_operator(site: &mut Site) {
    let user = site.user_with("hanging", 5_000);
    let before = site.lnbits.customer.balance();
    let invoice = site.lnbits.customer.invoice(1_000);
    site.lnbits.tell("pause customer");
    let id = user.withdraw(json!({"invoice": invoice}));
    user.sees(&id, "sending");
    // The helper repeats the command until the call to pay has ended. From then on, LNbits does not wait for its node any more.
    let refused = site.server.settle_when_possible(&[&id, "refunded", "--reason", "The node is away."]);
    assert!(!refused.status.success(), "{refused:?}");
    site.lnbits.tell("resume customer");
    site.server.kill();
    site.restart();
    std::thread::sleep(Duration::from_secs(4));

    assert_eq!(
        user.withdrawal(&id)["status"],
        "sending",
        "nothing that LNbits says proves that it was not paid"
    );
    assert_eq!(user.sats(), 5_000 - 1_010);
    let listed = site.operator(&["withdrawals", "list"]);
    assert!(listed.lines().any(|line| line.contains(&id) && line.contains("sending")), "{listed}");
    // The records of the node show that the payment was not made.
    assert_eq!(site.lnbits.customer.balance(), before);
    let words =
        [&id, "refunded", "--reason", "Not in the node's books.", "--despite", "It says pending for ever."];
    let settled = site.server.settle_when_possible(&words);
    assert!(settled.status.success(), "{settled:?}");
    assert_eq!(user.sees(&id, "refunded")["fee"], Value::Null);
    assert_eq!(user.sats(), 5_000);
}

#[test]
fn test_sats_and_real_ones_never_share_a_database() {
    // The server checks the kind of sats before it sends any request, so the provider need not be reachable.
    let real =
        ["--lightning", "lnbits", "--lnbits-url", "http://127.0.0.1:9", "--lnbits-admin-key", "a1b2c3"];
    for (first, second) in [(&[][..], &real[..]), (&real[..], &[][..])] {
        let mut server = Server::start_with(first);
        server.stop();
        let refused = binary()
            .args(["serve", "--bind", "127.0.0.1:0", "--database-url", &server.database.url()])
            .args(second)
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!((refused.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains("test sats") || said.contains("real sats"), "{said}");
        // The database kept its kind of sats and can still be served with it.
        server.restart();
        server.client().get("/api/config").ok(200);
    }
}
