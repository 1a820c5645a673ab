//! A Lightning provider whose answers a test sets. It records its calls.

use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{
    AddressError, Clock, DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, LightningAddresses,
    MadeInvoice, NewInvoice, NodeCheck, Payment, Pending, Received, Reference, SatsKind, Sent, Unclear,
};
use bolts_testkit::{FakeClock, msat};
use bolts_wallet::{Evidence, Millisats, PaymentHash, Preimage};

use crate::stage::HOUR;

/// What happens while the provider answers a call.
type Meanwhile = Box<dyn FnOnce() -> Pending<'static, ()> + Send>;

/// A provider. Clones share one state.
#[derive(Clone)]
pub(crate) struct Node {
    clock: Arc<FakeClock>,
    books: Arc<Mutex<Books>>,
}

/// The answers of the provider. `None` means that the provider does not answer.
pub(crate) struct Books {
    pub(crate) sats: SatsKind,
    pub(crate) name: &'static str,
    pub(crate) may_resend: bool,
    pub(crate) identity: Option<&'static str>,
    pub(crate) rights: Option<Option<&'static str>>,
    pub(crate) balance: Option<i64>,
    pub(crate) withheld: Option<BTreeMap<PaymentHash, Millisats>>,
    pub(crate) sent: Option<Vec<Sent>>,
    pub(crate) received: Option<Vec<Received>>,
    /// What arrived for an invoice of the provider. `None` if the provider is silent about its invoices.
    pub(crate) arrived: Option<BTreeMap<PaymentHash, Millisats>>,
    /// The answer to the fee question.
    pub(crate) fee_question: Result<(), String>,
    /// The answer to a call to pay.
    pub(crate) pay: Evidence,
    /// The answer to a look-up of a payment.
    pub(crate) look_up: Evidence,
    pub(crate) answers: Option<NodeCheck>,
    /// The next new invoice, instead of one that fits the request.
    pub(crate) next_invoice: Option<MadeInvoice>,
    /// The calls, each with its subject.
    pub(crate) calls: Vec<(&'static str, String)>,
    /// The number of the latest invoice.
    latest: u32,
    invoices: HashMap<String, DecodedInvoice>,
    meanwhile: HashMap<&'static str, Meanwhile>,
}

/// The preimage with this number.
pub(crate) fn proof(number: u32) -> Preimage {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    Preimage::new(bytes)
}

impl Node {
    /// A provider that answers all calls and holds 1,000,000,000 sats. The numbers of its invoices begin after `first`.
    pub(super) fn new(clock: Arc<FakeClock>, sats: SatsKind, first: u32) -> Self {
        let books = Books {
            sats,
            latest: first,
            name: "node",
            may_resend: false,
            identity: Some("the node"),
            rights: Some(None),
            balance: Some(1_000_000_000_000),
            withheld: Some(BTreeMap::new()),
            sent: Some(Vec::new()),
            received: Some(Vec::new()),
            arrived: Some(BTreeMap::new()),
            fee_question: Ok(()),
            pay: Evidence::Paid { preimage: None, fee: msat(2_000) },
            look_up: Evidence::InFlight,
            answers: Some(NodeCheck::Answers),
            next_invoice: None,
            calls: Vec::new(),
            invoices: HashMap::new(),
            meanwhile: HashMap::new(),
        };
        Self { clock, books: Arc::new(Mutex::new(books)) }
    }

    /// The answers and the calls. A test must not hold them during a call.
    pub(crate) fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets this happen while the provider answers the next call of this name.
    pub(crate) fn meanwhile<F>(&self, call: &'static str, event: impl FnOnce() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.books().meanwhile.insert(call, Box::new(move || Box::pin(event())));
    }

    /// A new invoice of this amount that expires after an hour.
    pub(crate) fn invoice(&self, msat: i64) -> String {
        self.invoice_like(|invoice| invoice.amount = Millisats::new(msat).ok())
    }

    /// A new invoice of 1,000 sats that expires after an hour, with changes.
    pub(crate) fn invoice_like(&self, change: impl FnOnce(&mut DecodedInvoice)) -> String {
        let (now, mut books) = (self.clock.now(), self.books());
        books.latest += 1;
        let number = books.latest;
        let mut invoice = DecodedInvoice {
            text: format!("lnbc{number}"),
            network: Some(books.sats),
            payment_hash: proof(number).payment_hash(),
            amount: Some(msat(1_000_000)),
            created_at: now,
            expires_at: now.after(HOUR),
            description: Some("a coffee".to_owned()),
            description_hash: None,
            payee: "02".repeat(33),
        };
        change(&mut invoice);
        let text = invoice.text.clone();
        books.invoices.insert(text.clone(), invoice);
        text
    }

    /// The content of an invoice.
    pub(crate) fn decoded(&self, text: &str) -> DecodedInvoice {
        self.books().invoices.get(text).cloned().expect("an invoice of the test")
    }

    /// A payment arrives for this invoice.
    pub(crate) fn receive(&self, hash: PaymentHash, msat: i64) {
        let (msat, mut books) = (Millisats::new(msat).expect("not below 0"), self.books());
        books.arrived.get_or_insert_default().insert(hash, msat);
    }

    /// The provider lists this paid invoice from now on.
    pub(crate) fn list_received(&self, received: Received) {
        self.books().received.get_or_insert_default().push(received);
    }

    /// The number of calls of this name so far.
    pub(crate) fn count(&self, call: &str) -> usize {
        self.books().calls.iter().filter(|(name, _)| *name == call).count()
    }

    /// The subject of the latest call of this name.
    pub(crate) fn latest(&self, call: &str) -> String {
        let books = self.books();
        let found = books.calls.iter().rev().find(|(name, _)| *name == call);
        found.map(|(_, about)| about.clone()).unwrap_or_default()
    }

    /// Records a call. The answer is decided at once, and arrives after other tasks had their turn.
    fn answer<T: Send + 'static>(
        &self,
        (call, about): (&'static str, String),
        decide: impl FnOnce(&Books) -> T,
    ) -> Pending<'static, T> {
        let mut books = self.books();
        books.calls.push((call, about));
        let (value, meanwhile) = (decide(&books), books.meanwhile.remove(call));
        Box::pin(async move {
            if let Some(event) = meanwhile {
                event().await;
            }
            one_turn().await;
            value
        })
    }
}

/// Lets all other tasks go on once.
pub(crate) async fn one_turn() {
    let mut is_late = true;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut is_late, false) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

fn told<T>(answer: Option<T>) -> Result<T, Unclear> {
    answer.ok_or_else(|| Unclear("a time-out".to_owned()))
}

impl Lightning for Node {
    fn sats(&self) -> SatsKind {
        self.books().sats
    }

    fn describe(&self) -> String {
        format!("a {} of a test", self.books().name)
    }

    fn provider_name(&self) -> String {
        self.books().name.to_owned()
    }

    fn may_resend(&self) -> bool {
        self.books().may_resend
    }

    fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
        let found = self.books().invoices.get(text).cloned();
        found.ok_or_else(|| InvalidInvoice("an unknown text".to_owned()))
    }

    fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>> {
        let asked = format!("{} sats, {:?}", new.amount, new.webhook);
        let invoice = self.invoice(new.amount.get() * 1_000);
        let payment_hash = self.decoded(&invoice).payment_hash;
        let next = self.books().next_invoice.take();
        let made = next.unwrap_or(MadeInvoice { invoice, payment_hash });
        self.answer(("create", asked), |books| told(books.arrived.as_ref().map(|_| made)))
    }

    fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>> {
        let hash = reference.payment_hash;
        self.answer(("look up invoice", reference.invoice), |books| {
            let arrived = told(books.arrived.as_ref())?;
            Ok(arrived.get(&hash).map_or(InvoiceState::Unpaid, |msat| InvoiceState::Paid(*msat)))
        })
    }

    fn paid_among(
        &self,
        invoices: Vec<Reference>,
        since: Timestamp,
    ) -> Pending<'_, Result<Vec<(PaymentHash, Millisats)>, Unclear>> {
        self.answer(("list", since.to_string()), |books| {
            let arrived = told(books.arrived.as_ref())?;
            let hashes = invoices.into_iter().map(|invoice| invoice.payment_hash);
            Ok(hashes.filter_map(|hash| Some((hash, *arrived.get(&hash)?))).collect())
        })
    }

    fn before_paying(&self, payment: Payment) -> Pending<'_, Result<(), String>> {
        self.answer(("fee question", payment.reference.invoice), |books| books.fee_question.clone())
    }

    fn pay(&self, payment: Payment) -> Pending<'_, Evidence> {
        self.answer(("pay", payment.reference.invoice), |books| books.pay.clone())
    }

    fn answers(&self, about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>> {
        self.answer(("answers", about.invoice), |books| told(books.answers))
    }

    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence> {
        self.answer(("look up payment", reference.invoice), |books| books.look_up.clone())
    }

    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>> {
        self.answer(("balance", String::new()), |books| told(books.balance.map(msat)))
    }

    fn withheld(
        &self,
        payments: Vec<Reference>,
    ) -> Pending<'_, Result<BTreeMap<PaymentHash, Millisats>, Unclear>> {
        let asked: Vec<String> = payments.into_iter().map(|payment| payment.invoice).collect();
        self.answer(("withheld", asked.join(" ")), |books| told(books.withheld.clone()))
    }

    fn identity(&self) -> Pending<'_, Result<String, Unclear>> {
        self.answer(("identity", String::new()), |books| told(books.identity.map(str::to_owned)))
    }

    fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>> {
        self.answer(("rights", String::new()), |books| {
            told(books.rights.map(|missing| missing.map(str::to_owned)))
        })
    }

    fn received(&self, since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>> {
        self.answer(("received", since.to_string()), |books| {
            let listed = told(books.received.as_ref())?.iter();
            Ok(listed.filter(|one| one.created_at >= since).cloned().collect())
        })
    }

    fn sent(&self, since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>> {
        self.answer(("sent", since.to_string()), |books| {
            let listed = told(books.sent.as_ref())?.iter();
            Ok(listed.filter(|one| one.created_at >= since).cloned().collect())
        })
    }
}

/// The server of each Lightning address. It gives an invoice of the amount, unless the name of the address is an amount in
/// sats.
impl LightningAddresses for Node {
    fn invoice(&self, address: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>> {
        let named = address.split('@').next().and_then(|name| name.parse::<i64>().ok());
        let invoice = Node::invoice(self, named.unwrap_or(amount.get()) * 1_000);
        let decoded = self.decoded(&invoice);
        self.answer(("address", address), |_| Ok(decoded))
    }
}
