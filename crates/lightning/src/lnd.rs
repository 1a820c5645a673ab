//! The adapter for an LND node.

mod list;

use std::collections::BTreeMap;
use std::fmt;
use std::future::ready;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use bolts_kernel::Timestamp;
use bolts_ports::{
    DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, MadeInvoice, NewInvoice, NodeCheck, Payment,
    Pending, Received, Reference, SatsKind, Sent, Unclear,
};
use bolts_wallet::{Evidence, Millisats, PaymentHash};
use reqwest::header::HeaderValue;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::time::timeout;
use url::Url;

use crate::BadOption;
use crate::evidence::{hash_in_base64, integer, millisats, preimage, shortened};
use crate::http::{Answer, Failure, Stream, Timeouts, ask, client};
use crate::invoice::decode;
use crate::options::{base, secret};
use crate::pinned;

/// The gRPC code for 'not found'.
const NOT_FOUND: i64 = 5;

/// LND's message about a payment that it was never told to make.
const NO_SUCH_PAYMENT: &str = "payment isn't initiated";

/// The messages with which LND refuses an invoice before it sends anything, and the messages for users. Each text is
/// the beginning of LND's message.
const REFUSALS: [(&str, &str); 3] = [
    ("invoice expired.", "The invoice expired before it could be paid."),
    ("self-payments not allowed", "The invoice is one of this site's own node."),
    ("invoice not for current active network", "The invoice is of another network."),
];

/// LND's reasons for the final failure of a payment, and the messages for users.
const FAILURES: [(&str, &str); 5] = [
    ("FAILURE_REASON_TIMEOUT", "No route was found in time."),
    ("FAILURE_REASON_NO_ROUTE", "No route to the invoice's node was found within the fee limit."),
    (
        "FAILURE_REASON_INCORRECT_PAYMENT_DETAILS",
        "The invoice's node refused the payment: it is paid, cancelled or expired.",
    ),
    ("FAILURE_REASON_INSUFFICIENT_BALANCE", "The site's Lightning node cannot pay so much now."),
    ("FAILURE_REASON_CANCELED", "The payment was cancelled at the site's Lightning node."),
];

/// The address of an LND node, and the secrets for it.
#[derive(Clone)]
pub struct LndOptions {
    /// The https URL of the REST interface.
    pub url: String,
    /// The macaroon, in hexadecimal. The macaroon needs the rights `info:read`, `invoices:read`, `invoices:write`,
    /// `offchain:read` and `offchain:write`.
    pub macaroon: String,
    /// The node's certificate (`tls.cert`) in PEM. No other certificate is trusted.
    pub certificate_pem: Vec<u8>,
    /// The time-outs of calls to the node.
    pub timeouts: Timeouts,
}

impl fmt::Debug for LndOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LndOptions").field("url", &self.url).finish_non_exhaustive()
    }
}

/// An LND node (0.15 or later), used through its REST interface.
///
/// LND pays a payment hash at most once and does not delete records of payments by itself. So the answer 'not found'
/// can prove that LND sent nothing.
#[derive(Clone, Debug)]
pub struct Lnd {
    base: Url,
    macaroon: HeaderValue,
    client: Client,
    timeouts: Timeouts,
}

impl Lnd {
    /// Creates the adapter. This sends no request yet.
    ///
    /// # Errors
    /// [`BadOption`] if an address, a macaroon or a certificate is not valid.
    pub fn new(options: &LndOptions) -> Result<Self, BadOption> {
        let base = base("the address of LND", &options.url)?;
        if base.scheme() != "https" {
            return Err(BadOption("the address of LND must be https".to_owned()));
        }
        let macaroon = secret("the macaroon of LND", &options.macaroon)?;
        if hex::decode(macaroon.as_bytes()).is_err() {
            return Err(BadOption("the macaroon of LND is not hexadecimal".to_owned()));
        }
        let timeouts = options.timeouts;
        let client = client(pinned::only(&options.certificate_pem)?, &timeouts)?;
        Ok(Self { base, macaroon, client, timeouts })
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.base)).header("Grpc-Metadata-macaroon", &self.macaroon)
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.base));
        request.header("Grpc-Metadata-macaroon", &self.macaroon).json(body)
    }

    async fn create(&self, new: NewInvoice) -> Result<MadeInvoice, Unclear> {
        // gRPC's JSON writes 64-bit numbers as strings. `private` adds route hints for private channels, because the
        // node may have no public channels.
        let body = json!({
            "value": new.amount.get().to_string(),
            "memo": list::memo(&new.memo, &new.owner),
            "expiry": new.lifetime.as_secs().to_string(),
            "private": true,
        });
        let answer = ask(self.post("v1/invoices", &body), self.timeouts.answer).await.map_err(unclear)?;
        if answer.status != 200 {
            return Err(Unclear(answer.words()));
        }
        match (answer.text("payment_request"), answer.text("r_hash").and_then(hash_in_base64)) {
            (Some(invoice), Some(payment_hash)) => {
                Ok(MadeInvoice { invoice: invoice.to_owned(), payment_hash })
            }
            _ => Err(Unclear("LND made an invoice and did not give it".to_owned())),
        }
    }

    async fn state(&self, hash: PaymentHash) -> Result<InvoiceState, Unclear> {
        let request = self.get(&format!("v1/invoice/{hash}"));
        let answer = ask(request, self.timeouts.answer).await.map_err(unclear)?;
        if answer.status != 200 {
            return Err(Unclear(answer.words()));
        }
        if answer.text("r_hash").and_then(hash_in_base64) != Some(hash) {
            return Err(Unclear("LND speaks of another invoice".to_owned()));
        }
        match (answer.text("state"), millisats(answer.body.get("amt_paid_msat"))) {
            (Some("SETTLED"), Some(amount)) => Ok(InvoiceState::Paid(amount)),
            (Some("SETTLED"), None) => Err(Unclear("LND does not say how much came in".to_owned())),
            // 'ACCEPTED' means that the payment has arrived but is not final.
            (Some("OPEN" | "ACCEPTED" | "CANCELED"), _) => Ok(InvoiceState::Unpaid),
            (Some(_) | None, _) => Err(Unclear("LND does not say whether it was paid".to_owned())),
        }
    }

    async fn pay_now(&self, payment: Payment) -> Evidence {
        let limit = Millisats::from_sats(payment.fee_limit).get();
        let body = json!({
            "payment_request": payment.reference.invoice,
            "fee_limit_msat": limit.to_string(),
            // LND's own time-out is shorter than the client's, so that LND's answer still arrives in time.
            "timeout_seconds": (self.timeouts.payment.as_secs() * 2 / 3).max(1),
        });
        let stream = Stream::open(self.post("v2/router/send", &body), self.timeouts.payment).await;
        match stream {
            Ok(stream) => last_word(stream, &payment.reference, self.timeouts.answer).await,
            Err(Failure::NoConnection(_)) => {
                Evidence::NotSent("The site's Lightning node could not be reached.".to_owned())
            }
            Err(failure @ Failure::NoAnswer(_)) => Evidence::NoAnswer(failure.into_words()),
        }
    }

    /// The status and the first line of LND's answer to a look-up of a payment.
    async fn track(&self, reference: &Reference) -> Result<(u16, Value), String> {
        let path = format!("v2/router/track/{}", URL_SAFE.encode(reference.payment_hash.as_bytes()));
        let stream = Stream::open(self.get(&path), self.timeouts.answer).await;
        let mut stream = stream.map_err(Failure::into_words)?;
        match stream.next().await {
            Ok(Some(line)) => Ok((stream.status, line)),
            Ok(None) => Err("LND said nothing".to_owned()),
            Err(failure) => Err(failure.into_words()),
        }
    }

    async fn fate(&self, reference: Reference) -> Evidence {
        match self.track(&reference).await {
            Ok((status, line)) => looked_up(status, line, &reference),
            Err(why) => Evidence::NoAnswer(why),
        }
    }

    /// The sats that a payment in flight takes off the balance of the channels. `None` if the payment is not in
    /// flight.
    async fn withheld_for(&self, reference: &Reference) -> Result<Option<Millisats>, Unclear> {
        let (status, line) = self.track(reference).await.map_err(Unclear)?;
        match looked_up(status, line.clone(), reference) {
            Evidence::InFlight => {}
            Evidence::NoAnswer(why) | Evidence::Unknown(why) => return Err(Unclear(why)),
            Evidence::Paid { .. }
            | Evidence::NotSent(_)
            | Evidence::Failed(_)
            | Evidence::NotFound { .. } => return Ok(None),
        }
        let parts = line.pointer("/result/htlcs").and_then(Value::as_array);
        let parts = parts.ok_or_else(|| Unclear("LND does not list the payment's parts".to_owned()))?;
        let mut taken = 0_i64;
        for part in parts {
            // Parts that arrived or are in flight are subtracted from the balance. Failed parts are not.
            if matches!(part.get("status").and_then(Value::as_str), Some("IN_FLIGHT" | "SUCCEEDED")) {
                let total = millisats(part.pointer("/route/total_amt_msat"));
                let total = total.ok_or_else(|| Unclear("LND does not say what a part takes".to_owned()))?;
                taken = taken.saturating_add(total.get());
            }
        }
        Millisats::new(taken).map(Some).map_err(|error| Unclear(error.to_string()))
    }
}

/// The evidence in the answer to a look-up of a payment.
fn looked_up(status: u16, line: Value, reference: &Reference) -> Evidence {
    match judge(status, line, reference) {
        // A refusal to send proves nothing in the answer to a look-up.
        Evidence::NotSent(why) => Evidence::Unknown(why),
        evidence @ (Evidence::Paid { .. }
        | Evidence::Failed(_)
        | Evidence::InFlight
        | Evidence::NotFound { .. }
        | Evidence::NoAnswer(_)
        | Evidence::Unknown(_)) => evidence,
    }
}

fn unclear(failure: Failure) -> Unclear {
    Unclear(failure.into_words())
}

/// Reads the updates of a payment until one of them shows the result. If the connection breaks, LND still continues
/// the payment. After an update 'in flight', the next one may take `longest`. A payee can delay a payment for days, and
/// meanwhile this call would take the place of the payment of another user.
async fn last_word(mut stream: Stream, reference: &Reference, longest: Duration) -> Evidence {
    let mut latest = Evidence::NoAnswer("LND said nothing".to_owned());
    loop {
        let next = if latest == Evidence::InFlight {
            let Ok(next) = timeout(longest, stream.next()).await else { return latest };
            next
        } else {
            stream.next().await
        };
        match next {
            Ok(Some(line)) => latest = judge(stream.status, line, reference),
            Ok(None) => return latest,
            // LND has answered, and the result is open.
            Err(failure) if latest == Evidence::InFlight => return Evidence::Unknown(failure.into_words()),
            Err(failure) => return Evidence::NoAnswer(failure.into_words()),
        }
        match latest {
            Evidence::InFlight => {}
            // For a payment that was just sent, the answer 'not found' proves nothing.
            Evidence::NotFound { .. } => return Evidence::Unknown("LND lost the payment".to_owned()),
            Evidence::Paid { .. }
            | Evidence::NotSent(_)
            | Evidence::Failed(_)
            | Evidence::NoAnswer(_)
            | Evidence::Unknown(_) => return latest,
        }
    }
}

/// The evidence in one line of LND's answer. The line is an update of the payment or an error. An error may be wrapped
/// in a field `error`.
fn judge(status: u16, line: Value, reference: &Reference) -> Evidence {
    if let Some(update) = line.get("result") {
        return judge_update(update, reference);
    }
    let error = line.get("error").filter(|error| error.is_object()).cloned().unwrap_or(line);
    let error = Answer { status, body: error };
    let code = ["code", "grpc_code"].into_iter().find_map(|name| integer(error.body.get(name)));
    let words = error.text("message").unwrap_or_default();
    // A server that does not know the path also answers with the code 'not found', but with another message. So the
    // message is checked too.
    if code == Some(NOT_FOUND) && words.contains(NO_SUCH_PAYMENT) {
        return Evidence::NotFound { is_proof: true };
    }
    let refusal = REFUSALS.iter().find(|(beginning, _)| words.starts_with(beginning));
    match refusal {
        Some((_, sentence)) => Evidence::NotSent((*sentence).to_owned()),
        None => Evidence::Unknown(error.words()),
    }
}

fn judge_update(update: &Value, reference: &Reference) -> Evidence {
    let unknown = |why: &str| Evidence::Unknown(why.to_owned());
    let text = |name| update.get(name).and_then(Value::as_str);
    if text("payment_hash").and_then(|named| named.parse().ok()) != Some(reference.payment_hash) {
        return unknown("LND speaks of another payment");
    }
    let asked = decode(&reference.invoice).ok().and_then(|invoice| invoice.amount);
    if asked.is_none() || millisats(update.get("value_msat")) != asked {
        return unknown("LND speaks of another amount");
    }
    match text("status") {
        Some("SUCCEEDED") => {}
        Some("IN_FLIGHT" | "INITIATED") => return Evidence::InFlight,
        Some("FAILED") => {
            let reason = text("failure_reason").unwrap_or_default();
            let known = FAILURES.iter().find(|(name, _)| *name == reason);
            return Evidence::Failed(
                known.map_or("The payment failed.", |(_, sentence)| *sentence).to_owned(),
            );
        }
        Some(other) => return Evidence::Unknown(format!("LND says '{}'", shortened(other))),
        None => return unknown("LND does not say what became of it"),
    }
    // LND writes zeros while it does not know the preimage. If the payment succeeded, these zeros are the preimage.
    match (preimage(update.get("payment_preimage")), millisats(update.get("fee_msat"))) {
        (Ok(Some(preimage)), Some(fee)) => Evidence::Paid { preimage: Some(preimage), fee },
        (Ok(None), _) => unknown("LND gives no preimage"),
        (Err(_), _) => unknown("LND gives a preimage that is none"),
        (_, None) => unknown("LND does not say what the route cost"),
    }
}

impl Lightning for Lnd {
    fn sats(&self) -> SatsKind {
        SatsKind::Real
    }

    fn describe(&self) -> String {
        format!("LND at {}", self.base)
    }

    fn provider_name(&self) -> String {
        format!("lnd {}", self.base)
    }

    fn may_resend(&self) -> bool {
        true
    }

    fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
        decode(text)
    }

    fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>> {
        Box::pin(self.create(new))
    }

    fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>> {
        Box::pin(self.state(reference.payment_hash))
    }

    fn before_paying(&self, _payment: Payment) -> Pending<'_, Result<(), String>> {
        Box::pin(ready(Ok(())))
    }

    fn pay(&self, payment: Payment) -> Pending<'_, Evidence> {
        Box::pin(self.pay_now(payment))
    }

    fn answers(&self, about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>> {
        Box::pin(async move {
            match self.fate(about).await {
                Evidence::NoAnswer(why) | Evidence::Unknown(why) => Err(Unclear(why)),
                Evidence::Paid { .. }
                | Evidence::NotSent(_)
                | Evidence::Failed(_)
                | Evidence::InFlight
                | Evidence::NotFound { .. } => Ok(NodeCheck::Answers),
            }
        })
    }

    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence> {
        Box::pin(self.fate(reference))
    }

    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>> {
        Box::pin(async move {
            let request = self.get("v1/balance/channels");
            let answer = ask(request, self.timeouts.answer).await.map_err(unclear)?;
            let local = answer.body.get("local_balance");
            match millisats(local.and_then(|local| local.get("msat"))) {
                Some(balance) if answer.status == 200 => Ok(balance),
                Some(_) | None => Err(Unclear(answer.words())),
            }
        })
    }

    fn withheld(
        &self,
        payments: Vec<Reference>,
    ) -> Pending<'_, Result<BTreeMap<PaymentHash, Millisats>, Unclear>> {
        Box::pin(async move {
            let mut found = BTreeMap::new();
            for payment in payments {
                let hash = payment.payment_hash;
                found.extend(self.withheld_for(&payment).await?.map(|taken| (hash, taken)));
            }
            Ok(found)
        })
    }

    fn identity(&self) -> Pending<'_, Result<String, Unclear>> {
        Box::pin(async move { Ok(format!("lnd node {}", self.public_key().await?)) })
    }

    fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>> {
        Box::pin(self.lacking())
    }

    fn received(&self, since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>> {
        Box::pin(self.list_received(since))
    }

    fn sent(&self, since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>> {
        Box::pin(self.list_sent(since))
    }
}
