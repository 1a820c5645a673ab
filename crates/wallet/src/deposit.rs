use std::time::Duration;

use bolts_kernel::{Amount, DepositId, Timestamp, UserId};

use crate::{Millisats, PaymentHash};

/// How long an invoice can be paid (decisions, section 9).
pub const INVOICE_LIFETIME: Duration = Duration::from_secs(3_600);

/// How long past its expiry the provider is still asked whether an invoice was paid late.
const ASKED_PAST_EXPIRY: Duration = Duration::from_secs(24 * 3_600);

/// The first wait between two questions; it grows by half each time.
const FIRST_WAIT: Duration = Duration::from_secs(5);

/// It grows no further than this.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// How often a provider is asked that has given no clear answer since the asking should have ended.
const LATE_WAIT: Duration = Duration::from_secs(3_600);

/// How long past an invoice's expiry a provider without a clear answer is given up.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(30 * 24 * 3_600);

/// Sats that a user was given an invoice for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    /// Names it.
    pub id: DepositId,
    /// Whose balance is credited.
    pub user: UserId,
    /// What the invoice asks for, in sats.
    pub asked: Amount,
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// Names the payment.
    pub payment_hash: PaymentHash,
    /// When the invoice was made.
    pub created_at: Timestamp,
    /// Until when it can be paid. A payment that arrives later all the same is credited.
    pub expires_at: Timestamp,
    /// What has come of it.
    pub state: DepositState,
}

/// What has come of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepositState {
    /// No payment is known, and the provider is asked now and then.
    Open {
        /// How often it was asked.
        checks: u32,
        /// When it is asked next.
        next_check_at: Timestamp,
    },
    /// Nobody paid in time; the provider is asked only when somebody else does.
    Lapsed,
    /// Paid, and credited.
    Paid(Receipt),
}

/// What arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What the provider says was received.
    pub received: Millisats,
    /// When that became known.
    pub at: Timestamp,
}

impl Receipt {
    /// What the user gets; what is below a sat stays as dust on the deposit.
    pub fn credited(&self) -> Amount {
        self.received.floor_sats()
    }
}

/// What its user is told of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepositStatus {
    /// The invoice can be paid.
    Pending,
    /// Paid, and credited.
    Paid,
    /// The invoice cannot be paid any more.
    Expired,
}

impl DepositStatus {
    /// The name that the API uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Expired => "expired",
        }
    }
}

/// The deposit was credited before; nothing may move again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deposit was credited before")]
pub struct AlreadyPaid;

/// A paid deposit, and what its user gets for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// The deposit as it is now.
    pub deposit: Deposit,
    /// To be credited, in sats. Nothing where less than a sat arrived.
    pub amount: Amount,
}

impl Deposit {
    /// An invoice that was just made, not yet shown to anybody.
    pub fn open(
        id: DepositId,
        user: UserId,
        asked: Amount,
        (invoice, payment_hash): (String, PaymentHash),
        (created_at, expires_at): (Timestamp, Timestamp),
    ) -> Self {
        let state = DepositState::Open { checks: 0, next_check_at: created_at.after(FIRST_WAIT) };
        Self { id, user, asked, invoice, payment_hash, created_at, expires_at, state }
    }

    /// What its user is told at `now`.
    pub fn status(&self, now: Timestamp) -> DepositStatus {
        match self.state {
            DepositState::Paid(_) => DepositStatus::Paid,
            DepositState::Open { .. } | DepositState::Lapsed if now >= self.expires_at => {
                DepositStatus::Expired
            }
            DepositState::Open { .. } | DepositState::Lapsed => DepositStatus::Pending,
        }
    }

    /// Open deposits whose invoice expired before this are without a clear answer of the provider for so long that
    /// somebody has to look.
    pub fn overdue_before(now: Timestamp) -> Timestamp {
        now.before(ASKED_PAST_EXPIRY + LATE_WAIT)
    }

    /// The provider was asked and knows of no payment: when it is asked next. A day past the expiry the asking ends.
    #[must_use]
    pub fn unpaid(self, now: Timestamp) -> Self {
        self.asked_in_vain(ASKED_PAST_EXPIRY, LONGEST_WAIT, now)
    }

    /// The provider gave no clear answer: when it is asked next. Its word alone ends the asking, as somebody may have
    /// paid; only after a month of silence is it given up.
    #[must_use]
    pub fn unanswered(self, now: Timestamp) -> Self {
        let is_late = now >= self.expires_at.after(ASKED_PAST_EXPIRY);
        self.asked_in_vain(GIVEN_UP_AFTER, if is_late { LATE_WAIT } else { LONGEST_WAIT }, now)
    }

    fn asked_in_vain(self, past_expiry: Duration, longest: Duration, now: Timestamp) -> Self {
        let state = match self.state {
            DepositState::Open { .. } if now >= self.expires_at.after(past_expiry) => DepositState::Lapsed,
            DepositState::Open { checks, .. } => {
                let checks = checks.saturating_add(1);
                DepositState::Open { checks, next_check_at: now.after(wait_after(checks, longest)) }
            }
            state @ (DepositState::Lapsed | DepositState::Paid(_)) => state,
        };
        Self { state, ..self }
    }

    /// The provider says that so much arrived, in time or late.
    ///
    /// # Errors
    /// [`AlreadyPaid`], whoever noticed first.
    pub fn paid(self, received: Millisats, now: Timestamp) -> Result<Credit, AlreadyPaid> {
        match self.state {
            DepositState::Paid(_) => Err(AlreadyPaid),
            DepositState::Open { .. } | DepositState::Lapsed => {
                let receipt = Receipt { received, at: now };
                let deposit = Self { state: DepositState::Paid(receipt), ..self };
                Ok(Credit { deposit, amount: receipt.credited() })
            }
        }
    }
}

/// How long after so many questions in vain the next one is asked.
fn wait_after(checks: u32, longest: Duration) -> Duration {
    let grown = (0..checks.min(20)).fold(FIRST_WAIT, |wait, _| wait * 3 / 2);
    grown.min(longest)
}
