//! LND's lists of payments and invoices, the identity of the node, and the rights of its macaroon.

use bolts_kernel::{DepositId, Timestamp};
use bolts_ports::{DEPOSIT_MEMO, Owner, Received, Sent, Unclear};
use bolts_wallet::Millisats;
use serde_json::{Value, json};

use super::{Lnd, unclear};
use crate::evidence::{hash_in_base64, integer, millisats, preimage};
use crate::http::{Answer, ask, ask_for_list};
use crate::owner;

/// The number of records per request. It is small, because the record of a payment names every hop of every tried
/// route.
const PAGE: usize = 100;

/// The maximum number of pages. If the requested period has more records, the call fails.
const PAGES: usize = 1_000;

/// A list in LND's REST interface: its path, the names of its parameters and fields, and a function that reads the
/// time of a record.
struct List {
    path: &'static str,
    limit: &'static str,
    records: &'static str,
    further: &'static [(&'static str, &'static str)],
    made_at: fn(&Value) -> Option<Timestamp>,
}

const PAYMENTS: List = List {
    path: "v1/payments",
    limit: "max_payments",
    records: "payments",
    // Without this parameter, LND leaves out payments in flight.
    further: &[("include_incomplete", "true")],
    made_at: told_at,
};

const INVOICES: List = List {
    path: "v1/invoices",
    limit: "num_max_invoices",
    records: "invoices",
    further: &[],
    made_at: invoiced_at,
};

impl Lnd {
    pub(super) async fn public_key(&self) -> Result<String, Unclear> {
        let answer = self.info().await?;
        match answer.text("identity_pubkey") {
            Some(key) if answer.status == 200 && !key.is_empty() => Ok(key.to_owned()),
            Some(_) | None => Err(Unclear(answer.words())),
        }
    }

    async fn info(&self) -> Result<Answer, Unclear> {
        ask(self.get("v1/getinfo"), self.timeouts.answer).await.map_err(unclear)
    }

    /// A sentence about a right that the macaroon lacks, if any. To check the right to pay, the adapter sends a
    /// payment request without content. LND checks the macaroon first, and refuses this request in any case.
    pub(super) async fn lacking(&self) -> Result<Option<String>, Unclear> {
        let info = self.info().await?;
        if let Some(why) = refusal(&info, "info:read") {
            return Ok(Some(why));
        }
        if info.status != 200 {
            return Err(Unclear(info.words()));
        }
        let order = ask(self.post("v2/router/send", &json!({})), self.timeouts.answer);
        let error = order.await.map_err(unclear)?;
        let inner = error.body.get("error").filter(|error| error.is_object()).cloned();
        let error = inner.map_or(error.clone(), |body| Answer { body, ..error });
        Ok(refusal(&error, "offchain:write"))
    }

    /// The records of a list that were created at `since` or later, latest page first.
    async fn records(&self, list: &List, since: Timestamp) -> Result<Vec<Value>, Unclear> {
        let (mut kept, mut before) = (Vec::new(), "0".to_owned());
        for _ in 0..PAGES {
            let limit = PAGE.to_string();
            let query = [("reversed", "true"), ("index_offset", &before), (list.limit, &limit)];
            let request = self.get(list.path).query(&query).query(list.further);
            let answer = ask_for_list(request, self.timeouts.answer).await.map_err(unclear)?;
            let first = answer.body.get("first_index_offset");
            let (records, first) = match (answer.body.get(list.records), integer(first)) {
                (Some(Value::Array(records)), Some(first)) if answer.status == 200 => (records, first),
                _ => return Err(Unclear(answer.words())),
            };
            let mut is_last = records.len() < PAGE || first <= 1;
            for record in records {
                let no_time = || Unclear(format!("LND lists {} without a time", list.records));
                if (list.made_at)(record).ok_or_else(no_time)? >= since {
                    kept.push(record.clone());
                } else {
                    is_last = true;
                }
            }
            if is_last {
                return Ok(kept);
            }
            before = first.to_string();
        }
        Err(Unclear(format!("LND lists too many {}", list.records)))
    }

    pub(super) async fn list_received(&self, since: Timestamp) -> Result<Vec<Received>, Unclear> {
        let records = self.records(&INVOICES, since).await?;
        Ok(records.iter().filter_map(received).collect())
    }

    pub(super) async fn list_sent(&self, since: Timestamp) -> Result<Vec<Sent>, Unclear> {
        let records = self.records(&PAYMENTS, since).await?;
        Ok(records.iter().filter_map(sent).collect())
    }
}

/// A sentence for the operator, if LND's answer says that the macaroon is not accepted or lacks `right`.
fn refusal(answer: &Answer, right: &str) -> Option<String> {
    let words = answer.text("message").unwrap_or_default();
    if words.contains("permission denied") {
        return Some(format!("the macaroon of LND lacks {right}; bake one as docs/lightning.md says"));
    }
    let is_refused = words.contains("verification failed") || words.contains("cannot get macaroon");
    is_refused.then(|| format!("LND does not take the macaroon: {}", answer.words()))
}

fn text<'a>(record: &'a Value, name: &str) -> Option<&'a str> {
    record.get(name)?.as_str()
}

fn told_at(record: &Value) -> Option<Timestamp> {
    let nanos = integer(record.get("creation_time_ns"))?;
    Timestamp::from_micros(nanos / 1_000).ok()
}

fn invoiced_at(record: &Value) -> Option<Timestamp> {
    Timestamp::from_micros(integer(record.get("creation_date"))?.checked_mul(1_000_000)?).ok()
}

/// The memo of a deposit invoice: a description, then the owner.
pub(super) fn memo(memo: &str, owner: &Owner<DepositId>) -> String {
    format!("{memo} ({})", owner::written(owner))
}

fn owner_in(memo: &str) -> Option<Owner<DepositId>> {
    owner::read(memo.strip_suffix(')')?.rsplit_once('(')?.1)
}

/// Reads the record of a paid invoice. `None` for any other invoice.
fn received(record: &Value) -> Option<Received> {
    if text(record, "state") != Some("SETTLED") {
        return None;
    }
    let memo = text(record, "memo").unwrap_or_default();
    Some(Received {
        payment_hash: text(record, "r_hash").and_then(hash_in_base64)?,
        invoice: text(record, "payment_request").unwrap_or_default().to_owned(),
        amount: millisats(record.get("amt_paid_msat"))?,
        created_at: invoiced_at(record)?,
        is_deposit: memo.starts_with(DEPOSIT_MEMO),
        owner: owner_in(memo),
    })
}

/// Reads the record of a payment that succeeded or is in flight. `None` for a failed payment.
fn sent(record: &Value) -> Option<Sent> {
    let is_paid = match text(record, "status")? {
        "SUCCEEDED" => true,
        "IN_FLIGHT" | "INITIATED" => false,
        _ => return None,
    };
    Some(Sent {
        payment_hash: text(record, "payment_hash")?.parse().ok()?,
        invoice: text(record, "payment_request").unwrap_or_default().to_owned(),
        amount: millisats(record.get("value_msat"))?,
        fee: millisats(record.get("fee_msat")).unwrap_or(Millisats::ZERO),
        created_at: told_at(record)?,
        preimage: preimage(record.get("payment_preimage")).ok().flatten().filter(|_| is_paid),
        is_paid,
        // LND's record of a payment has no field for the owner.
        owner: None,
    })
}
