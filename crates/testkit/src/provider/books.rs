use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::invoices::{Network, now};

/// What becomes of a payment that the provider is told to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives.
    Arrives,
    /// It finds no route.
    Fails,
    /// It is on its way until the test decides by [`Books::finish`].
    IsHeld,
}

/// What the provider's books say of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It arrived.
    Paid,
    /// It did not.
    Failed,
    /// It is on its way.
    Pending,
}

/// A payment in the provider's books.
#[derive(Clone, Debug)]
pub struct Record {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// What was asked for.
    pub millisats: i64,
    /// What the route costs, in millisats.
    pub fee: i64,
    /// What became of it.
    pub status: Status,
}

/// An invoice of the provider's own.
#[derive(Clone, Debug)]
pub struct Own {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// What was asked for.
    pub millisats: i64,
    /// What has arrived, if it was paid.
    pub received: Option<i64>,
    /// In hexadecimal.
    pub preimage: String,
}

/// What the provider knows, and beside it what really happened, which it may have forgotten. Hashes are in hexadecimal.
#[derive(Clone, Debug)]
pub struct Books {
    /// What the wallet holds, in millisats.
    pub balance: i64,
    /// What every route costs, in millisats.
    pub fee: i64,
    /// What LNbits lets its node spend on a route, in millisats; `None` for its usual 1 %, at least 2 sats.
    pub reserve: Option<i64>,
    /// How long its invoices can be paid; `None` for as long as it is asked.
    pub lifetime: Option<Duration>,
    /// How long ago its invoices say that they were made.
    pub age: Duration,
    /// Of which network its invoices are.
    pub network: Network,
    /// The invoices it made.
    pub invoices: BTreeMap<String, Own>,
    /// The payments in its books.
    pub payments: BTreeMap<String, Record>,
    /// How often each hash was really paid.
    pub paid: BTreeMap<String, u32>,
    /// The fee limits that came with payments, in millisats, as they came.
    pub limits: Vec<(String, i64)>,
    /// What will become of payments; without an entry they arrive.
    pub fates: BTreeMap<String, Fate>,
    /// What payees give in return.
    pub preimages: BTreeMap<String, String>,
    /// How many payments were refused for want of balance.
    pub refused: u32,
    /// The webhooks that came with invoices, by hash.
    pub webhooks: BTreeMap<String, String>,
    /// What was written to invoices and payments in words: LND's memos, LNbits' `extra`, by hash.
    pub notes: BTreeMap<String, Value>,
    /// When invoices and payments were made, since 1970, by hash.
    pub times: BTreeMap<String, Duration>,
    /// LND's public key, LNbits' id of the wallet.
    pub identity: String,
    /// Whether the macaroon may pay.
    pub may_pay: bool,
}

impl Default for Books {
    fn default() -> Self {
        Self {
            balance: 100_000_000_000,
            fee: 1_000,
            reserve: None,
            lifetime: None,
            age: Duration::ZERO,
            network: Network::Main,
            invoices: BTreeMap::new(),
            payments: BTreeMap::new(),
            paid: BTreeMap::new(),
            limits: Vec::new(),
            fates: BTreeMap::new(),
            preimages: BTreeMap::new(),
            refused: 0,
            webhooks: BTreeMap::new(),
            notes: BTreeMap::new(),
            times: BTreeMap::new(),
            identity: "0b5e55edb01d".to_owned(),
            may_pay: true,
        }
    }
}

impl Books {
    /// How often this hash was really paid.
    pub fn times_paid(&self, payment_hash: &str) -> u32 {
        self.paid.get(payment_hash).copied().unwrap_or(0)
    }

    /// Whether any hash was paid more than once.
    pub fn has_double_payment(&self) -> bool {
        self.paid.values().any(|times| *times > 1)
    }

    /// What went out altogether, fees included, in millisats.
    pub fn sent(&self) -> i64 {
        let paid = self.payments.values().filter(|record| record.status == Status::Paid);
        paid.map(|record| record.millisats + record.fee).sum()
    }

    /// The payment hash of an invoice that it made.
    pub fn hash_of(&self, invoice: &str) -> Option<String> {
        let own = self.invoices.iter().find(|(_, own)| own.invoice == invoice);
        own.map(|(payment_hash, _)| payment_hash.clone())
    }

    /// Somebody pays an invoice of this provider's.
    ///
    /// # Panics
    /// Where it made none with this hash.
    pub fn receive(&mut self, payment_hash: &str, millisats: i64) {
        let own = self.invoices.get_mut(payment_hash).expect("an invoice of this provider");
        if own.received.is_none() {
            own.received = Some(millisats);
            self.balance += millisats;
        }
    }

    /// Sends a payment as its fate wants, within the limit, and writes it down.
    pub fn send(&mut self, payment_hash: &str, invoice: &str, millisats: i64, limit: i64) -> &Record {
        self.limits.push((payment_hash.to_owned(), limit));
        let fate = self.fates.get(payment_hash).copied().unwrap_or(Fate::Arrives);
        let status = match fate {
            Fate::Arrives if self.fee <= limit => Status::Paid,
            Fate::Arrives | Fate::Fails => Status::Failed,
            Fate::IsHeld => Status::Pending,
        };
        let record = Record { invoice: invoice.to_owned(), millisats, fee: self.fee, status };
        self.payments.insert(payment_hash.to_owned(), record);
        self.times.insert(payment_hash.to_owned(), now());
        match status {
            Status::Paid => {
                self.balance -= millisats + self.fee;
                *self.paid.entry(payment_hash.to_owned()).or_default() += 1;
            }
            Status::Pending => self.balance -= millisats + self.fee,
            Status::Failed => {}
        }
        &self.payments[payment_hash]
    }

    /// A held payment arrives, or does not.
    ///
    /// # Panics
    /// Where none is held.
    pub fn finish(&mut self, payment_hash: &str, arrives: bool) {
        let record = self.payments.get_mut(payment_hash).expect("a payment in the books");
        assert_eq!(record.status, Status::Pending, "the payment has ended");
        if arrives {
            record.status = Status::Paid;
            *self.paid.entry(payment_hash.to_owned()).or_default() += 1;
        } else {
            record.status = Status::Failed;
            self.balance += record.millisats + record.fee;
        }
    }

    /// The books lose a payment; what happened happened.
    pub fn forget(&mut self, payment_hash: &str) {
        self.payments.remove(payment_hash);
    }

    /// What whoever was paid gave in return: in hexadecimal, zeros where nobody knows.
    pub fn preimage(&self, payment_hash: &str) -> String {
        self.preimages.get(payment_hash).cloned().unwrap_or_else(|| "0".repeat(64))
    }
}
