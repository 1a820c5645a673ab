//! The adapter for a wallet on an LNbits server.

mod list;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{
    DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, MadeInvoice, NewInvoice, NodeCheck, Payment,
    Pending, Received, Reference, SatsKind, Sent, Unclear,
};
use bolts_wallet::{Evidence, HexError, Millisats, PaymentHash, Preimage};
use reqwest::header::HeaderValue;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use url::Url;

use crate::BadOption;
use crate::evidence::{integer, millisats, preimage, shortened};
use crate::http::{Answer, Failure, Timeouts, ask, client};
use crate::invoice::decode;
use crate::options::{base, secret};
use crate::owner;

/// The messages with which LNbits (1.6.2) refuses a payment before it sends anything. Each row contains the HTTP
/// status, the exact message, and the message for users. A full stop at the end of LNbits' message is ignored.
const REFUSALS: [(u16, &str, &str); 12] = [
    (520, "Insufficient balance", NOT_NOW),
    (520, "Bolt11 decoding failed", NOT_THIS),
    (520, "Amountless invoices not supported", NOT_THIS),
    (520, "Invalid invoice. Bolt11 changed", NOT_THIS),
    (520, "Internal payment not found", NOT_THIS),
    (401, "No Api Key provided", NOT_OURS),
    (403, "Invalid adminkey", NOT_OURS),
    (403, "Invoice (or Admin) key required", NOT_OURS),
    (404, "Wallet not found", NOT_OURS),
    (520, "Only incoming payments allowed", NOT_OURS),
    (520, "Wallet does not have permission to pay invoices", NOT_OURS),
    (400, "It is not allowed to spend funds from this server", NOT_OURS),
];

/// The beginnings of further refusals of LNbits. Each of these messages continues with a number.
const BEGINNINGS: [(u16, &str, &str); 4] = [
    (520, "You must reserve at least (", NOT_NOW),
    (520, "Invoice amount ", NOT_THIS),
    (520, "The time limit of ", NOT_NOW),
    (400, "Daily withdrawal limit of ", NOT_NOW),
];

/// The prefix that LNbits adds before a message of its node. The node may itself be an LNbits server, so the prefix
/// can occur several times.
const OF_NODE: &str = "Payment failed: ";

/// The messages of a node that gave up a payment for good or never sent it: LND's reasons, and the message of LNbits'
/// FakeWallet. After the prefix [`OF_NODE`], no other message proves this.
const NODE_WORDS: [(&str, &str); 6] = [
    ("FAILURE_REASON_TIMEOUT", NO_ROUTE),
    ("FAILURE_REASON_NO_ROUTE", NO_ROUTE),
    ("FAILURE_REASON_INCORRECT_PAYMENT_DETAILS", NOT_TAKEN),
    ("FAILURE_REASON_INSUFFICIENT_BALANCE", NOT_NOW),
    ("FAILURE_REASON_CANCELED", NOT_TAKEN),
    ("Only internal invoices can be used!", NO_ROUTE),
];

/// The beginning of LNbits' message for a client that has sent too many requests in a minute. LNbits checks this limit
/// before it processes the request.
const LIMITED: &str = "Rate limit exceeded: ";

/// The name of the field in a record's `extra` that contains the owner of a deposit.
const DEPOSIT: &str = "bolts_deposit";

/// The name of the field in a record's `extra` that contains the owner of a withdrawal.
const WITHDRAWAL: &str = "bolts_withdrawal";

const BUSY: &str = "The site's Lightning wallet is too busy now.";
const NOT_NOW: &str = "The site's Lightning wallet cannot pay so much now.";
const NOT_THIS: &str = "The site's Lightning wallet cannot pay this invoice.";
const NOT_OURS: &str = "The site's Lightning wallet is not set up to pay.";
const NO_WALLET: &str = "The site's Lightning wallet could not be reached.";
const NO_ROUTE: &str = "No route to the invoice's node was found.";
const NOT_TAKEN: &str = "The invoice's node did not take the payment.";
const TOO_DEAR: &str = "The site's Lightning wallet might spend more on the route than was set aside for it.";

/// The address and the keys of a wallet on an LNbits server.
#[derive(Clone)]
pub struct LnbitsOptions {
    /// The URL of the server, without `/api`.
    pub url: String,
    /// The wallet's admin key, which may pay.
    pub admin_key: String,
    /// The wallet's invoice key, for calls that create or look up invoices or read the balance. Without it, these
    /// calls use the admin key.
    pub invoice_key: Option<String>,
    /// The time-outs of calls to the server.
    pub timeouts: Timeouts,
}

impl fmt::Debug for LnbitsOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LnbitsOptions").field("url", &self.url).finish_non_exhaustive()
    }
}

/// A wallet on an LNbits server (1.x), used through its REST interface.
///
/// LNbits answers from its own records. A record may say 'failed' although the node has sent the payment. Therefore
/// only a refusal that is known to come before sending proves that a payment was not made.
#[derive(Clone, Debug)]
pub struct Lnbits {
    base: Url,
    admin_key: HeaderValue,
    invoice_key: HeaderValue,
    client: Client,
    timeouts: Timeouts,
    /// The id of the admin key's wallet, once LNbits has reported it.
    wallet_id: OnceLock<String>,
}

impl Lnbits {
    /// Creates the adapter. This sends no request yet.
    ///
    /// # Errors
    /// [`BadOption`] if an address or a key is not valid.
    pub fn new(options: &LnbitsOptions) -> Result<Self, BadOption> {
        let base = base("the address of LNbits", &options.url)?;
        let admin_key = secret("the admin key of LNbits", &options.admin_key)?;
        let invoice_key = match &options.invoice_key {
            Some(key) => secret("the invoice key of LNbits", key)?,
            None => admin_key.clone(),
        };
        let timeouts = options.timeouts;
        let client = client(Client::builder(), &timeouts)?;
        Ok(Self { base, admin_key, invoice_key, client, timeouts, wallet_id: OnceLock::new() })
    }

    fn get(&self, key: &HeaderValue, path: &str) -> RequestBuilder {
        self.client.get(format!("{}api/v1/{path}", self.base)).header("X-Api-Key", key)
    }

    fn post(&self, key: &HeaderValue, body: &Value) -> RequestBuilder {
        let request = self.client.post(format!("{}api/v1/payments", self.base));
        request.header("X-Api-Key", key).json(body)
    }

    async fn look_up(&self, key: &HeaderValue, hash: PaymentHash) -> Result<Answer, Failure> {
        ask(self.get(key, &format!("payments/{hash}")), self.timeouts.answer).await
    }

    async fn create(&self, new: NewInvoice) -> Result<MadeInvoice, Unclear> {
        let mut answer = self.ask_for(&new, new.webhook.as_deref()).await?;
        // If LNbits refuses the webhook, the adapter creates the invoice without it. A webhook only makes a deposit
        // show earlier.
        if new.webhook.is_some() && answer.status == 400 && answer.text("detail").is_some_and(is_of_webhook) {
            answer = self.ask_for(&new, None).await?;
        }
        if answer.status != 201 {
            return Err(Unclear(answer.words()));
        }
        // If the invoice key belongs to another wallet, the invoice belongs to that wallet too.
        if self.wallet_id.get().is_some_and(|id| answer.text("wallet_id") != Some(id)) {
            return Err(Unclear("LNbits made an invoice for another wallet than the admin key's".to_owned()));
        }
        let hash = answer.text("payment_hash").and_then(|hash| hash.parse().ok());
        match (answer.text("bolt11"), hash) {
            (Some(invoice), Some(payment_hash)) => {
                Ok(MadeInvoice { invoice: invoice.to_owned(), payment_hash })
            }
            _ => Err(Unclear("LNbits made an invoice and did not give it".to_owned())),
        }
    }

    async fn ask_for(&self, new: &NewInvoice, webhook: Option<&str>) -> Result<Answer, Unclear> {
        let body = json!({
            "out": false,
            "amount": new.amount.get(),
            "unit": "sat",
            "memo": new.memo,
            "expiry": new.lifetime.as_secs(),
            "webhook": webhook,
            "extra": { DEPOSIT: owner::written(&new.owner) },
        });
        ask(self.post(&self.invoice_key, &body), self.timeouts.answer).await.map_err(unclear)
    }

    async fn state(&self, hash: PaymentHash) -> Result<InvoiceState, Unclear> {
        let answer = self.look_up(&self.invoice_key, hash).await.map_err(unclear)?;
        if answer.status != 200 {
            return Err(Unclear(answer.words()));
        }
        let details = details(&answer, hash).map_err(|why| Unclear(why.to_owned()))?;
        match (flag(&answer), millisats(details.get("amount"))) {
            (Some(true), Some(amount)) => Ok(InvoiceState::Paid(amount)),
            (Some(false), Some(_)) => Ok(InvoiceState::Unpaid),
            (_, None) => Err(Unclear("LNbits does not say how much came in".to_owned())),
            (None, _) => Err(Unclear("LNbits does not say whether it was paid".to_owned())),
        }
    }

    async fn pay_now(&self, payment: Payment) -> Evidence {
        let extra = json!({ WITHDRAWAL: owner::written(&payment.owner) });
        let body = json!({ "out": true, "bolt11": payment.reference.invoice, "extra": extra });
        match ask(self.post(&self.admin_key, &body), self.timeouts.payment).await {
            Ok(answer) if answer.status == 201 => judge(&answer.body, &payment.reference),
            Ok(answer) => {
                refusal(&answer).map_or_else(|| Evidence::Unknown(answer.words()), Evidence::NotSent)
            }
            Err(Failure::NoConnection(_)) => Evidence::NotSent(NO_WALLET.to_owned()),
            Err(failure @ Failure::NoAnswer(_)) => Evidence::NoAnswer(failure.into_words()),
        }
    }

    /// Checks that LNbits cannot spend more on the route than the fee limit. LNbits accepts no fee limit with a
    /// payment. Its operator sets the fee that its node may spend, and this call asks for that fee.
    async fn check_reserve(&self, payment: &Payment) -> Result<(), String> {
        let request = self.get(&self.admin_key, "payments/fee-reserve");
        let request = request.query(&[("invoice", &payment.reference.invoice)]);
        let answer = match ask(request, self.timeouts.answer).await {
            Ok(answer) if answer.status == 200 => answer,
            Ok(answer) => return Err(refusal(&answer).unwrap_or_else(|| NO_WALLET.to_owned())),
            Err(_) => return Err(NO_WALLET.to_owned()),
        };
        match millisats(answer.body.get("fee_reserve")) {
            Some(reserve) if reserve <= Millisats::from_sats(payment.fee_limit) => Ok(()),
            Some(_) => Err(TOO_DEAR.to_owned()),
            None => Err(NO_WALLET.to_owned()),
        }
    }

    /// Checks that LNbits and its node answer. LNbits answers look-ups from its own records even if the node is
    /// offline. Only the node can create an invoice, so the call creates one.
    async fn node_answers(&self, about: Reference) -> Result<NodeCheck, Unclear> {
        let answer = self.look_up(&self.admin_key, about.payment_hash).await.map_err(unclear)?;
        // LNbits counts look-ups and new invoices separately, so it may still accept the invoice below.
        if !is_limited(&answer) && !matches!(answer.status, 200 | 404) {
            return Err(Unclear(answer.words()));
        }
        let probe = json!({
            "out": false,
            "amount": PROBE_SATS,
            "unit": "sat",
            "memo": "Bolts asks whether the node answers",
            "expiry": PROBE_LIFETIME.as_secs(),
        });
        let answer =
            ask(self.post(&self.invoice_key, &probe), self.timeouts.answer).await.map_err(unclear)?;
        match answer.status {
            201 => Ok(NodeCheck::Answers),
            _ if is_limited(&answer) => Ok(NodeCheck::NotAsked),
            _ => Err(Unclear(answer.words())),
        }
    }

    async fn fate(&self, reference: Reference) -> Evidence {
        let answer = match self.look_up(&self.admin_key, reference.payment_hash).await {
            Ok(answer) => answer,
            Err(failure) => return Evidence::NoAnswer(failure.into_words()),
        };
        match (answer.status, answer.text("detail")) {
            (200, _) => {}
            // 'Not found' may also mean that LNbits lost or deleted its records, or that the key belongs to
            // another wallet.
            (404, Some("Payment does not exist.")) => return Evidence::NotFound { is_proof: false },
            _ => return Evidence::Unknown(answer.words()),
        }
        match details(&answer, reference.payment_hash) {
            // The record is an invoice of this wallet. If there were a payment with the same hash, LNbits would show
            // the payment instead.
            Ok(details) if integer(details.get("amount")).is_some_and(|amount| amount > 0) => {
                Evidence::NotFound { is_proof: false }
            }
            Ok(details) => judge(details, &reference),
            Err(why) => Evidence::Unknown(why.to_owned()),
        }
    }
}

/// Whether LNbits refused the invoice because its setting `lnbits_callback_url_rules` does not allow calls to this
/// site. The default setting allows host names with a dot, but no IP addresses.
fn is_of_webhook(detail: &str) -> bool {
    detail.starts_with("Callback URL ")
}

fn unclear(failure: Failure) -> Unclear {
    Unclear(failure.into_words())
}

/// The amount in sats of an invoice that only shows whether the node behind LNbits answers. No user sees this
/// invoice.
const PROBE_SATS: i64 = 1;

/// The lifetime of an invoice that only shows whether the node behind LNbits answers.
const PROBE_LIFETIME: Duration = Duration::from_mins(1);

/// Whether LNbits refused the request because its rate limit is reached.
fn is_limited(answer: &Answer) -> bool {
    answer.status == 429 && answer.text("error").is_some_and(|text| text.starts_with(LIMITED))
}

/// The message for the user, if the answer proves that nothing was sent, or that the node gave up the payment for
/// good. `None` for any other answer.
fn refusal(answer: &Answer) -> Option<String> {
    if is_limited(answer) {
        return Some(BUSY.to_owned());
    }
    let detail = answer.text("detail")?;
    let (mut words, mut is_of_node) = (detail.trim_end_matches('.'), false);
    while let Some(rest) = words.strip_prefix(OF_NODE).filter(|_| answer.status == 520) {
        (words, is_of_node) = (rest, true);
    }
    // After the node's prefix, LNbits' own refusals prove nothing: the node, which may be another LNbits server, wrote
    // the message, and it may have sent the payment.
    let sentence = if is_of_node {
        NODE_WORDS.iter().find(|(known, _)| *known == words).map(|(_, sentence)| *sentence)
    } else {
        let is_known = |status: u16| status == answer.status;
        let whole = REFUSALS.iter().find(|(status, known, _)| is_known(*status) && *known == words);
        let begun =
            || BEGINNINGS.iter().find(|(status, known, _)| is_known(*status) && words.starts_with(known));
        whole.or_else(begun).map(|(_, _, sentence)| *sentence)
    };
    sentence.map(str::to_owned)
}

/// The wallet's record of the payment. If the key belongs to no wallet, LNbits leaves out this record, and its answer
/// is about the payment of any wallet.
fn details(answer: &Answer, hash: PaymentHash) -> Result<&Value, &'static str> {
    let details = answer.body.get("details").ok_or("LNbits does not know the key")?;
    let named = details.get("payment_hash").and_then(Value::as_str).and_then(|named| named.parse().ok());
    if named == Some(hash) { Ok(details) } else { Err("LNbits speaks of another payment") }
}

fn flag(answer: &Answer) -> Option<bool> {
    answer.body.get("paid")?.as_bool()
}

/// The evidence in LNbits' record of an outgoing payment.
fn judge(record: &Value, reference: &Reference) -> Evidence {
    let unknown = |why: &str| Evidence::Unknown(why.to_owned());
    let text = |name| record.get(name).and_then(Value::as_str);
    let hash = text("payment_hash").and_then(|hash| hash.parse().ok());
    if hash != Some(reference.payment_hash) {
        return unknown("LNbits speaks of another payment");
    }
    let asked = decode(&reference.invoice).ok().and_then(|invoice| invoice.amount);
    let sent = integer(record.get("amount")).and_then(|amount| Millisats::new(-amount).ok());
    if sent.is_none() || sent != asked {
        return unknown("LNbits speaks of another amount");
    }
    match text("status") {
        Some("success") => {}
        Some("pending") => return Evidence::InFlight,
        Some("failed") => {
            return unknown("LNbits says that it failed, which it may say of what its node has sent");
        }
        Some(other) => return Evidence::Unknown(format!("LNbits says '{}'", shortened(other))),
        None => return unknown("LNbits does not say what became of it"),
    }
    // The fee of an outgoing payment is negative, because it is taken from the wallet. The fee of a payment
    // inside LNbits is positive.
    let fee = integer(record.get("fee")).and_then(|fee| Millisats::new(fee.checked_abs()?).ok());
    match (preimage_of(record), fee) {
        (Ok(preimage), Some(fee)) => Evidence::Paid { preimage, fee },
        (Err(_), _) => unknown("LNbits gives a preimage that is none"),
        (_, None) => unknown("LNbits does not say what the route cost"),
    }
}

/// The preimage in LNbits' record of a payment. LNbits may write zeros instead of a preimage that it does not know.
fn preimage_of(record: &Value) -> Result<Option<Preimage>, HexError> {
    let is_zeros = |value: &&Value| value.as_str().is_some_and(|text| text.bytes().all(|byte| byte == b'0'));
    preimage(record.get("preimage").filter(|value| !is_zeros(value)))
}

impl Lightning for Lnbits {
    fn sats(&self) -> SatsKind {
        SatsKind::Real
    }

    fn describe(&self) -> String {
        format!("LNbits at {}", self.base)
    }

    fn provider_name(&self) -> String {
        format!("lnbits {}", self.base)
    }

    fn may_resend(&self) -> bool {
        false
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

    fn before_paying(&self, payment: Payment) -> Pending<'_, Result<(), String>> {
        Box::pin(async move { self.check_reserve(&payment).await })
    }

    fn pay(&self, payment: Payment) -> Pending<'_, Evidence> {
        Box::pin(self.pay_now(payment))
    }

    fn answers(&self, about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>> {
        Box::pin(self.node_answers(about))
    }

    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence> {
        Box::pin(self.fate(reference))
    }

    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>> {
        Box::pin(async move {
            let request = self.get(&self.invoice_key, "wallet");
            let answer = ask(request, self.timeouts.answer).await.map_err(unclear)?;
            match millisats(answer.body.get("balance")) {
                Some(balance) if answer.status == 200 => Ok(balance),
                Some(_) | None => Err(Unclear(answer.words())),
            }
        })
    }

    fn withheld(
        &self,
        payments: Vec<Reference>,
    ) -> Pending<'_, Result<BTreeMap<PaymentHash, Millisats>, Unclear>> {
        Box::pin(async move { self.list_withheld(&payments).await })
    }

    fn identity(&self) -> Pending<'_, Result<String, Unclear>> {
        Box::pin(async move { Ok(format!("lnbits wallet {}", self.wallet_id().await?)) })
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
