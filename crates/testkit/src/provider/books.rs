//! The records of the scripted provider.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::invoices::{Network, now};

/// The planned result of a payment by the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The payment arrives.
    Arrives,
    /// No route is found.
    Fails,
    /// The payment is held until the test calls [`Books::finish`].
    IsHeld,
}

/// The status of a payment in the provider's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The payment arrived.
    Paid,
    /// The payment failed.
    Failed,
    /// The payment is under way.
    Pending,
}

/// A payment in the provider's records.
#[derive(Clone, Debug)]
pub struct Record {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// The amount of the invoice, in millisats.
    pub millisats: i64,
    /// The fee of the route, in millisats.
    pub fee: i64,
    /// The status of the payment.
    pub status: Status,
}

/// An invoice that the provider created.
#[derive(Clone, Debug)]
pub struct Own {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// The amount of the invoice, in millisats.
    pub millisats: i64,
    /// The amount that was paid, in millisats. `None` if the invoice is unpaid.
    pub received: Option<i64>,
    /// The preimage in hexadecimal.
    pub preimage: String,
}

/// The records of the provider, and a count of the payments that really happened. A test can delete a payment
/// from the records, but not from the count. The keys of all maps are payment hashes in hexadecimal.
#[derive(Clone, Debug)]
pub struct Books {
    /// The balance of the wallet, in millisats.
    pub balance: i64,
    /// The fee of every route, in millisats.
    pub fee: i64,
    /// The maximum fee that LNbits allows its node, in millisats. `None` means the default of 1 %, at least 2
    /// sats.
    pub reserve: Option<i64>,
    /// The lifetime of the provider's invoices. `None` means the lifetime that the request names.
    pub lifetime: Option<Duration>,
    /// The age of a new invoice: its creation time is this long ago.
    pub age: Duration,
    /// The network of the provider's invoices.
    pub network: Network,
    /// The invoices that the provider created.
    pub invoices: BTreeMap<String, Own>,
    /// The payments in the provider's records.
    pub payments: BTreeMap<String, Record>,
    /// The number of payments that really happened, for each hash.
    pub paid: BTreeMap<String, u32>,
    /// The payment hash and the fee limit (in millisats) of each request to pay, in the order of the requests.
    pub limits: Vec<(String, i64)>,
    /// The planned results of payments. A payment without an entry arrives.
    pub fates: BTreeMap<String, Fate>,
    /// The preimages of other nodes' invoices. The provider learns a preimage when the invoice is paid.
    pub preimages: BTreeMap<String, String>,
    /// The number of payments that were refused because the balance was too low.
    pub refused: u32,
    /// The webhook URLs of invoices.
    pub webhooks: BTreeMap<String, String>,
    /// The notes of invoices and payments: the memo at LND, the field `extra` at LNbits.
    pub notes: BTreeMap<String, Value>,
    /// The creation times of invoices and payments, as time since 1970.
    pub times: BTreeMap<String, Duration>,
    /// The identity of the provider: the public key of an LND node, or the id of an LNbits wallet.
    pub identity: String,
    /// Whether LND's macaroon allows payments.
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
    /// The number of payments of this hash that really happened.
    pub fn times_paid(&self, payment_hash: &str) -> u32 {
        self.paid.get(payment_hash).copied().unwrap_or(0)
    }

    /// Whether any hash was paid more than once.
    pub fn has_double_payment(&self) -> bool {
        self.paid.values().any(|times| *times > 1)
    }

    /// The sum of all paid payments in the records, with their fees, in millisats.
    pub fn sent(&self) -> i64 {
        let paid = self.payments.values().filter(|record| record.status == Status::Paid);
        paid.map(|record| record.millisats + record.fee).sum()
    }

    /// The payment hash of an invoice that the provider created.
    pub fn hash_of(&self, invoice: &str) -> Option<String> {
        let own = self.invoices.iter().find(|(_, own)| own.invoice == invoice);
        own.map(|(payment_hash, _)| payment_hash.clone())
    }

    /// Records a payment to an invoice of this provider.
    ///
    /// # Panics
    /// If the provider created no invoice with this hash.
    pub fn receive(&mut self, payment_hash: &str, millisats: i64) {
        let own = self.invoices.get_mut(payment_hash).expect("an invoice of this provider");
        if own.received.is_none() {
            own.received = Some(millisats);
            self.balance += millisats;
        }
    }

    /// Makes a payment with its planned result, and records the payment. A payment that should arrive fails if its
    /// fee is above `limit` (in millisats).
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

    /// Ends a held payment.
    ///
    /// # Panics
    /// If no payment with this hash is held.
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

    /// Deletes a payment from the records. The count of the payments that really happened does not change.
    pub fn forget(&mut self, payment_hash: &str) {
        self.payments.remove(payment_hash);
    }

    /// The preimage of a payment, in hexadecimal. If the preimage is unknown, 64 zeros.
    pub fn preimage(&self, payment_hash: &str) -> String {
        self.preimages.get(payment_hash).cloned().unwrap_or_else(|| "0".repeat(64))
    }
}
