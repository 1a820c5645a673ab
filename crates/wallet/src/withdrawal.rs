//! Withdrawals over Lightning: the states of a withdrawal, and the effect of each answer of the provider.

use std::time::Duration;

use bolts_kernel::{Amount, Timestamp, UserId, WithdrawalId, named};

use crate::{Doubt, Evidence, Millisats, PaymentHash, Preimage, fee_limit};

/// If the provider never forgets payments and does not know the payment of a withdrawal, the withdrawal is
/// refunded this long after the invoice expired (`docs/lightning.md#what-each-answer-proves`).
const GIVEN_UP_AFTER: Duration = Duration::from_hours(1);

/// A withdrawal that stays open for this time raises an alarm and waits for the operator.
const ALARM_AFTER: Duration = Duration::from_hours(1);

/// The longest delay between the record of an attempt and the start of the call to the provider. Such delays
/// occur on a busy machine.
const LATE: Duration = Duration::from_secs(10);

/// The longest wait between two requests to the provider.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// The invoice to pay. The server reads and checks the invoice before it holds any sats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// The payment hash of the invoice.
    pub payment_hash: PaymentHash,
    /// The amount of the invoice.
    pub amount: Millisats,
    /// The expiry of the invoice.
    pub expires_at: Timestamp,
    /// The Lightning address from which the server got the invoice, if the user entered an address.
    pub address: Option<String>,
}

/// A withdrawal of sats over Lightning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// The id of the withdrawal.
    pub id: WithdrawalId,
    /// The user who withdraws.
    pub user: UserId,
    /// The invoice to pay.
    pub outgoing: Outgoing,
    /// The fee limit of the route, in sats. The site holds these sats together with the amount. The provider
    /// gets the same limit.
    pub fee_limit: Amount,
    /// The time of the user's request.
    pub created_at: Timestamp,
    /// The attempts to pay. `None` before the first attempt.
    pub trail: Option<Trail>,
    /// The state of the withdrawal.
    pub state: WithdrawalState,
}

/// The attempts to pay a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// The number of attempts. Each attempt is committed before the call to the provider.
    pub attempts: u32,
    /// The time of the first attempt.
    pub since: Timestamp,
    /// The time of the latest attempt.
    pub latest: Timestamp,
    /// The end of the lease on the latest call to the provider. Until then the call may still be under way.
    /// `None` once the call has ended.
    pub call_until: Option<Timestamp>,
    /// The provider's last answer.
    pub word: Option<Word>,
}

impl Trail {
    /// Ends the lease, because no call is under way any more.
    fn at_rest(self) -> Self {
        Self { call_until: None, ..self }
    }

    /// Replaces times that a wrong clock has given. The call may have begun just now, so its lease lasts `patience`.
    fn corrected(self, now: Timestamp, patience: Duration) -> Self {
        let lease = |until: Timestamp| if until.is_of_wrong_clock(now) { now.after(patience) } else { until };
        Self {
            since: self.since.corrected(now),
            latest: self.latest.corrected(now),
            call_until: self.call_until.map(lease),
            ..self
        }
    }
}

/// An answer of the provider about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The answer as a text for the operator.
    pub text: String,
    /// The time of the answer.
    pub at: Timestamp,
}

/// The times to wait for an answer of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The time between an attempt to pay and the first look-up of the payment.
    pub patience: Duration,
    /// The longest duration of a call that tells the provider to pay.
    pub call: Duration,
}

impl Waits {
    /// The end of the lease on a call whose attempt is recorded at `now`.
    fn call_until(&self, now: Timestamp) -> Timestamp {
        now.after(self.call + LATE)
    }
}

/// The state of a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawalState {
    /// The sats are held. The provider has not been told to pay.
    Held,
    /// The provider was told to pay, or may have been told. Only evidence from the provider or a decision of
    /// the operator ends this state.
    Sending {
        /// The number of look-ups of the payment so far.
        questions: u32,
        /// The time of the next look-up.
        next_ask_at: Timestamp,
    },
    /// The payment was made. The unused reserve was given back.
    Paid {
        /// The fee of the route.
        fee: Millisats,
        /// The preimage, which proves the payment, if the provider sent it.
        preimage: Option<Preimage>,
        /// The time at which the program learned of the payment.
        at: Timestamp,
        /// The source of the result.
        by: EndedBy,
    },
    /// The payment was not made and never will be. The whole hold was given back.
    Refunded {
        /// The reason, in a sentence for the user.
        reason: String,
        /// The time of the refund.
        at: Timestamp,
        /// The source of the result.
        by: EndedBy,
    },
}

/// The name of a withdrawal's state, without its data.
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

named!(WithdrawalStatus { Held = "held", Sending = "sending", Paid = "paid", Refunded = "refunded" });

/// The source of the result of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// An answer of the provider, or a check before the first attempt.
    Provider,
    /// The expiry of the invoice.
    Clock,
    /// The operator, at the command line.
    Operator,
}

named!(EndedBy { Provider = "provider", Clock = "clock", Operator = "operator" });

/// The effect of a withdrawal's end on its held sats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldEffect {
    /// The amount leaves the site, the fee is booked, and the rest of the hold goes back to the user.
    Settle {
        /// The fee of the route, rounded up to whole sats.
        fee: Amount,
    },
    /// The whole hold goes back to the user.
    GiveBack,
}

/// The next step of a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// No step is due.
    Wait,
    /// The withdrawal must be sent. The caller asks the provider about the requirements of the payment, then
    /// records [`Withdrawal::attempt`], and only then tells the provider to pay.
    Send(Withdrawal),
    /// The caller must ask the provider about the payment. The caller first records the new look-up time in the
    /// value, so that only one process asks at a time.
    Ask(Withdrawal),
    /// The withdrawal ends.
    End(Withdrawal, HoldEffect),
}

impl Withdrawal {
    /// Creates a withdrawal in the state [`WithdrawalState::Held`]. The caller holds the sats.
    pub fn request(id: WithdrawalId, user: UserId, outgoing: Outgoing, now: Timestamp) -> Self {
        let fee_limit = fee_limit(outgoing.amount.ceil_sats());
        Self { id, user, outgoing, fee_limit, created_at: now, trail: None, state: WithdrawalState::Held }
    }

    /// The amount in whole sats, rounded up. The difference from the exact amount is dust.
    pub fn amount(&self) -> Amount {
        self.outgoing.amount.ceil_sats()
    }

    /// The sats that are held while the result is open: the amount and the fee limit.
    pub fn held(&self) -> Amount {
        // The sum cannot overflow, because both parts are far below the maximum of the type.
        self.amount().checked_add(self.fee_limit).unwrap_or_default()
    }

    /// The fee of a paid withdrawal, in whole sats and at most the fee limit. `None` in other states.
    pub fn fee(&self) -> Option<Amount> {
        match self.state {
            WithdrawalState::Paid { fee, .. } => Some(fee.ceil_sats().min(self.fee_limit)),
            WithdrawalState::Held | WithdrawalState::Sending { .. } | WithdrawalState::Refunded { .. } => {
                None
            }
        }
    }

    /// The dust in millisats: the difference between the sats that the user was charged and the exact cost of
    /// the payment. Dust exists because transfers are in whole sats.
    pub fn dust(&self) -> i64 {
        let WithdrawalState::Paid { fee, .. } = self.state else { return 0 };
        let charged = self.amount().get() + self.fee().unwrap_or_default().get();
        (charged * 1_000 - self.outgoing.amount.get() - fee.get()).max(0)
    }

    /// The name of the state.
    pub const fn status(&self) -> WithdrawalStatus {
        match self.state {
            WithdrawalState::Held => WithdrawalStatus::Held,
            WithdrawalState::Sending { .. } => WithdrawalStatus::Sending,
            WithdrawalState::Paid { .. } => WithdrawalStatus::Paid,
            WithdrawalState::Refunded { .. } => WithdrawalStatus::Refunded,
        }
    }

    /// Whether the result has been open for so long that the operator must be alerted.
    pub fn is_in_doubt(&self, now: Timestamp) -> bool {
        let is_open = self.status() == WithdrawalStatus::Sending;
        is_open && self.trail.as_ref().is_some_and(|trail| now.since(trail.since) >= ALARM_AFTER)
    }

    /// The time of the next step. `None` if the withdrawal has ended.
    pub fn next_at(&self) -> Option<Timestamp> {
        match self.state {
            WithdrawalState::Held => Some(self.created_at),
            WithdrawalState::Sending { next_ask_at, .. } => Some(next_ask_at),
            WithdrawalState::Paid { .. } | WithdrawalState::Refunded { .. } => None,
        }
    }

    /// The step that is due at `now`. The first look-up of the payment comes `patience` after an attempt. The
    /// waits between further look-ups grow. A look-up is also due if a wrong clock has given its
    /// time.
    pub fn due(self, now: Timestamp, patience: Duration) -> Step {
        match self.state {
            WithdrawalState::Held if now >= self.outgoing.expires_at => {
                let reason = "The invoice expired before it could be paid.".to_owned();
                self.refunded(reason, EndedBy::Clock, now)
            }
            WithdrawalState::Held => Step::Send(self),
            WithdrawalState::Sending { next_ask_at, .. } if !next_ask_at.is_due(now) => Step::Wait,
            WithdrawalState::Sending { questions, .. } => {
                let questions = questions.saturating_add(1);
                let wait = (0..questions.min(12)).fold(patience, |wait, _| wait * 3 / 2).min(LONGEST_WAIT);
                let state = WithdrawalState::Sending { questions, next_ask_at: now.after(wait) };
                let trail = self.trail.map(|trail| trail.corrected(now, patience));
                Step::Ask(Self { state, trail, ..self })
            }
            WithdrawalState::Paid { .. } | WithdrawalState::Refunded { .. } => Step::Wait,
        }
    }

    /// Adds the first attempt to pay. The caller must record the result before the call to the provider. `None`
    /// if the withdrawal is not `held`, or if its invoice has expired.
    pub fn attempt(self, now: Timestamp, waits: &Waits) -> Option<Self> {
        let may_be_sent = self.status() == WithdrawalStatus::Held && now < self.outgoing.expires_at;
        may_be_sent.then(|| self.attempted(now, waits))
    }

    /// Adds a further attempt to pay. The provider must not know the payment, and must pay a payment hash at
    /// most once. `None` if the withdrawal is not `sending`, its invoice has expired, or an earlier call may be
    /// under way.
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

    /// The end of the lease on a call to the provider. `None` if no call can be under way.
    pub fn call_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.trail.as_ref()?.call_until.filter(|until| now < *until)
    }

    /// Records an answer of the provider that does not decide the result. `ends_call` means that the answer
    /// came from the latest call to pay, so this call has ended.
    #[must_use]
    pub fn heard(self, said: &Evidence, ends_call: bool, now: Timestamp) -> Self {
        let word = Some(Word { text: said.to_string(), at: now });
        let trail = self.trail.map(|trail| if ends_call { trail.at_rest() } else { trail });
        let trail = trail.map(|trail| Trail { word, ..trail });
        Self { trail, ..self }
    }

    /// Refunds a withdrawal that cannot be sent, according to the checks before the first attempt.
    /// `None` if the withdrawal is not `held`, because it may then have been sent.
    pub fn not_sent(self, reason: String, now: Timestamp) -> Option<(Self, HoldEffect)> {
        let is_held = self.status() == WithdrawalStatus::Held;
        let ended =
            Self { state: WithdrawalState::Refunded { reason, at: now, by: EndedBy::Provider }, ..self };
        is_held.then_some((ended, HoldEffect::GiveBack))
    }

    /// The number of attempts to pay so far.
    pub fn attempts(&self) -> u32 {
        self.trail.as_ref().map_or(0, |trail| trail.attempts)
    }

    /// Applies an answer of the provider. `attempts` is the number of attempts at the time of the look-up. The
    /// answer 'paid' is always valid. Any other answer proves nothing about an attempt that began after the
    /// look-up.
    ///
    /// # Errors
    /// [`Doubt`] if the answer does not decide the result. The hold stays.
    pub fn apply_evidence(
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
            Evidence::NoAnswer(reason) | Evidence::Unknown(reason) => Err(Doubt::Unknown(reason)),
        }
    }

    /// Ends the withdrawal as paid, because the provider's list contains its payment. The ledger may not
    /// contain the payment yet, if the database is an older copy, or if no process has asked the provider since
    /// the payment. `None` if the withdrawal has ended.
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
