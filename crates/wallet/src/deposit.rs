//! Deposits over Lightning: the states of a deposit, and the times at which the server asks the provider about
//! a deposit.

use std::time::Duration;

use bolts_kernel::{Amount, DepositId, Timestamp, UserId, named};

use crate::{Millisats, PaymentHash};

/// The time in which an invoice can be paid (`docs/product.md#limits`): 1 hour.
pub const INVOICE_LIFETIME: Duration = Duration::from_hours(1);

/// The server asks the provider about an unpaid invoice until 24 hours after the expiry, because a payment may
/// arrive late.
const ASKED_PAST_EXPIRY: Duration = Duration::from_hours(24);

/// The first wait between two requests to the provider. Each further wait is 1.5 times the previous wait.
const FIRST_WAIT: Duration = Duration::from_secs(5);

/// The longest wait between two requests to the provider, until 24 hours after the expiry.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// The longest wait between two requests to the provider from 24 hours after the expiry on. From then on, the
/// server asks only if the provider has not given a clear answer.
const LATE_WAIT: Duration = Duration::from_hours(1);

/// If the provider gives no clear answer about an invoice, the server stops asking 30 days after the invoice
/// expired.
const GIVEN_UP_AFTER: Duration = Duration::from_hours(30 * 24);

/// The server looks for an invoice in the provider's list of paid invoices until 1 hour after the invoice
/// expired. If the payment arrives later, the next request about that invoice finds the payment.
const LISTED_PAST_EXPIRY: Duration = Duration::from_hours(1);

/// A deposit: an invoice that a user can pay to receive sats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    /// The id of the deposit.
    pub id: DepositId,
    /// The user who gets the sats.
    pub user: UserId,
    /// The amount of the invoice, in sats.
    pub asked: Amount,
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// The payment hash of the invoice.
    pub payment_hash: PaymentHash,
    /// The time at which the invoice was created.
    pub created_at: Timestamp,
    /// The expiry of the invoice. A payment that arrives later is credited too.
    pub expires_at: Timestamp,
    /// The state of the deposit.
    pub state: DepositState,
}

/// The state of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepositState {
    /// No payment is known. The server asks the provider at growing intervals.
    Open {
        /// The number of requests to the provider so far.
        checks: u32,
        /// The time of the next request to the provider.
        next_check_at: Timestamp,
    },
    /// The invoice was not paid in time. The server asks the provider only if the user's page or a webhook
    /// causes a request.
    Lapsed,
    /// The invoice was paid and the user was credited.
    Paid(Receipt),
}

/// The payment of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The amount that arrived, according to the provider.
    pub received: Millisats,
    /// The time at which the program learned of the payment.
    pub at: Timestamp,
}

impl Receipt {
    /// The whole sats that the user gets. The remainder below 1 sat is recorded on the deposit as dust.
    pub fn credited(&self) -> Amount {
        self.received.floor_sats()
    }
}

/// The status of a deposit as the API shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepositStatus {
    /// The invoice can be paid.
    Pending,
    /// The invoice was paid and the user was credited.
    Paid,
    /// The invoice has expired without a payment.
    Expired,
}

named!(DepositStatus { Pending = "pending", Paid = "paid", Expired = "expired" });

/// The deposit was already credited, so a second credit is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deposit was credited before")]
pub struct AlreadyPaid;

/// A paid deposit with the amount to credit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// The deposit in its new state.
    pub deposit: Deposit,
    /// The amount to credit, in sats. 0 if less than 1 sat arrived.
    pub amount: Amount,
}

impl Deposit {
    /// Creates a deposit for an invoice that the user has not seen yet.
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

    /// The status that the user sees at `now`.
    pub fn status(&self, now: Timestamp) -> DepositStatus {
        match self.state {
            DepositState::Paid(_) => DepositStatus::Paid,
            DepositState::Open { .. } | DepositState::Lapsed if now >= self.expires_at => {
                DepositStatus::Expired
            }
            DepositState::Open { .. } | DepositState::Lapsed => DepositStatus::Pending,
        }
    }

    /// If the invoice of an open deposit expired before the returned time, the operator should look into the
    /// deposit. The provider has then given no clear answer for at least 25 hours after the expiry.
    pub fn overdue_before(now: Timestamp) -> Timestamp {
        now.before(ASKED_PAST_EXPIRY + LATE_WAIT)
    }

    /// At `now`, the server searches the provider's list of paid invoices for the open deposits whose invoices
    /// expire after the returned time.
    pub fn listed_if_expiring_after(now: Timestamp) -> Timestamp {
        now.before(LISTED_PAST_EXPIRY)
    }

    /// Records that the provider knows no payment of the invoice, and plans the next request. From 24 hours
    /// after the expiry there is no next request.
    #[must_use]
    pub fn unpaid(self, now: Timestamp) -> Self {
        self.asked_in_vain(ASKED_PAST_EXPIRY, LONGEST_WAIT, now)
    }

    /// Records that the provider gave no clear answer, and plans the next request. The requests continue until
    /// 30 days after the expiry, because the invoice may have been paid.
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

    /// Records a payment of the amount `received`. A payment after the expiry is accepted too.
    ///
    /// # Errors
    /// [`AlreadyPaid`] if the deposit was credited before.
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

/// The wait before the next request to the provider, after `checks` requests that found no payment.
fn wait_after(checks: u32, longest: Duration) -> Duration {
    let grown = (0..checks.min(20)).fold(FIRST_WAIT, |wait, _| wait * 3 / 2);
    grown.min(longest)
}
