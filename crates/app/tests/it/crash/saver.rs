//! A user who deposits and withdraws sats through the real LNbits.

use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};

use bolts_lightning::decode;
use fastrand::Rng;
use serde_json::{Value, json};

use super::Site;
use super::journal::{Outcome, Sent, Tally, is_replayed};
use crate::harness::{Client, eventually};
use crate::lnbits_server::Wallet;
use crate::sats::{WHILE, sats};

/// The amount of every withdrawal, in sats.
const AMOUNT: i64 = 200;

/// The least amount of a deposit, in sats.
const LOW: i64 = 2_000;

pub(super) struct Saver {
    client: Client,
    random: Rng,
    requests: u64,
    /// The paid deposits: their ids and their sats.
    deposits: Vec<(String, i64)>,
    /// The ids of the confirmed withdrawals.
    withdrawals: Vec<String>,
    /// The withdrawal without an answer, with its payment hash.
    open: Option<(Sent, String)>,
}

impl Saver {
    pub(super) fn new(site: &Site, number: u64, random: Rng) -> Self {
        let client = site.server.user(&format!("saver{number}"));
        let mut saver =
            Self { client, random, requests: 0, deposits: vec![], withdrawals: vec![], open: None };
        saver.deposit(&site.lnbits.customer, 20_000);
        saver
    }

    pub(super) fn move_to(&mut self, site: &Site) {
        self.client = site.moved(&self.client);
    }

    /// Sends requests until told to stop, or until one has no answer.
    pub(super) fn load(&mut self, customer: &Wallet, stop: &AtomicBool, tally: &Tally) {
        while !stop.load(Ordering::Relaxed) {
            let is_going_on = if self.random.u8(..3) == 0 {
                self.deposit_some(customer)
            } else {
                self.withdraw(customer, tally)
            };
            if !is_going_on {
                return;
            }
        }
    }

    fn deposit_some(&mut self, customer: &Wallet) -> bool {
        let amount = self.random.i64(LOW..2 * LOW);
        self.deposit(customer, amount)
    }

    /// Pays a deposit. `false` if the server did not answer, or answered 503. Then no sats have moved.
    fn deposit(&mut self, customer: &Wallet, amount: i64) -> bool {
        let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
        let body = json!({"amount": amount}).to_string().into_bytes();
        let answer = self.client.try_send("POST", "/api/deposit/create-invoice", &headers, body);
        let Some(answer) = answer else { return false };
        if answer.status == 503 {
            return false;
        }
        // The saver never sees an invoice whose answer was lost, so it stays unpaid. A user may have 20 unpaid invoices.
        if answer.status == 429 {
            assert_eq!(answer.json()["code"], "too_many_invoices");
            return true;
        }
        let made = answer.ok(201);
        customer.pay(made["lightningInvoice"].as_str().expect("an invoice"));
        self.deposits.push((made["invoiceId"].as_str().expect("an id").to_owned(), amount));
        true
    }

    /// Requests a withdrawal. `false` if there was no answer.
    fn withdraw(&mut self, customer: &Wallet, tally: &Tally) -> bool {
        self.requests += 1;
        let invoice = customer.invoice(AMOUNT);
        let hash = decode(&invoice).expect("an invoice").payment_hash.to_string();
        let sent = Sent {
            method: "POST",
            path: "/api/withdrawals".to_owned(),
            key: self.requests.to_string(),
            body: json!({"invoice": invoice, "password": "secret"}).to_string(),
        };
        match sent.send(&self.client, tally) {
            Outcome::Confirmed(answer) => self.withdrawals.push(id(&answer.json())),
            Outcome::Refused(answer) => assert_not_now(&answer.json()),
            Outcome::Unknown => {
                self.open = Some((sent, hash));
                return false;
            }
        }
        true
    }

    fn all_withdrawals(&self) -> Vec<Value> {
        let (mut all, mut path) = (Vec::new(), "/api/withdrawals?limit=100".to_owned());
        loop {
            let page = self.client.get(&path);
            all.extend(page.ok(200).as_array().expect("a list").iter().cloned());
            let Some(link) = page.headers.get("link") else { return all };
            let link = link.to_str().expect("text").trim_start_matches('<');
            path = link.split('>').next().expect("an address").to_owned();
        }
    }

    /// Compares the withdrawals with the journal. Finds out if the request without an answer has happened, and repeats
    /// it.
    pub(super) fn settle(&mut self, tally: &Tally) {
        if let Some((sent, hash)) = self.open.take() {
            let happened = self.all_withdrawals().iter().any(|one| one["paymentHash"] == json!(hash));
            tally.settled(happened);
            match sent.send(&self.client, tally) {
                Outcome::Confirmed(answer) => {
                    assert_eq!(is_replayed(&answer), happened, "{answer:?}");
                    self.withdrawals.push(id(&answer.json()));
                }
                Outcome::Refused(answer) => {
                    assert!(!happened, "{answer:?}");
                    assert_not_now(&answer.json());
                }
                Outcome::Unknown => panic!("no answer to the repeat of {sent:?}"),
            }
        }
        let mut known: Vec<String> = self.all_withdrawals().iter().map(id).collect();
        known.sort();
        self.withdrawals.sort();
        assert_eq!(known, self.withdrawals, "the confirmed withdrawals and no others");
    }
}

fn id(withdrawal: &Value) -> String {
    withdrawal["id"].as_str().expect("an id").to_owned()
}

/// Asserts that a withdrawal was refused for a reason that passes.
fn assert_not_now(problem: &Value) {
    let code = problem["code"].as_str().unwrap_or_default();
    // Before its first clean check, a server needs an answer of LNbits.
    let passing = ["insufficient_balance", "too_many_withdrawals", "withdrawals_paused"];
    assert!(passing.contains(&code), "{problem}");
}

/// The sats that have moved in a run.
pub(super) struct Moved {
    pub(super) paid_in: i64,
    pub(super) paid_out: i64,
    deposits: usize,
    withdrawals: usize,
    left: usize,
}

impl Display for Moved {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { deposits, withdrawals, left, .. } = self;
        write!(
            f,
            "{deposits} deposits each credited once, {withdrawals} withdrawals each paid or refunded once \
             ({left} by the operator's word)"
        )
    }
}

/// Waits until every deposit is credited and every withdrawal has ended. The operator settles the withdrawals that
/// LNbits does not know, as the customer's books say.
pub(super) fn come_to_rest(site: &Site, savers: &[Saver]) -> Moved {
    let mut moved = Moved { paid_in: 0, paid_out: 0, deposits: 0, withdrawals: 0, left: 0 };
    for saver in savers {
        for (id, amount) in &saver.deposits {
            let path = format!("/api/deposit/check-status/{id}");
            let credited = eventually("the deposit is credited", WHILE, || {
                Some(saver.client.get(&path).ok(200)).filter(|status| status["paid"] == true)
            });
            assert_eq!(credited["credited"], json!(amount));
        }
        let deposited: i64 = saver.deposits.iter().map(|(_, amount)| amount).sum();
        let mut cost = 0;
        for id in &saver.withdrawals {
            let ended = end(site, saver, id, &mut moved.left);
            let is_paid = ended["status"] == "paid";
            let hash = ended["paymentHash"].as_str().expect("a hash");
            assert_eq!(site.lnbits.customer.has_completed(hash), is_paid, "{ended}");
            if is_paid {
                let number = |name: &str| ended[name].as_i64().expect("a number");
                moved.paid_out += number("amount");
                cost += number("amount") + number("fee");
            }
        }
        assert_eq!(sats(&saver.client), deposited - cost);
        moved.paid_in += deposited;
        moved.deposits += saver.deposits.len();
        moved.withdrawals += saver.withdrawals.len();
    }
    moved
}

/// Waits until a withdrawal has ended. If LNbits has no record of it or keeps it as pending, the operator settles it.
fn end(site: &Site, saver: &Saver, id: &str, left: &mut usize) -> Value {
    let see = || saver.client.get(&format!("/api/withdrawals/{id}")).ok(200);
    let mut looks = 0;
    let seen = eventually("the withdrawal ends or waits for the operator", WHILE, || {
        let seen = see();
        let is_over = seen["status"] == "paid" || seen["status"] == "refunded";
        looks += u32::from(seen["status"] == "sending");
        let hash = seen["paymentHash"].as_str().expect("a hash");
        // The record may be missing for a moment while LNbits starts.
        let is_unknown = looks > 50 && !site.wallet.has_completed(hash);
        (is_over || is_unknown).then_some(seen)
    });
    if seen["status"] != "sending" {
        return seen;
    }
    *left += 1;
    let hash = seen["paymentHash"].as_str().expect("a hash");
    let outcome = if site.lnbits.customer.has_completed(hash) { "paid" } else { "refunded" };
    let words = [id, outcome, "--reason", "LNbits was killed", "--despite", "the customer's books say so"];
    let settled = site.server.settle_when_possible(&words);
    assert!(settled.status.success(), "{settled:?}");
    see()
}
