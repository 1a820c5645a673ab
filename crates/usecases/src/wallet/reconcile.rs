//! Compares the provider's list of payments with the ledger in both directions, and books differences for the
//! operator.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::{Amount, Currency, Money, OperationId, Timestamp, UserId, WithdrawalId};
use bolts_ledger::Account;
use bolts_ports::{Ids, SatsKind, Sent, StoreError, Tx, Unclear, submit};
use bolts_wallet::{Outgoing, PaymentHash, Withdrawal, WithdrawalState, WithdrawalStatus};

use super::pause::{self, Pause};
use super::{Wallets, ending, refund_reconciliation};
use crate::App;
use crate::accounts::stored_email;
use crate::bets::{Shortfall, record};
use crate::operator;
use crate::sweep::timestamp;

/// The setting with the start of the last comparison of payments without a difference, in microseconds.
const CLEAN_SENT: &str = "reconciled_withdrawals";

/// The setting with the start of the last comparison of deposits without a difference, in microseconds.
pub(super) const CLEAN_RECEIVED: &str = "reconciled_deposits";

/// The tolerance between the clocks of Bolts and the provider.
pub(super) const MARGIN: Duration = Duration::from_hours(1);

/// The reason for the refund of a withdrawal whose payment hash belongs to another payment, in a sentence for the user.
const UNPAYABLE: &str = "The payment hash of the invoice was used before.";

/// A difference between the provider's list of payments and the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentDifference {
    /// The provider's list has a payment that the ledger does not know.
    Unknown(Sent),
    /// The provider's list has a payment, but according to the ledger its withdrawal was not sent.
    NotSentHere(Sent, Withdrawal),
    /// The provider's list shows a payment as made, but its withdrawal is still open in the ledger.
    OpenHere(Sent, Withdrawal),
    /// The provider's list has a payment, made or in flight, but its withdrawal was refunded here.
    Refunded(Sent, Withdrawal),
    /// The provider's list has another payment than the ledger has a withdrawal for: the payment hash is the same, and the
    /// amount or the user differs.
    Other(Sent, Withdrawal),
    /// The ledger shows a withdrawal as paid, but the provider's list does not have its payment.
    MissingThere(Withdrawal),
}

impl SentDifference {
    /// The hash of the payment that differs.
    pub const fn hash(&self) -> PaymentHash {
        match self {
            Self::Unknown(sent)
            | Self::NotSentHere(sent, _)
            | Self::OpenHere(sent, _)
            | Self::Refunded(sent, _)
            | Self::Other(sent, _) => sent.payment_hash,
            Self::MissingThere(withdrawal) => withdrawal.outgoing.payment_hash,
        }
    }

    /// The booking to propose to the operator. `None` if only the operator can say how to book the difference.
    pub fn proposed(&self) -> Option<Booking> {
        match self {
            Self::Unknown(sent) if sent.is_paid => sent.owner.map(|owner| Booking::User(owner.user)),
            Self::NotSentHere(sent, _) | Self::OpenHere(sent, _) if sent.is_paid => Some(Booking::AsListed),
            Self::Unknown(_)
            | Self::NotSentHere(..)
            | Self::OpenHere(..)
            | Self::Refunded(..)
            | Self::Other(..)
            | Self::MissingThere(_) => None,
        }
    }
}

/// The operator's decision on a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Booking {
    /// Book the payment on its deposit or withdrawal in the ledger, as the provider's list shows it.
    AsListed,
    /// Book the payment as a deposit or withdrawal of this user.
    User(UserId),
    /// Book nothing, because the payment belongs to no user or the operator bears the loss. This decision is
    /// stored.
    Own,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison<Difference> {
    /// The start of the compared period.
    pub since: Timestamp,
    /// Whether the period begins after the last agreement of ledger and provider. Such a comparison may miss differences, so
    /// withdrawals do not resume because of it.
    pub is_partial: bool,
    /// The number of records in the provider's list for this period.
    pub listed: usize,
    /// The differences that were found.
    pub differences: Vec<Difference>,
}

/// The reason why nothing was compared or booked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReconcileError {
    /// The provider's list cannot be read.
    #[error(transparent)]
    Provider(#[from] Unclear),
    /// The provider is not the wallet or node that the database belongs to.
    #[error("the options name {0}, but the database belongs to {1}")]
    OtherProvider(String, String),
    /// The difference cannot be booked in this way.
    #[error("this cannot be booked: {0}")]
    NotBookable(&'static str),
    /// The user's balance does not cover the withdrawal that was paid.
    #[error(
        "{0}. First book the deposits that are missing here with `bolts deposits reconcile`. If the sats are still missing \
         then, the user has spent them and the site loses them: record the loss with --own"
    )]
    Insufficient(#[from] Shortfall),
    /// The ledger may lack the deposit whose sats a user withdrew by this payment.
    #[error(
        "the payment may be a withdrawal from a deposit that is missing here: `bolts deposits reconcile` has to find no \
         difference first"
    )]
    DepositsFirst,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

job_error!(ReconcileError);

/// The user and a description of the booking, or `None` if nothing is booked.
pub(super) type Booked = Result<Option<(UserId, String)>, ReconcileError>;

/// Whether both lists were compared with the ledger during this pause, and no difference remained.
pub(super) fn is_reconciled(tx: &mut dyn Tx, pause: &Pause, now: Timestamp) -> Result<bool, StoreError> {
    Ok(was_clean_since(tx, CLEAN_SENT, pause.payments_compared_since(), now)?
        && was_clean_since(tx, CLEAN_RECEIVED, pause.deposits_compared_since(), now)?)
}

/// Whether a comparison without a difference began at `then` or later. A comparison with a time after `now` does not count: a clock
/// that was ahead wrote this time, so the comparison may have been before `then`.
fn was_clean_since(tx: &mut dyn Tx, name: &str, then: Timestamp, now: Timestamp) -> Result<bool, StoreError> {
    let began_at = tx.settings().get(name)?.as_deref().and_then(timestamp);
    Ok(began_at.is_some_and(|began_at| (then..=now).contains(&began_at)))
}

/// The name of the setting for a payment that the operator has decided not to book (`Booking::Own`).
fn noted(direction: &str, hash: PaymentHash) -> String {
    format!("outside_the_ledger:{direction}:{hash}")
}

/// Whether the operator has noted that the provider made this payment. The ledger has no withdrawal for it.
pub(super) fn is_noted_as_sent(tx: &mut dyn Tx, hash: PaymentHash) -> Result<bool, StoreError> {
    Ok(tx.settings().get(&noted("sent", hash))?.is_some())
}

impl App {
    /// The user with this e-mail address, if there is one.
    pub async fn user_of_email(&self, email: &str) -> Result<Option<UserId>, StoreError> {
        let email = stored_email(email);
        let found = submit(&*self.store, move |tx| tx.users().credentials(&email)).await?;
        Ok(found.map(|credentials| credentials.user))
    }

    pub(super) fn is_noted(&self, direction: &str, hash: PaymentHash) -> Result<bool, StoreError> {
        Ok(self.queries.setting(&noted(direction, hash))?.is_some())
    }

    /// The difference between a record of the provider's list and the ledger, if there is one.
    pub(super) fn sent_difference(&self, sent: Sent) -> Result<Option<SentDifference>, StoreError> {
        let hash = sent.payment_hash;
        let Some(withdrawal) = self.queries.withdrawal_of(hash)? else {
            let is_noted = self.is_noted("sent", hash)?;
            return Ok((!is_noted).then_some(SentDifference::Unknown(sent)));
        };
        if is_other(&sent, &withdrawal) {
            let is_noted = self.is_noted("sent", hash)?;
            return Ok((!is_noted).then_some(SentDifference::Other(sent, withdrawal)));
        }
        Ok(match withdrawal.status() {
            WithdrawalStatus::Paid => None,
            WithdrawalStatus::Held => Some(SentDifference::NotSentHere(sent, withdrawal)),
            WithdrawalStatus::Sending if sent.is_paid => Some(SentDifference::OpenHere(sent, withdrawal)),
            WithdrawalStatus::Sending => None,
            WithdrawalStatus::Refunded => {
                let is_known =
                    refund_reconciliation::is_known(self, withdrawal.id)? || self.is_noted("sent", hash)?;
                (!is_known).then_some(SentDifference::Refunded(sent, withdrawal))
            }
        })
    }

    /// The paid withdrawals that were requested at `since` or later and are missing in the provider's list.
    fn missing_there(
        &self,
        since: Timestamp,
        listed: &BTreeSet<PaymentHash>,
    ) -> Result<Vec<Withdrawal>, StoreError> {
        let mut missing = Vec::new();
        for withdrawal in self.withdrawals_in(WithdrawalStatus::Paid) {
            let withdrawal = withdrawal?;
            if withdrawal.created_at < since {
                break;
            }
            let hash = withdrawal.outgoing.payment_hash;
            if !listed.contains(&hash) && !self.is_noted("sent", hash)? {
                missing.push(withdrawal);
            }
        }
        Ok(missing)
    }
}

impl Wallets {
    /// Checks that the provider is the one that the database belongs to. The lists of another provider prove
    /// nothing.
    pub(super) async fn right_provider(&self) -> Result<(), ReconcileError> {
        let identity = self.lightning.identity().await?;
        match self.app.known_provider()? {
            Some(known) if known != identity => Err(ReconcileError::OtherProvider(identity, known)),
            Some(_) | None => Ok(()),
        }
    }

    /// The time from which on every payment in the ledger must also be in the provider's list: `since`, but not before
    /// this provider became the provider of the database. `None` if the provider keeps no list.
    pub(super) fn ours_since(&self, since: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        if self.sats() == SatsKind::Test {
            return Ok(None);
        }
        let taken_at = self.app.provider_since()?;
        Ok(Some(taken_at.map_or(since, |taken_at| taken_at.max(since))))
    }

    /// Compares the provider's list of payments with the ledger in both directions. Without `since`, the period
    /// starts at the last check of the lists that found nothing unknown. A later start makes the comparison partial.
    pub async fn compare_sent(
        &self,
        since: Option<Timestamp>,
    ) -> Result<Comparison<SentDifference>, ReconcileError> {
        let began_at = self.begin_comparison().await?;
        let agreed = self.app.compared_from()?;
        let since = since.unwrap_or(agreed);
        let is_partial = since > agreed;
        let list = self.lightning.sent(since.before(MARGIN)).await?;
        let (listed, hashes) = (list.len(), list.iter().map(|sent| sent.payment_hash).collect());
        let mut differences = Vec::new();
        for sent in list {
            differences.extend(self.app.sent_difference(sent)?);
        }
        if let Some(since) = self.ours_since(since)? {
            let missing = self.app.missing_there(since, &hashes)?;
            differences.extend(missing.into_iter().map(SentDifference::MissingThere));
        }
        if differences.is_empty() && !is_partial {
            self.note_clean(CLEAN_SENT, began_at).await?;
        }
        Ok(Comparison { since, is_partial, listed, differences })
    }

    /// Returns the start of a comparison with the provider's lists. If the pause has a time in the future, moves this time to the
    /// start, so that the comparison counts for the pause.
    pub(super) async fn begin_comparison(&self) -> Result<Timestamp, ReconcileError> {
        let now = self.app.now();
        self.right_provider().await?;
        submit(&*self.app.store, move |tx| {
            if pause::correct_times(tx, now)? {
                // Either clock may be the wrong one, so an earlier comparison does not count.
                tx.settings().put(CLEAN_SENT, "")?;
                tx.settings().put(CLEAN_RECEIVED, "")?;
            }
            Ok::<_, StoreError>(())
        })
        .await?;
        Ok(now)
    }

    /// Records a comparison without a difference. What happened at the provider after the start of the comparison may be
    /// missing in its list.
    pub(super) async fn note_clean(&self, name: &'static str, began_at: Timestamp) -> Result<(), StoreError> {
        let began_at = began_at.micros().to_string();
        submit(&*self.app.store, move |tx| tx.settings().put(name, &began_at)).await
    }

    /// Runs `book` in a job and records the operator's decision under the name `action`. `book` returns the user and
    /// a description of the booking, or `None` if nothing is booked.
    pub(super) async fn book(
        &self,
        (action, direction): (&'static str, &'static str),
        hash: PaymentHash,
        reason: String,
        book: impl Fn(&mut dyn Tx, &Arc<dyn Ids>, Timestamp) -> Booked + Send + 'static,
    ) -> Result<(), ReconcileError> {
        let (now, ids) = (self.app.now(), self.app.environment.ids.clone());
        submit(&*self.app.store, move |tx| {
            let (user, what) = match book(tx, &ids, now)? {
                Some((user, what)) => (Some(user), what),
                None => {
                    tx.settings().put(&noted(direction, hash), &reason)?;
                    (None, "the operator's own".to_owned())
                }
            };
            Ok(operator::record(tx, action, user, Some(format!("{hash}: {what}: {reason}")), now)?)
        })
        .await
    }

    /// Books a difference as the operator decides, and records the decision.
    ///
    /// # Errors
    /// [`ReconcileError`]. In this case nothing is booked.
    pub async fn book_sent(
        &self,
        difference: SentDifference,
        booking: Booking,
        reason: String,
    ) -> Result<(), ReconcileError> {
        let hash = difference.hash();
        self.book(("reconcile_withdrawal", "sent"), hash, reason, move |tx, ids, now| {
            booked(tx, &difference, booking, ids, now)
        })
        .await
    }
}

fn booked(
    tx: &mut dyn Tx,
    difference: &SentDifference,
    booking: Booking,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Booked {
    match (difference, booking) {
        (SentDifference::Unknown(sent), Booking::User(user)) if sent.is_paid => {
            let held = hold(tx, sent, user, ids, now)?;
            settle(tx, held.id, sent, ids, now)?;
            Ok(Some((user, format!("booked as withdrawal {}", held.id))))
        }
        (
            SentDifference::NotSentHere(sent, known) | SentDifference::OpenHere(sent, known),
            Booking::AsListed,
        ) if sent.is_paid => {
            settle(tx, known.id, sent, ids, now)?;
            Ok(Some((known.user, format!("withdrawal {} was paid", known.id))))
        }
        // The record names another user, and the operator says that the user of the withdrawal is the right one.
        (SentDifference::Other(sent, known), Booking::User(user))
            if sent.is_paid && user == known.user && sent.amount == known.outgoing.amount =>
        {
            settle(tx, known.id, sent, ids, now)?;
            Ok(Some((user, format!("withdrawal {} was paid", known.id))))
        }
        (SentDifference::Unknown(_) | SentDifference::Other(..), Booking::Own)
            if lacks_deposits(tx, now)? =>
        {
            Err(ReconcileError::DepositsFirst)
        }
        (SentDifference::Other(_, known), Booking::Own) => {
            end_unpayable(tx, known.id, ids, now)?;
            Ok(None)
        }
        (
            SentDifference::Unknown(_) | SentDifference::Refunded(..) | SentDifference::MissingThere(_),
            Booking::Own,
        ) => Ok(None),
        (SentDifference::Other(..), Booking::AsListed | Booking::User(_)) => Err(
            ReconcileError::NotBookable("the withdrawal with this payment hash is of another amount or user"),
        ),
        (_, Booking::AsListed | Booking::User(_) | Booking::Own) => Err(ReconcileError::NotBookable(
            "the payment is still in flight, or the ledger already has this payment and its owner",
        )),
    }
}

/// Whether the record is of another payment than the withdrawal with its payment hash. A user can request a withdrawal with
/// the hash of a payment that a restored database has lost. An invoice of any amount can have this hash.
fn is_other(sent: &Sent, known: &Withdrawal) -> bool {
    // The operator may have booked a payment to another user than its record names, so the user counts only before the end.
    let is_of_another_user = sent.owner.is_some_and(|owner| owner.user != known.user);
    sent.amount != known.outgoing.amount || (known.next_at().is_some() && is_of_another_user)
}

/// Refunds a withdrawal that was not sent, because the provider has made another payment with its payment hash. The provider
/// pays a hash once, so it cannot make the payment of the withdrawal.
fn end_unpayable(
    tx: &mut dyn Tx,
    id: WithdrawalId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let known = tx.withdrawals().lock(id)?;
    match known.and_then(|known| known.not_sent(UNPAYABLE.to_owned(), now)) {
        Some((ended, effect)) => ending::record(tx, &ended, effect, ids, now),
        None => Ok(()),
    }
}

/// Whether the ledger may have been rolled back and may still lack deposits. A user may have deposited sats and withdrawn
/// them since. If the operator noted the withdrawal as a loss, and booked the deposit later, the user would have the sats
/// twice.
fn lacks_deposits(tx: &mut dyn Tx, now: Timestamp) -> Result<bool, StoreError> {
    match pause::standing(tx)? {
        Some(pause) if pause.needs_reconciling => {
            Ok(!was_clean_since(tx, CLEAN_RECEIVED, pause.deposits_compared_since(), now)?)
        }
        Some(_) | None => Ok(false),
    }
}

/// Records again a withdrawal that the ledger has lost, and holds its sats. The fee limit is the cost of the route.
fn hold(
    tx: &mut dyn Tx,
    sent: &Sent,
    user: UserId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<Withdrawal, ReconcileError> {
    let outgoing = Outgoing {
        invoice: sent.invoice.clone(),
        payment_hash: sent.payment_hash,
        amount: sent.amount,
        expires_at: sent.created_at,
        address: None,
    };
    // The withdrawal keeps its old id if possible, so that an open page of the user finds the withdrawal.
    let id = match sent.owner.filter(|owner| owner.user == user) {
        Some(owner) if tx.withdrawals().lock(owner.id)?.is_none() => owner.id,
        Some(_) | None => ids.id::<WithdrawalId>(),
    };
    let one = Amount::new(1).unwrap_or_default();
    let fee_limit = sent.fee.ceil_sats().max(one);
    let created_at = sent.created_at.min(now);
    let state = WithdrawalState::Held;
    let withdrawal = Withdrawal { id, user, outgoing, fee_limit, created_at, trail: None, state };
    record::cover(tx, user, Money::new(withdrawal.held(), Currency::Sats))??;
    if !tx.withdrawals().insert(&withdrawal)? {
        return Err(ReconcileError::NotBookable("the ledger knows this payment"));
    }
    let transfer = bolts_ledger::hold(id, user, withdrawal.held(), ids.id::<OperationId>(), now)
        .map_err(|error| StoreError::Broken(format!("withdrawal {id}: {error}")))?;
    tx.ledger().open(&[Account::Hold(id)])?;
    tx.ledger().post(&[transfer])?;
    Ok(withdrawal)
}

/// Settles a withdrawal as paid, with the fee from the provider's list.
fn settle(
    tx: &mut dyn Tx,
    id: WithdrawalId,
    sent: &Sent,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), ReconcileError> {
    let known = tx.withdrawals().lock(id)?;
    let ended = known.and_then(|known| known.found_paid(sent.fee, sent.preimage, now));
    let (ended, effect) = ended.ok_or(ReconcileError::NotBookable("the withdrawal has ended"))?;
    Ok(ending::record(tx, &ended, effect, ids, now)?)
}
