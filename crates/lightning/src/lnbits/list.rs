//! LNbits' list of a wallet's payments, the identity of the wallet, and the rights of its keys.

use std::collections::{BTreeMap, BTreeSet};

use bolts_kernel::Timestamp;
use bolts_ports::{DEPOSIT_MEMO, Received, Reference, Sent, Unclear};
use bolts_wallet::{Millisats, PaymentHash};
use reqwest::header::HeaderValue;
use serde_json::Value;

use super::{DEPOSIT, Lnbits, NOT_OURS, WITHDRAWAL, preimage_of, refusal, unclear};
use crate::evidence::{integer, millisats};
use crate::http::{Answer, ask, ask_for_list};
use crate::owner;

/// The number of records per request. A record has about 1.5 kB.
const PAGE: usize = 200;

/// The maximum number of pages. If the requested period has more records, the call fails.
const PAGES: usize = 500;

/// The number of records that a page has in common with the page before.
const OVERLAP: usize = 10;

/// The maximum number of times that a list is read. If the list changes too much each time, the call fails.
const READINGS: usize = 3;

/// The filter for outgoing payments, which have a negative amount.
const OUTGOING: (&str, &str) = ("amount[lt]", "0");

impl Lnbits {
    async fn wallet(&self, key: &HeaderValue) -> Result<Answer, Unclear> {
        ask(self.get(key, "wallet"), self.timeouts.answer).await.map_err(unclear)
    }

    /// The wallet's id. LNbits reports it only for the admin key.
    pub(super) async fn wallet_id(&self) -> Result<String, Unclear> {
        let answer = self.wallet(&self.admin_key).await?;
        match answer.text("id") {
            Some(id) if answer.status == 200 => {
                // The adapter keeps the first id that LNbits reports. Later invoices must belong to this wallet.
                self.wallet_id.get_or_init(|| id.to_owned());
                Ok(id.to_owned())
            }
            Some(_) | None => Err(Unclear(answer.words())),
        }
    }

    /// A sentence about a key that is wrong or lacks a right, if any. LNbits reports the wallet's id only for the
    /// admin key. If the id is missing, the key is an invoice key.
    pub(super) async fn lacking(&self) -> Result<Option<String>, Unclear> {
        let admin = self.wallet(&self.admin_key).await?;
        let invoice = self.list(&self.invoice_key, &[], (1, 0)).await?;
        for (name, answer) in [("admin", &admin), ("invoice", &invoice)] {
            if is_refused_key(answer) {
                return Ok(Some(format!("LNbits does not take the {name} key: {}", answer.words())));
            }
            if answer.status != 200 {
                return Err(Unclear(answer.words()));
            }
        }
        let Some(id) = admin.text("id") else {
            let words = "what was given as the admin key of LNbits is an invoice key, which cannot pay";
            return Ok(Some(words.to_owned()));
        };
        // LNbits does not report the wallet of an invoice key, but the records of the wallet's payments name the
        // wallet. If there are no records yet, the wallet is checked when the first invoice is created.
        let other = invoice.body.get(0).and_then(|record| text(record, "wallet_id"));
        let words = "the admin key and the invoice key of LNbits are of two wallets";
        Ok(other.is_some_and(|other| other != id).then(|| words.to_owned()))
    }

    /// A page of the wallet's payments, latest first. The page skips `offset` records and contains at most `limit`
    /// records.
    async fn list(
        &self,
        key: &HeaderValue,
        filter: &[(&str, &str)],
        (limit, offset): (usize, usize),
    ) -> Result<Answer, Unclear> {
        let (limit, offset) = (limit.to_string(), offset.to_string());
        let query =
            [("limit", limit.as_str()), ("offset", &offset), ("sortby", "time"), ("direction", "desc")];
        let request = self.get(key, "payments").query(&query).query(filter);
        ask_for_list(request, self.timeouts.answer).await.map_err(unclear)
    }

    /// The records of the wallet's payments that match `filter` and were created at `since` or later. LNbits leaves
    /// failed payments out of this list.
    async fn records(&self, filter: &[(&str, &str)], since: Timestamp) -> Result<Vec<Value>, Unclear> {
        for _ in 0..READINGS {
            if let Some(records) = self.read_records(filter, since).await? {
                return Ok(records);
            }
        }
        Err(Unclear("LNbits' list of payments changed while it was read".to_owned()))
    }

    /// Reads the records page by page. New records move older ones to later positions, so a record may occur twice. A payment
    /// that fails leaves the list, and then the records after it move up. So each page begins some records before the end of
    /// the page before. `None` if the last record does not occur again, because then a record may be left out.
    async fn read_records(
        &self,
        filter: &[(&str, &str)],
        since: Timestamp,
    ) -> Result<Option<Vec<Value>>, Unclear> {
        let (mut kept, mut read, mut last) = (Vec::new(), 0_usize, None::<Value>);
        for _ in 0..PAGES {
            let offset = read.saturating_sub(OVERLAP);
            let answer = self.list(&self.admin_key, filter, (PAGE, offset)).await?;
            let page = answer.body.as_array().filter(|_| answer.status == 200);
            let page = page.ok_or_else(|| Unclear(answer.words()))?;
            if last.is_some_and(|last| !page.iter().any(|record| is_same(record, &last))) {
                return Ok(None);
            }
            (read, last) = (offset + page.len(), page.last().cloned());
            let mut is_last = page.len() < PAGE;
            for record in page {
                let no_time = || Unclear("LNbits lists a payment without a time".to_owned());
                if made_at(record).ok_or_else(no_time)? >= since {
                    kept.push(record.clone());
                } else {
                    is_last = true;
                }
            }
            if is_last {
                return Ok(Some(kept));
            }
        }
        Err(Unclear("LNbits lists too many payments".to_owned()))
    }

    pub(super) async fn list_received(&self, since: Timestamp) -> Result<Vec<Received>, Unclear> {
        let records = self.records(&[("status", "success")], since).await?;
        let mut seen = BTreeSet::new();
        let found = records.iter().filter_map(received);
        Ok(found.filter(|record| seen.insert(record.payment_hash)).collect())
    }

    pub(super) async fn list_sent(&self, since: Timestamp) -> Result<Vec<Sent>, Unclear> {
        let records = self.records(&[OUTGOING], since).await?;
        let mut seen = BTreeSet::new();
        let found = records.iter().filter_map(sent);
        Ok(found.filter(|record| seen.insert(record.payment_hash)).collect())
    }

    /// LNbits' balance does not contain the pending payments of its list and their reserves. The adapter reads them as
    /// a list, because a look-up for each payment would count towards LNbits' rate limit.
    pub(super) async fn list_withheld(
        &self,
        payments: &[Reference],
    ) -> Result<BTreeMap<PaymentHash, Millisats>, Unclear> {
        if payments.is_empty() {
            return Ok(BTreeMap::new());
        }
        let asked: BTreeSet<PaymentHash> = payments.iter().map(|payment| payment.payment_hash).collect();
        let long_ago = Timestamp::from_micros(0).map_err(|error| Unclear(error.to_string()))?;
        let records = self.records(&[OUTGOING, ("status", "pending")], long_ago).await?;
        let pending = records.iter().filter_map(sent).filter(|sent| !sent.is_paid);
        let asked = pending.filter(|sent| asked.contains(&sent.payment_hash));
        let taken = |sent: Sent| {
            let taken = sent.amount.get().saturating_add(sent.fee.get());
            Some((sent.payment_hash, Millisats::new(taken).ok()?))
        };
        Ok(asked.filter_map(taken).collect())
    }
}

/// Whether LNbits refuses a key because the key is unknown or lacks the right for the call.
fn is_refused_key(answer: &Answer) -> bool {
    refusal(answer).as_deref() == Some(NOT_OURS)
}

/// Whether these are records of one payment. Its other fields may have changed meanwhile.
fn is_same(record: &Value, other: &Value) -> bool {
    ["payment_hash", "amount"].iter().all(|name| record.get(name) == other.get(name))
}

fn text<'a>(record: &'a Value, name: &str) -> Option<&'a str> {
    record.get(name)?.as_str()
}

/// The creation time of a record. If LNbits leaves out the offset, the time is in UTC.
fn made_at(record: &Value) -> Option<Timestamp> {
    let time = text(record, "time")?;
    Timestamp::parse(time).or_else(|_| Timestamp::parse(&format!("{time}Z"))).ok()
}

/// Reads the record of a paid invoice. `None` for any other record. Sats that LNbits' admins give to a wallet have no
/// invoice.
fn received(record: &Value) -> Option<Received> {
    // The request asks only for successful payments. A server that ignores this filter must not cause a credit.
    if text(record, "status") != Some("success") {
        return None;
    }
    let amount = millisats(record.get("amount")).filter(|amount| amount.get() > 0)?;
    let extra = record.get("extra").and_then(|extra| text(extra, DEPOSIT));
    let memo = text(record, "memo").unwrap_or_default();
    Some(Received {
        payment_hash: text(record, "payment_hash")?.parse().ok()?,
        invoice: text(record, "bolt11")?.to_owned(),
        amount,
        created_at: made_at(record)?,
        is_deposit: extra.is_some() || memo.starts_with(DEPOSIT_MEMO),
        owner: extra.and_then(owner::read),
    })
}

/// Reads the record of an outgoing payment that succeeded or is in flight. `None` for any other record.
fn sent(record: &Value) -> Option<Sent> {
    let amount = integer(record.get("amount")).filter(|amount| *amount < 0)?;
    let is_paid = match text(record, "status")? {
        "success" => true,
        "pending" => false,
        _ => return None,
    };
    let fee = integer(record.get("fee")).and_then(i64::checked_abs).unwrap_or_default();
    let extra = record.get("extra").and_then(|extra| text(extra, WITHDRAWAL));
    Some(Sent {
        payment_hash: text(record, "payment_hash")?.parse().ok()?,
        invoice: text(record, "bolt11").unwrap_or_default().to_owned(),
        amount: Millisats::new(amount.checked_neg()?).ok()?,
        fee: Millisats::new(fee).ok()?,
        created_at: made_at(record)?,
        preimage: preimage_of(record).ok().flatten().filter(|_| is_paid),
        is_paid,
        owner: extra.and_then(owner::read),
    })
}
