use std::time::Duration;

use bolts_kernel::{Amount, Timestamp, UserId, WithdrawalId};

use crate::{Doubt, Evidence, Millisats, PaymentHash, Preimage, fee_limit};

/// How long past its invoice's expiry a payment that the provider does not know is given up (decisions, section 9).
const GIVEN_UP_AFTER: Duration = Duration::from_secs(3_600);

/// In doubt for longer than this, a withdrawal waits for the operator and alarms.
const ALARM_AFTER: Duration = Duration::from_secs(3_600);

/// A call may begin so long after its attempt was recorded, on a machine that is busy.
const LATE: Duration = Duration::from_secs(10);

/// Between two questions to the provider it is never waited longer than this.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// What is to be paid: an invoice, read and judged before any money is held for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// Names the payment.
    pub payment_hash: PaymentHash,
    /// What the invoice asks for.
    pub amount: Millisats,
    /// Until when the invoice can be paid.
    pub expires_at: Timestamp,
    /// The Lightning address that gave the invoice, where the user named one.
    pub address: Option<String>,
}

/// Sats on their way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Names it.
    pub id: WithdrawalId,
    /// Whose sats.
    pub user: UserId,
    /// What is paid.
    pub outgoing: Outgoing,
    /// The most that the route may cost, in sats: held beside the amount, and passed to the provider as its limit.
    pub fee_limit: Amount,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// The attempts so far; `None` while the provider has not been told.
    pub trail: Option<Trail>,
    /// How far it has come.
    pub state: WithdrawalState,
}

/// What was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// How often the provider was told to pay; each attempt is committed before the call.
    pub attempts: u32,
    /// When it was told first.
    pub since: Timestamp,
    /// When it was told last.
    pub latest: Timestamp,
    /// The lease on the latest call: until then the call may still be under way. `None` once the call has ended.
    pub call_until: Option<Timestamp>,
    /// What the provider said last.
    pub word: Option<Word>,
}

impl Trail {
    /// No call is under way.
    fn at_rest(self) -> Self {
        Self { call_until: None, ..self }
    }
}

/// What the provider said of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// For the operator.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// How long the provider is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// After how long an attempt is asked about.
    pub patience: Duration,
    /// How long the call to pay is waited for.
    pub call: Duration,
}

impl Waits {
    /// Until when a call may be under way whose attempt is recorded at `now`.
    fn call_until(&self, now: Timestamp) -> Timestamp {
        now.after(self.call + LATE)
    }
}

/// How far a withdrawal has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawalState {
    /// The sats are held; the provider knows nothing yet.
    Held,
    /// The provider was told, or may have been; only its word moves this on.
    Sending {
        /// How often its word was asked for.
        questions: u32,
        /// When it is asked for next.
        next_ask_at: Timestamp,
    },
    /// Paid; the unused reserve is back.
    Paid {
        /// What the route cost.
        fee: Millisats,
        /// The proof, where the provider gave it.
        preimage: Option<Preimage>,
        /// When that became known.
        at: Timestamp,
        /// Who said so.
        by: EndedBy,
    },
    /// Not paid, and never will be; everything is back.
    Refunded {
        /// Why, in a sentence for the user.
        reason: String,
        /// When.
        at: Timestamp,
        /// Who said so.
        by: EndedBy,
    },
}

/// The names of the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithdrawalStatus {
    /// See [`WithdrawalState::Held`].
    Held,
    /// See [`WithdrawalState::Sending`].
    Sending,
    /// See [`WithdrawalState::Paid`].
    Paid,
    /// See [`WithdrawalState::Refunded`].
    Refunded,
}

impl WithdrawalStatus {
    /// All of them, in the order of a withdrawal's life.
    pub const ALL: [Self; 4] = [Self::Held, Self::Sending, Self::Paid, Self::Refunded];

    /// The name that the API and the database use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Sending => "sending",
            Self::Paid => "paid",
            Self::Refunded => "refunded",
        }
    }

    /// Reads [`WithdrawalStatus::as_str`].
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// Who ended a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// The provider's word.
    Provider,
    /// Time: the invoice expired.
    Clock,
    /// The operator, at the command line.
    Operator,
}

impl EndedBy {
    const ALL: [Self; 3] = [Self::Provider, Self::Clock, Self::Operator];

    /// The name that the database uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Clock => "clock",
            Self::Operator => "operator",
        }
    }

    /// Reads [`EndedBy::as_str`].
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == name)
    }
}

/// What happens to what is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldEffect {
    /// The amount leaves, the fee is kept, the rest goes back. In sats.
    Settle {
        /// What the route cost, a begun sat counted.
        fee: Amount,
    },
    /// All of it goes back.
    GiveBack,
}

/// What a withdrawal needs now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing, or not yet.
    Wait,
    /// To be sent: what has to be asked first is asked, then [`Withdrawal::attempt`] is recorded, and only then it is
    /// paid.
    Send(Withdrawal),
    /// The provider is to be asked; recorded first, so that one process asks at a time.
    Ask(Withdrawal),
    /// It is over.
    End(Withdrawal, HoldEffect),
}

impl Withdrawal {
    /// Sats that were just held for `outgoing`.
    pub fn request(id: WithdrawalId, user: UserId, outgoing: Outgoing, now: Timestamp) -> Self {
        let fee_limit = fee_limit(outgoing.amount.ceil_sats());
        Self { id, user, outgoing, fee_limit, created_at: now, trail: None, state: WithdrawalState::Held }
    }

    /// What leaves, in sats; a begun one is counted, and what it has too much is dust.
    pub fn amount(&self) -> Amount {
        self.outgoing.amount.ceil_sats()
    }

    /// What is held while its fate is open, in sats: the amount and the reserve for the route.
    pub fn held(&self) -> Amount {
        // Both are at most some hundred millions.
        self.amount().checked_add(self.fee_limit).unwrap_or_default()
    }

    /// What a settled withdrawal's route cost its user, in sats.
    pub fn fee(&self) -> Option<Amount> {
        match self.state {
            WithdrawalState::Paid { fee, .. } => Some(fee.ceil_sats().min(self.fee_limit)),
            WithdrawalState::Held | WithdrawalState::Sending { .. } | WithdrawalState::Refunded { .. } => {
                None
            }
        }
    }

    /// What was charged beyond what was paid, in millisats, as transfers are in whole sats.
    pub fn dust(&self) -> i64 {
        let WithdrawalState::Paid { fee, .. } = self.state else { return 0 };
        let charged = self.amount().get() + self.fee().unwrap_or_default().get();
        (charged * 1_000 - self.outgoing.amount.get() - fee.get()).max(0)
    }

    /// The name of its state.
    pub const fn status(&self) -> WithdrawalStatus {
        match self.state {
            WithdrawalState::Held => WithdrawalStatus::Held,
            WithdrawalState::Sending { .. } => WithdrawalStatus::Sending,
            WithdrawalState::Paid { .. } => WithdrawalStatus::Paid,
            WithdrawalState::Refunded { .. } => WithdrawalStatus::Refunded,
        }
    }

    /// Whether its fate has been open for so long that it alarms and waits for the operator.
    pub fn is_in_doubt(&self, now: Timestamp) -> bool {
        let is_open = self.status() == WithdrawalStatus::Sending;
        is_open && self.trail.as_ref().is_some_and(|trail| now.since(trail.since) >= ALARM_AFTER)
    }

    /// When it needs something next; `None` once it has ended.
    pub fn next_at(&self) -> Option<Timestamp> {
        match self.state {
            WithdrawalState::Held => Some(self.created_at),
            WithdrawalState::Sending { next_ask_at, .. } => Some(next_ask_at),
            WithdrawalState::Paid { .. } | WithdrawalState::Refunded { .. } => None,
        }
    }

    /// What it needs at `now`. The provider gets `patience` to answer an attempt before it is asked about it; further
    /// questions come less and less often.
    pub fn due(self, now: Timestamp, patience: Duration) -> Step {
        match self.state {
            WithdrawalState::Held if now >= self.outgoing.expires_at => {
                let reason = "The invoice expired before it could be paid.".to_owned();
                self.refunded(reason, EndedBy::Clock, now)
            }
            WithdrawalState::Held => Step::Send(self),
            WithdrawalState::Sending { next_ask_at, .. } if now < next_ask_at => Step::Wait,
            WithdrawalState::Sending { questions, .. } => {
                let questions = questions.saturating_add(1);
                let wait = (0..questions.min(12)).fold(patience, |wait, _| wait * 3 / 2).min(LONGEST_WAIT);
                let state = WithdrawalState::Sending { questions, next_ask_at: now.after(wait) };
                Step::Ask(Self { state, ..self })
            }
            WithdrawalState::Paid { .. } | WithdrawalState::Refunded { .. } => Step::Wait,
        }
    }

    /// The provider is told to pay: to be recorded before the call. `None` where it is not to be sent any more.
    pub fn attempt(self, now: Timestamp, waits: &Waits) -> Option<Self> {
        let may_be_sent = self.status() == WithdrawalStatus::Held && now < self.outgoing.expires_at;
        may_be_sent.then(|| self.attempted(now, waits))
    }

    /// The same payment is tried again: the provider does not know it, and pays a hash at most once. `None` where
    /// that makes no sense any more, and while an earlier call may be under way.
    pub fn resend(self, now: Timestamp, waits: &Waits) -> Option<Self> {
        let is_open = self.status() == WithdrawalStatus::Sending && now < self.outgoing.expires_at;
        (is_open && self.call_until(now).is_none()).then(|| self.attempted(now, waits))
    }

    fn attempted(self, now: Timestamp, waits: &Waits) -> Self {
        let (attempts, since, word) = match self.trail {
            None => (0, now, None),
            Some(trail) => (trail.attempts, trail.since, trail.word),
        };
        let call_until = Some(waits.call_until(now));
        let trail = Trail { attempts: attempts.saturating_add(1), since, latest: now, call_until, word };
        let questions = match self.state {
            WithdrawalState::Sending { questions, .. } => questions,
            WithdrawalState::Held | WithdrawalState::Paid { .. } | WithdrawalState::Refunded { .. } => 0,
        };
        let state = WithdrawalState::Sending { questions, next_ask_at: now.after(waits.patience) };
        Self { trail: Some(trail), state, ..self }
    }

    /// Until when a call to the provider may be under way; `None` where none can be.
    pub fn call_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.trail.as_ref()?.call_until.filter(|until| now < *until)
    }

    /// Notes what the provider said, which decides nothing. Its answer to the latest call ends that call.
    #[must_use]
    pub fn heard(self, said: &Evidence, ends_call: bool, now: Timestamp) -> Self {
        let word = Some(Word { text: said.to_string(), at: now });
        let trail = self.trail.map(|trail| if ends_call { trail.at_rest() } else { trail });
        let trail = trail.map(|trail| Trail { word, ..trail });
        Self { trail, ..self }
    }

    /// What came before the first attempt showed that nothing can be sent; `None` once it may have been.
    pub fn not_sent(self, reason: String, now: Timestamp) -> Option<(Self, HoldEffect)> {
        let is_held = self.status() == WithdrawalStatus::Held;
        let ended =
            Self { state: WithdrawalState::Refunded { reason, at: now, by: EndedBy::Provider }, ..self };
        is_held.then_some((ended, HoldEffect::GiveBack))
    }

    /// How often the provider has been told to pay.
    pub fn attempts(&self) -> u32 {
        self.trail.as_ref().map_or(0, |trail| trail.attempts)
    }

    /// Takes the provider's word, asked for when it had been told `attempts` times. Only 'paid' is true for ever: any
    /// other word says nothing of an attempt that was begun after it was asked for.
    ///
    /// # Errors
    /// [`Doubt`] where it does not decide the payment's fate: the hold stands.
    pub fn learn(
        self,
        evidence: Evidence,
        attempts: u32,
        now: Timestamp,
    ) -> Result<(Self, HoldEffect), Doubt> {
        let is_paid = matches!(evidence, Evidence::Paid { .. });
        match self.status() {
            WithdrawalStatus::Sending if is_paid || attempts == self.attempts() => self.judged(evidence, now),
            WithdrawalStatus::Sending => Err(Doubt::Outdated),
            WithdrawalStatus::Refunded if is_paid => Err(Doubt::PaidThoughRefunded),
            WithdrawalStatus::Held | WithdrawalStatus::Paid | WithdrawalStatus::Refunded => {
                Err(Doubt::NotSending)
            }
        }
    }

    pub(crate) fn judged(self, evidence: Evidence, now: Timestamp) -> Result<(Self, HoldEffect), Doubt> {
        let ended = |step| match step {
            Step::End(withdrawal, effect) => Ok((withdrawal, effect)),
            Step::Wait | Step::Send(_) | Step::Ask(_) => Err(Doubt::NotSending),
        };
        match evidence {
            Evidence::Paid { preimage: Some(preimage), .. }
                if preimage.payment_hash() != self.outgoing.payment_hash =>
            {
                Err(Doubt::WrongPreimage)
            }
            Evidence::Paid { preimage, fee } => ended(self.settled(fee, preimage, EndedBy::Provider, now)),
            Evidence::Failed(reason) => ended(self.refunded(reason, EndedBy::Provider, now)),
            Evidence::NotSent(reason) if self.attempts() == 1 => {
                ended(self.refunded(reason, EndedBy::Provider, now))
            }
            Evidence::NotSent(reason) => Err(Doubt::Unknown(reason)),
            Evidence::NotFound { is_proof: true }
                if now >= self.outgoing.expires_at.after(GIVEN_UP_AFTER) =>
            {
                let reason = "The invoice expired without having been paid.".to_owned();
                ended(self.refunded(reason, EndedBy::Clock, now))
            }
            Evidence::NotFound { .. } => Err(Doubt::NotFound),
            Evidence::InFlight => Err(Doubt::InFlight),
            Evidence::Unknown(reason) => Err(Doubt::Unknown(reason)),
        }
    }

    /// The provider's own list has it as paid, and the ledger does not know its end: the ledger was rolled back, or nobody
    /// has asked since. `None` where it has ended.
    pub fn found_paid(
        self,
        fee: Millisats,
        preimage: Option<Preimage>,
        now: Timestamp,
    ) -> Option<(Self, HoldEffect)> {
        let sending = match self.status() {
            WithdrawalStatus::Held => {
                self.attempted(now, &Waits { patience: Duration::ZERO, call: Duration::ZERO })
            }
            WithdrawalStatus::Sending => self,
            WithdrawalStatus::Paid | WithdrawalStatus::Refunded => return None,
        };
        let preimage = preimage.filter(|proof| proof.payment_hash() == sending.outgoing.payment_hash);
        let step = sending.settled(fee, preimage, EndedBy::Provider, now);
        if let Step::End(withdrawal, effect) = step { Some((withdrawal, effect)) } else { None }
    }

    pub(crate) fn settled(
        self,
        fee: Millisats,
        preimage: Option<Preimage>,
        by: EndedBy,
        at: Timestamp,
    ) -> Step {
        let trail = self.trail.map(Trail::at_rest);
        let withdrawal = Self { state: WithdrawalState::Paid { fee, preimage, at, by }, trail, ..self };
        let fee = withdrawal.fee().unwrap_or_default();
        Step::End(withdrawal, HoldEffect::Settle { fee })
    }

    pub(crate) fn refunded(self, reason: String, by: EndedBy, at: Timestamp) -> Step {
        let trail = self.trail.map(Trail::at_rest);
        let refunded = Self { state: WithdrawalState::Refunded { reason, at, by }, trail, ..self };
        Step::End(refunded, HoldEffect::GiveBack)
    }
}
