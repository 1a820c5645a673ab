//! The dice of a simulation: which fault strikes when. All random choices come from one seed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bolts_kernel::{Timestamp, sha256_hex};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Declares the faults, each with its description.
macro_rules! faults {
    ($($name:ident = $what:literal),* $(,)?) => {
        /// A fault that a simulation injects.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault { $(#[doc = $what] $name),* }

        impl Fault {
            /// All faults.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The fault in words.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $what),* }
            }
        }
    };
}

faults! {
    StoreUnavailable = "the store refuses a job",
    StoreContention = "a job meets contention and runs again",
    CrashBeforeCommit = "a process crashes before a commit",
    CrashAfterCommit = "a process crashes after a commit, before the answer",
    CrashInCall = "a process crashes while it waits for the provider",
    Outage = "no server runs for hours",
    Restart = "a process is stopped and started",
    RestoreOfBackup = "the database is replaced by a backup that pauses withdrawals",
    RestoreOfSnapshot = "the database is replaced by an older state without any sign of it",
    ClockForward = "the clock jumps forward",
    ClockBack = "the clock is set back",
    RequestTwice = "a user sends a request twice at once",
    AnswerLost = "a user does not get the answer and repeats the request",
    KeyReused = "a user sends another request with the key of an earlier one",
    InvoiceRefused = "the provider creates no invoice",
    InvoiceAnswerLost = "the provider creates an invoice, and the answer is lost",
    InvoiceOfOtherAmount = "the provider's new invoice has another amount",
    InvoiceOfOtherHash = "the provider's new invoice has another hash than it says",
    InvoiceOfOtherNetwork = "the provider's new invoice is of another network",
    WebhookLost = "a webhook about a payment is lost",
    WebhookTwice = "a webhook about a payment comes twice",
    WebhookForged = "a stranger calls the webhook of an unpaid deposit",
    PaidTooLittle = "less than the invoice's amount arrives",
    PaidTooMuch = "more than the invoice's amount arrives",
    PaidLate = "an invoice is paid after its expiry",
    LookUpFails = "the provider does not answer about an invoice",
    ListFails = "the provider's lists cannot be read",
    SlowAnswer = "the provider answers late",
    RouteTooDear = "the provider says before a payment that it cannot be made",
    PayNotSent = "the provider refuses to pay",
    PayOrderLost = "the order to pay is lost, and no answer comes",
    PayAnswerLost = "the payment is made, and the answer is lost",
    PayInFlight = "a payment is in flight for hours and then made",
    PayFailsLater = "a payment is in flight for hours and then fails",
    PayFails = "a payment fails",
    PayOfWrongPreimage = "the provider answers 'paid' with the preimage of another payment",
    PaymentLookUpFails = "the provider does not answer about a payment",
    PaymentForgotten = "the provider says that it does not know a payment that it made",
    NodeAway = "the provider's node does not answer",
    BalanceFails = "the provider does not say its balance",
    BalanceTooLow = "the provider says a balance that is too low",
    IdentityFails = "the provider does not say its identity",
    OtherWallet = "another wallet answers at the provider's address",
}

/// The dice, the journal, and the count of faults. Clones share one state.
#[derive(Clone)]
pub(super) struct Fate(Arc<Mutex<State>>);

struct State {
    rng: ChaCha8Rng,
    is_quiet: bool,
    struck: BTreeMap<Fault, u64>,
    journal: String,
}

impl Fate {
    pub(super) fn new(seed: u64) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Self(Arc::new(Mutex::new(State {
            rng,
            is_quiet: false,
            struck: BTreeMap::new(),
            journal: String::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all faults.
    pub(super) fn be_quiet(&self) {
        self.state().is_quiet = true;
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.state().is_quiet
    }

    /// Whether the fault strikes now. It strikes once in `one_in` times.
    pub(super) fn strikes(&self, fault: Fault, one_in: u32) -> bool {
        let mut state = self.state();
        let strikes = !state.is_quiet && state.rng.random_ratio(1, one_in);
        if strikes {
            *state.struck.entry(fault).or_default() += 1;
        }
        strikes
    }

    /// A number from 0 to `below`, without `below`.
    pub(super) fn below(&self, below: u64) -> u64 {
        self.state().rng.random_range(0..below.max(1))
    }

    pub(super) fn between(&self, from: i64, to: i64) -> i64 {
        self.state().rng.random_range(from..=to)
    }

    pub(super) fn one_in(&self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of these values. `None` if there are none.
    pub(super) fn pick<T: Clone>(&self, values: &[T]) -> Option<T> {
        (!values.is_empty()).then(|| values[self.below(values.len() as u64) as usize].clone())
    }

    /// Adds a line to the journal.
    pub(super) fn note(&self, at: Timestamp, what: &str) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.state().journal, "{} {what}", at.micros());
    }

    pub(super) fn struck(&self) -> BTreeMap<Fault, u64> {
        self.state().struck.clone()
    }

    /// The journal and its hash.
    pub(super) fn journal(&self) -> (String, String) {
        let journal = self.state().journal.clone();
        let hash = sha256_hex(&journal);
        (journal, hash)
    }
}
