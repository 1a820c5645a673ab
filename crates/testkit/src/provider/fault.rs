//! Faults of the scripted provider.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::PoisonError;
use std::time::Duration;

use super::{Provider, Reply, Shared};

/// A kind of request that Bolts sends to the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    /// Create an invoice.
    CreateInvoice,
    /// Look up an invoice that the provider created.
    LookUpInvoice,
    /// Ask for the maximum fee of a payment. Only LNbits has this request.
    FeeReserve,
    /// Make a payment.
    Pay,
    /// Look up a payment.
    LookUpPayment,
    /// Ask for the balance.
    Balance,
    /// Ask for the provider's identity, and for the rights of the API keys.
    Introduce,
    /// Ask for the list of payments or invoices.
    List,
}

impl Call {
    /// All calls.
    pub const ALL: [Self; 8] = [
        Self::CreateInvoice,
        Self::LookUpInvoice,
        Self::FeeReserve,
        Self::Pay,
        Self::LookUpPayment,
        Self::Balance,
        Self::Introduce,
        Self::List,
    ];
}

/// A way in which a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request is not carried out, and no answer comes.
    TimeOutBefore,
    /// The request is carried out, but no answer comes.
    TimeOutAfter,
    /// The request is not carried out, and the connection is closed.
    CloseBefore,
    /// The request is carried out, and then the connection is closed.
    CloseAfter,
    /// The request is not carried out. The answer is a 5xx.
    ErrorBefore,
    /// The request is carried out. The answer is a 5xx.
    ErrorAfter,
    /// The request is carried out. The connection ends in the middle of the answer.
    CutBody,
    /// The request is carried out. The answer is not JSON.
    Garbage,
    /// The request is carried out. The answer is longer than a megabyte.
    HugeBody,
    /// The request is carried out. The answer is the beginning of a hundred thousand nested lists.
    DeepBody,
    /// The request is carried out. The answer has another payment hash.
    WrongHash,
    /// The request is carried out. The answer has another amount.
    WrongAmount,
    /// The request is carried out. The preimage belongs to another payment.
    WrongPreimage,
    /// The request is carried out, but the provider answers as if it had no record of the invoice or payment.
    Forgotten,
    /// The request is carried out. The answer comes after this time.
    Slow(Duration),
    /// The request is not carried out. The answer is a redirect.
    Redirect,
}

impl Fault {
    /// All faults. `Slow` waits a tenth of a second.
    pub const ALL: [Self; 16] = [
        Self::TimeOutBefore,
        Self::TimeOutAfter,
        Self::CloseBefore,
        Self::CloseAfter,
        Self::ErrorBefore,
        Self::ErrorAfter,
        Self::CutBody,
        Self::Garbage,
        Self::HugeBody,
        Self::DeepBody,
        Self::WrongHash,
        Self::WrongAmount,
        Self::WrongPreimage,
        Self::Forgotten,
        Self::Slow(Duration::from_millis(100)),
        Self::Redirect,
    ];

    /// The answer if this fault prevents the request. `None` if the provider carries out the request.
    pub(super) fn instead_of_acting(self, shared: &Shared) -> Option<Reply> {
        match self {
            Self::TimeOutBefore => {
                shared.hang();
                Some(Reply::close())
            }
            Self::CloseBefore => Some(Reply::close()),
            Self::ErrorBefore => Some(Reply::server_error()),
            Self::Redirect => Some(Reply::redirect("http://127.0.0.1:9/elsewhere")),
            Self::TimeOutAfter
            | Self::CloseAfter
            | Self::ErrorAfter
            | Self::CutBody
            | Self::Garbage
            | Self::HugeBody
            | Self::DeepBody
            | Self::WrongHash
            | Self::WrongAmount
            | Self::WrongPreimage
            | Self::Forgotten
            | Self::Slow(_) => None,
        }
    }

    /// Applies this fault to the answer of a request that was carried out.
    pub(super) fn applied_to(self, reply: Reply, shared: &Shared) -> Reply {
        match self {
            Self::TimeOutAfter => {
                shared.hang();
                Reply::close()
            }
            Self::CloseAfter => Reply::close(),
            Self::ErrorAfter => Reply::server_error(),
            Self::CutBody => reply.cut(),
            Self::Garbage => reply.with_body(b"<html>Bad gateway</html>".to_vec()),
            Self::HugeBody => reply.padded(3 * 1024 * 1024),
            Self::DeepBody => reply.with_body(vec![b'['; 100_000]),
            Self::Slow(wait) => {
                std::thread::sleep(wait);
                reply
            }
            Self::TimeOutBefore
            | Self::CloseBefore
            | Self::ErrorBefore
            | Self::Redirect
            | Self::WrongHash
            | Self::WrongAmount
            | Self::WrongPreimage
            | Self::Forgotten => reply,
        }
    }
}

/// A point at which a call can be stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// After the request has arrived, and before the provider carries it out.
    BeforeActing,
    /// After the provider has carried out the request, and before it answers.
    BeforeAnswering,
}

/// A gate that stops a call at a chosen point. Dropping the gate lets the call continue.
pub struct Gate<'a> {
    provider: &'a Provider,
    call: Call,
}

impl<'a> Gate<'a> {
    pub(super) const fn new(provider: &'a Provider, call: Call) -> Self {
        Self { provider, call }
    }

    /// Ends the stopped call: the provider closes the connection and does nothing more for this call.
    pub fn abandon(self) {
        self.provider.shared.state().script.abandon(self.call);
    }

    /// Waits until a call has reached this gate.
    ///
    /// # Panics
    /// If no call reaches the gate within 30 seconds.
    pub fn wait(&self) {
        let shared = &self.provider.shared;
        let waits = |state: &mut super::State| !state.script.is_reached(self.call);
        let wait = shared.changed.wait_timeout_while(shared.state(), Duration::from_secs(30), waits);
        let (state, _) = wait.unwrap_or_else(PoisonError::into_inner);
        assert!(state.script.is_reached(self.call), "{:?} was not called", self.call);
    }
}

impl Drop for Gate<'_> {
    fn drop(&mut self) {
        self.provider.shared.state().script.release(self.call);
        self.provider.shared.changed.notify_all();
    }
}

/// The planned faults, and the numbers of calls so far.
#[derive(Default)]
pub(super) struct Script {
    for_hash: BTreeMap<(String, Call), VecDeque<Fault>>,
    counts_for_hash: BTreeMap<(String, Call), usize>,
    once: BTreeMap<Call, VecDeque<Fault>>,
    always: BTreeMap<Call, Fault>,
    flapping: BTreeMap<Call, (Fault, bool)>,
    stalled: BTreeMap<Call, Point>,
    reached: BTreeSet<Call>,
    abandoned: BTreeSet<Call>,
    counts: BTreeMap<Call, usize>,
    healings: u64,
}

impl Script {
    pub(super) fn push(&mut self, call: Call, fault: Fault) {
        self.once.entry(call).or_default().push_back(fault);
    }

    pub(super) fn push_for(&mut self, payment_hash: &str, call: Call, fault: Fault) {
        self.for_hash.entry((payment_hash.to_owned(), call)).or_default().push_back(fault);
    }

    pub(super) fn count_for(&self, payment_hash: &str, call: Call) -> usize {
        self.counts_for_hash.get(&(payment_hash.to_owned(), call)).copied().unwrap_or(0)
    }

    pub(super) fn always(&mut self, call: Call, fault: Fault) {
        self.always.insert(call, fault);
    }

    pub(super) fn flap(&mut self, call: Call, fault: Fault) {
        self.flapping.insert(call, (fault, false));
    }

    pub(super) fn heal(&mut self) {
        self.for_hash.clear();
        self.once.clear();
        self.always.clear();
        self.flapping.clear();
        self.healings += 1;
    }

    pub(super) const fn healings(&self) -> u64 {
        self.healings
    }

    pub(super) fn stall(&mut self, call: Call, point: Point) {
        self.reached.remove(&call);
        self.stalled.insert(call, point);
    }

    pub(super) fn abandon(&mut self, call: Call) {
        self.abandoned.insert(call);
    }

    /// Whether the test has abandoned the stopped call. Also clears this state, so that later calls continue.
    pub(super) fn take_abandoned(&mut self, call: Call) -> bool {
        self.abandoned.remove(&call)
    }

    pub(super) fn release(&mut self, call: Call) {
        self.stalled.remove(&call);
    }

    pub(super) fn reach(&mut self, call: Call) {
        self.reached.insert(call);
    }

    pub(super) fn is_reached(&self, call: Call) -> bool {
        self.reached.contains(&call)
    }

    pub(super) fn is_stalled(&self, call: Call, point: Point) -> bool {
        self.stalled.get(&call) == Some(&point)
    }

    pub(super) fn count(&self, call: Call) -> usize {
        self.counts.get(&call).copied().unwrap_or(0)
    }

    /// Counts a call, and counts it for its payment hash if there is one. Returns the planned fault of the call.
    pub(super) fn begin(&mut self, call: Call, payment_hash: Option<String>) -> Option<Fault> {
        *self.counts.entry(call).or_default() += 1;
        if let Some(payment_hash) = payment_hash {
            let key = (payment_hash, call);
            *self.counts_for_hash.entry(key.clone()).or_default() += 1;
            if let Some(fault) = self.for_hash.get_mut(&key).and_then(VecDeque::pop_front) {
                return Some(fault);
            }
        }
        if let Some((fault, was_bad)) = self.flapping.get_mut(&call) {
            *was_bad = !*was_bad;
            return was_bad.then_some(*fault);
        }
        let once = self.once.get_mut(&call).and_then(VecDeque::pop_front);
        once.or_else(|| self.always.get(&call).copied())
    }
}
