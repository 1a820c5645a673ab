//! A provider that follows the script of a sequence and records each call with its answer.

use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{
    AddressError, Clock, DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, LightningAddresses,
    MadeInvoice, NewInvoice, NodeCheck, Payment, Pending, Received, Reference, SatsKind, Sent, Unclear,
};
use bolts_testkit::FakeClock;
use bolts_wallet::{Evidence, Millisats, PaymentHash};

use crate::invoice::{Slip, decode, preimage};
use crate::model::{Call, Host, Plan, Say, Word};

/// The balance of the provider: more than all users can ever have.
const BALANCE_MSAT: i64 = 1_000_000_000_000_000;

/// A provider that follows a script. Clones share one state.
#[derive(Clone)]
pub(super) struct Scripted {
    clock: FakeClock,
    is_lnd: bool,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// The deposits by their hash: the number of the deposit, and what arrived.
    deposits: HashMap<PaymentHash, (usize, Option<i64>)>,
    /// The withdrawals by their hash.
    payments: HashMap<PaymentHash, Scheduled>,
    is_silent: bool,
    log: Vec<Call>,
}

struct Scheduled {
    withdrawal: usize,
    number: u64,
    plan: Plan,
    unclear: u8,
}

impl Scripted {
    pub(super) fn new(clock: FakeClock, is_lnd: bool) -> Self {
        Self { clock, is_lnd, state: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The calls since the last call of this function.
    pub(super) fn heard(&self) -> Vec<Call> {
        std::mem::take(&mut self.state().log)
    }

    /// Whether the provider answers questions about deposits, and creates invoices.
    pub(super) fn be_silent(&self, is_silent: bool) {
        self.state().is_silent = is_silent;
    }

    /// An invoice of another node.
    pub(super) fn invoice(
        &self,
        msat: Option<i64>,
        network: Option<SatsKind>,
        expires_at: Timestamp,
    ) -> String {
        let mut state = self.state();
        state.next += 1;
        Slip { network, number: state.next, msat, created_at: self.clock.now(), expires_at }.text()
    }

    /// Decides the result of the payment of this invoice by the withdrawal with this number.
    pub(super) fn plan(&self, invoice: &str, withdrawal: usize, plan: Plan) {
        let Ok(decoded) = decode(invoice) else { return };
        let number = invoice.split('.').nth(2).and_then(|number| number.parse().ok()).unwrap_or_default();
        let scheduled = Scheduled { withdrawal, number, plan, unclear: plan.unclear };
        self.state().payments.insert(decoded.payment_hash, scheduled);
    }

    /// Names the deposit of a hash by its number.
    pub(super) fn name_deposit(&self, hash: PaymentHash, deposit: usize) {
        self.state().deposits.insert(hash, (deposit, None));
    }

    /// A payment arrives for a deposit, unless one has arrived before.
    pub(super) fn receive(&self, hash: PaymentHash, msat: i64) {
        if let Some((_, received)) = self.state().deposits.get_mut(&hash) {
            received.get_or_insert(msat);
        }
    }

    fn evidence(&self, say: Say, scheduled: &Scheduled) -> (Evidence, Word) {
        let why = || "as the script has it".to_owned();
        match say {
            Say::Paid => {
                let fee = Millisats::new(scheduled.plan.fee_msat).unwrap_or_default();
                let preimage = Some(preimage(scheduled.number));
                (Evidence::Paid { preimage, fee }, Word::Paid { fee_msat: scheduled.plan.fee_msat })
            }
            Say::NotSent => (Evidence::NotSent(why()), Word::NotSent),
            Say::Failed => (Evidence::Failed(why()), Word::Failed),
            Say::InFlight => (Evidence::InFlight, Word::InFlight),
            Say::NotFound => (Evidence::NotFound { is_proof: self.is_lnd }, Word::NotFound),
            Say::Unclear => (Evidence::NoAnswer(why()), Word::Unknown),
        }
    }

    fn about_payment(&self, hash: PaymentHash, is_order: bool) -> Evidence {
        let mut state = self.state();
        let Some(scheduled) = state.payments.get_mut(&hash) else {
            return Evidence::Unknown("a payment without a plan".to_owned());
        };
        let say = if is_order {
            scheduled.plan.said
        } else if scheduled.unclear > 0 {
            scheduled.unclear -= 1;
            Say::Unclear
        } else {
            scheduled.plan.then
        };
        let (evidence, word) = self.evidence(say, scheduled);
        let withdrawal = scheduled.withdrawal;
        let call = if is_order { Call::Pay { withdrawal, word } } else { Call::LookUp { withdrawal, word } };
        state.log.push(call);
        evidence
    }
}

fn unclear() -> Unclear {
    Unclear("the provider is silent".to_owned())
}

fn answer<T: Send + 'static>(value: T) -> Pending<'static, T> {
    Box::pin(ready(value))
}

impl Lightning for Scripted {
    fn sats(&self) -> SatsKind {
        SatsKind::Real
    }

    fn describe(&self) -> String {
        "a script".to_owned()
    }

    fn provider_name(&self) -> String {
        "script".to_owned()
    }

    fn may_resend(&self) -> bool {
        self.is_lnd
    }

    fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
        decode(text)
    }

    fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>> {
        if self.state().is_silent {
            return answer(Err(unclear()));
        }
        let now = self.clock.now();
        let msat = Some(new.amount.get() * 1_000);
        let invoice = self.invoice(msat, Some(SatsKind::Real), now.after(new.lifetime));
        let made =
            decode(&invoice).map(|decoded| MadeInvoice { invoice, payment_hash: decoded.payment_hash });
        answer(made.map_err(|error| Unclear(error.to_string())))
    }

    fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>> {
        let mut state = self.state();
        let Some((deposit, received)) = state.deposits.get(&reference.payment_hash).copied() else {
            return answer(Err(unclear()));
        };
        let is_silent = state.is_silent;
        state.log.push(Call::LookUpDeposit { deposit, received: (!is_silent).then_some(received) });
        if is_silent {
            return answer(Err(unclear()));
        }
        let paid = received.and_then(|msat| Millisats::new(msat).ok());
        answer(Ok(paid.map_or(InvoiceState::Unpaid, InvoiceState::Paid)))
    }

    fn paid_among(
        &self,
        invoices: Vec<Reference>,
        _since: Timestamp,
    ) -> Pending<'_, Result<Vec<(PaymentHash, Millisats)>, Unclear>> {
        let mut state = self.state();
        let is_clear = !state.is_silent;
        if !is_clear {
            state.log.push(Call::List { is_clear });
            return answer(Err(unclear()));
        }
        let mut paid = Vec::new();
        for hash in invoices.into_iter().map(|invoice| invoice.payment_hash) {
            if let Some((deposit, Some(msat))) = state.deposits.get(&hash).copied() {
                state.log.push(Call::Listed { deposit, msat });
                paid.extend(Millisats::new(msat).ok().map(|msat| (hash, msat)));
            }
        }
        state.log.push(Call::List { is_clear });
        answer(Ok(paid))
    }

    fn before_paying(&self, payment: Payment) -> Pending<'_, Result<(), String>> {
        let mut state = self.state();
        let scheduled = state.payments.get(&payment.reference.payment_hash);
        let found = scheduled.map(|scheduled| (scheduled.withdrawal, scheduled.plan.is_possible));
        let Some((withdrawal, is_possible)) = found else { return answer(Ok(())) };
        state.log.push(Call::Before { withdrawal, is_possible });
        answer(if is_possible { Ok(()) } else { Err("The route costs too much.".to_owned()) })
    }

    fn pay(&self, payment: Payment) -> Pending<'_, Evidence> {
        answer(self.about_payment(payment.reference.payment_hash, true))
    }

    fn answers(&self, _about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>> {
        answer(Ok(NodeCheck::Answers))
    }

    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence> {
        answer(self.about_payment(reference.payment_hash, false))
    }

    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>> {
        answer(Millisats::new(BALANCE_MSAT).map_err(|error| Unclear(error.to_string())))
    }

    fn withheld(
        &self,
        _payments: Vec<Reference>,
    ) -> Pending<'_, Result<BTreeMap<PaymentHash, Millisats>, Unclear>> {
        answer(Ok(BTreeMap::new()))
    }

    fn identity(&self) -> Pending<'_, Result<String, Unclear>> {
        answer(Ok("script".to_owned()))
    }

    fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>> {
        answer(Ok(None))
    }

    // The solvency check runs once, before the first action, so both lists are empty.
    fn received(&self, _since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>> {
        answer(Ok(Vec::new()))
    }

    fn sent(&self, _since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>> {
        answer(Ok(Vec::new()))
    }
}

/// The server of each Lightning address. Its invoices come from the provider.
#[derive(Clone)]
pub(super) struct Hosts {
    provider: Scripted,
    /// What becomes of the payment of the next invoice: the number of the withdrawal, and the plan.
    next: Arc<Mutex<Option<(usize, Plan)>>>,
}

/// The Lightning address of this server.
pub(super) fn address(host: Host) -> String {
    match host {
        Host::Right => "right@pay.example",
        Host::OtherAmount => "amount@pay.example",
        Host::OtherNetwork => "network@pay.example",
        Host::Expired => "expired@pay.example",
        Host::Away => "away@pay.example",
        Host::Malformed => "no address",
    }
    .to_owned()
}

impl Hosts {
    pub(super) fn new(provider: Scripted) -> Self {
        Self { provider, next: Arc::default() }
    }

    /// Decides the result of the payment of the next invoice.
    pub(super) fn plan(&self, withdrawal: usize, plan: Plan) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some((withdrawal, plan));
    }

    fn make(&self, address: &str, amount: Amount) -> Result<DecodedInvoice, AddressError> {
        let is = |host| address == self::address(host);
        if is(Host::Away) {
            return Err(AddressError::Unreachable("nobody answers".to_owned()));
        }
        let now = self.provider.clock.now();
        let sats = if is(Host::OtherAmount) { amount.get() + 1 } else { amount.get() };
        let network = if is(Host::OtherNetwork) { SatsKind::Test } else { SatsKind::Real };
        let expires_at = if is(Host::Expired) { now } else { now.after(Duration::from_secs(3_600)) };
        let invoice = self.provider.invoice(Some(sats * 1_000), Some(network), expires_at);
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((withdrawal, plan)) = next {
            self.provider.plan(&invoice, withdrawal, plan);
        }
        decode(&invoice).map_err(|error| AddressError::WrongInvoice(error.to_string()))
    }
}

impl LightningAddresses for Hosts {
    fn invoice(&self, address: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>> {
        answer(self.make(&address, amount))
    }
}
