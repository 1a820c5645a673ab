//! Compares the provider's list of paid invoices with the ledger in both directions, and books differences
//! for the operator.

use std::collections::BTreeSet;
use std::sync::Arc;

use bolts_kernel::{Amount, DepositId, Timestamp, UserId};
use bolts_ports::{Ids, Received, StoreError, Tx};
use bolts_wallet::{Deposit, DepositState, INVOICE_LIFETIME, PaymentHash};

use super::deposits::credit;
use super::reconcile::{CLEAN_RECEIVED, MARGIN};
use super::{Booking, Comparison, ReconcileError, Wallets};
use crate::App;

/// A difference between the provider's list of paid invoices and the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceivedDifference {
    /// The provider's list has a paid invoice that the ledger does not know.
    Unknown(Received),
    /// The provider's list shows an invoice as paid, but its deposit was not credited here.
    NotCredited(Received, Deposit),
    /// The ledger has credited a deposit, but the provider's list does not show its invoice as paid.
    MissingThere(Deposit),
}

impl ReceivedDifference {
    /// The hash of the payment that differs.
    pub const fn hash(&self) -> PaymentHash {
        match self {
            Self::Unknown(received) | Self::NotCredited(received, _) => received.payment_hash,
            Self::MissingThere(deposit) => deposit.payment_hash,
        }
    }

    /// The booking to propose to the operator. `None` if only the operator can say how to book the difference.
    pub fn proposed(&self) -> Option<Booking> {
        match self {
            Self::Unknown(received) => received.owner.map(|owner| Booking::User(owner.user)),
            Self::NotCredited(..) => Some(Booking::AsListed),
            Self::MissingThere(_) => None,
        }
    }
}

impl App {
    /// The difference between a record of the provider's list and the ledger, if there is one.
    pub(super) fn received_difference(
        &self,
        received: Received,
    ) -> Result<Option<ReceivedDifference>, StoreError> {
        let hash = received.payment_hash;
        let Some(deposit) = self.queries.deposit_of(hash)? else {
            let is_noted = self.is_noted("received", hash)?;
            return Ok((!is_noted).then_some(ReceivedDifference::Unknown(received)));
        };
        let is_credited = matches!(deposit.state, DepositState::Paid(_));
        Ok((!is_credited).then_some(ReceivedDifference::NotCredited(received, deposit)))
    }
}

impl Wallets {
    /// Compares the provider's list of paid invoices with the ledger in both directions. The result also contains
    /// payments that are not for a deposit of this site. `is_counted` returns `false` for these payments. A start later than
    /// the default makes the comparison partial.
    pub async fn compare_received(
        &self,
        since: Option<Timestamp>,
    ) -> Result<Comparison<ReceivedDifference>, ReconcileError> {
        let began_at = self.begin_comparison().await?;
        let agreed = self.app.invoices_compared_from()?;
        let since = since.unwrap_or(agreed);
        let is_partial = since > agreed;
        let list = self.lightning.received(since.before(MARGIN)).await?;
        let listed = list.len();
        let hashes: BTreeSet<PaymentHash> = list.iter().map(|received| received.payment_hash).collect();
        let mut differences = Vec::new();
        for received in list {
            differences.extend(self.app.received_difference(received)?);
        }
        if let Some(since) = self.ours_since(since)? {
            for deposit in self.app.queries.paid_deposits(since)? {
                let hash = deposit.payment_hash;
                if !hashes.contains(&hash) && !self.app.is_noted("received", hash)? {
                    differences.push(ReceivedDifference::MissingThere(deposit));
                }
            }
        }
        if !is_partial && !differences.iter().any(ReceivedDifference::is_counted) {
            self.note_clean(CLEAN_RECEIVED, began_at).await?;
        }
        Ok(Comparison { since, is_partial, listed, differences })
    }

    /// Books a difference as the operator decides, and records the decision.
    ///
    /// # Errors
    /// [`ReconcileError`]. In this case nothing is booked.
    pub async fn book_received(
        &self,
        difference: ReceivedDifference,
        booking: Booking,
        reason: String,
    ) -> Result<(), ReconcileError> {
        let hash = difference.hash();
        self.book(("reconcile_deposit", "received"), hash, reason, move |tx, ids, now| {
            match (&difference, booking) {
                (ReceivedDifference::Unknown(received), Booking::User(user)) => {
                    let id = open(tx, received, user, ids, now)?;
                    credit(tx, id, received.amount, ids, now)?;
                    Ok(Some((user, format!("credited as deposit {id}"))))
                }
                (ReceivedDifference::NotCredited(received, known), Booking::AsListed) => {
                    credit(tx, known.id, received.amount, ids, now)?;
                    Ok(Some((known.user, format!("deposit {} was paid", known.id))))
                }
                (ReceivedDifference::Unknown(_) | ReceivedDifference::MissingThere(_), Booking::Own) => {
                    Ok(None)
                }
                (
                    ReceivedDifference::Unknown(_)
                    | ReceivedDifference::NotCredited(..)
                    | ReceivedDifference::MissingThere(_),
                    Booking::AsListed | Booking::User(_) | Booking::Own,
                ) => Err(ReconcileError::NotBookable("the ledger already has this deposit and its owner")),
            }
        })
        .await
    }
}

impl ReceivedDifference {
    /// Whether the difference concerns the site. Other payments into the wallet are only shown to the
    /// operator.
    pub const fn is_counted(&self) -> bool {
        match self {
            Self::Unknown(received) => received.is_deposit,
            Self::NotCredited(..) | Self::MissingThere(_) => true,
        }
    }
}

/// Records again a deposit that the ledger has lost.
fn open(
    tx: &mut dyn Tx,
    received: &Received,
    user: UserId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<DepositId, ReconcileError> {
    // The deposit keeps its old id if possible, so that an open page of the user finds the deposit.
    let id = match received.owner.filter(|owner| owner.user == user) {
        Some(owner) if tx.deposits().lock(owner.id)?.is_none() => owner.id,
        Some(_) | None => ids.id::<DepositId>(),
    };
    if tx.deposits().is_ours(received.payment_hash)? {
        return Err(ReconcileError::NotBookable("the ledger knows this deposit"));
    }
    let asked = received.amount.floor_sats().max(Amount::new(1).unwrap_or_default());
    let created_at = received.created_at.min(now);
    let times = (created_at, created_at.after(INVOICE_LIFETIME));
    let invoice = (received.invoice.clone(), received.payment_hash);
    tx.deposits().insert(&Deposit::open(id, user, asked, invoice, times))?;
    Ok(id)
}
