//! Deposits: invoices, look-ups and credits.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bolts_kernel::{Amount, Code, DepositId, OperationId, Timestamp, UserId};
use bolts_ports::{
    About, DEPOSIT_MEMO, Hint, Ids, InvoiceState, Lane, MadeInvoice, NewInvoice, NoticeBody, Owner,
    Reference, StoreError, Tx, Unclear, submit, submit_for,
};
use bolts_wallet::{Deposit, DepositState, INVOICE_LIFETIME, MAX_OPEN_INVOICES, Millisats};

use super::look_ups::Start;
use super::{InvoiceLock, Wallets, provider_identity};
use crate::accounts::require_here;
use crate::idempotency::once;
use crate::notifications::tell_of_money;
use crate::operator::record;
use crate::{App, Idempotent, KeyReused, Refused, Reply};

/// The maximum number of deposits that are looked up together.
const CHUNK: u32 = 16;

/// The reason why no invoice was created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DepositError {
    /// The user has too many unpaid invoices.
    #[error("You have {MAX_OPEN_INVOICES} unpaid invoices. Pay one of them, or wait until it expires.")]
    TooManyOpen {
        /// The time until one of these invoices expires.
        retry_after: Duration,
    },
    /// The provider created no valid invoice.
    #[error(transparent)]
    Provider(#[from] Unclear),
    /// The sats of this site are real.
    #[error("Sats can be added without a payment only where they are test sats.")]
    NotTest,
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DepositError> for Refused {
    fn from(error: DepositError) -> Self {
        let detail = error.to_string();
        match error {
            DepositError::TooManyOpen { retry_after } => {
                Self::new(Code::TooManyInvoices, detail).retry_after(retry_after)
            }
            DepositError::Provider(error) => error.into(),
            DepositError::NotTest => Self::new(Code::NotAllowed, detail),
            DepositError::KeyReused(error) => error.into(),
            DepositError::Store(error) => error.into(),
        }
    }
}

job_error!(DepositError);

impl App {
    /// The number of deposits whose invoice expired more than a day ago and for which the provider gave no
    /// clear answer.
    pub fn unanswered_deposits(&self) -> Result<u64, StoreError> {
        self.queries.open_deposits_expired_before(Deposit::overdue_before(self.now()))
    }
}

impl Wallets {
    /// Creates an invoice for this number of sats. The invoice is checked against the request and stored
    /// before the user sees it.
    pub async fn create_deposit(&self, user: UserId, amount: Amount) -> Result<Deposit, DepositError> {
        // The requests of one user run one at a time, so that the provider does not create more invoices than the
        // user may have.
        let lock = self.invoice_lock_of(user);
        let _held = lock.lock().await;
        let (now, provider) = (self.app.now(), self.lightning.provider_name());
        submit_for(&*self.app.store, Lane::User(user), move |tx| {
            // If the database belongs to another provider now, a payment to this provider would stay unnoticed.
            if !provider_identity::is_current(tx, &provider)? {
                return Err(
                    Unclear("the database was taken for another Lightning provider".to_owned()).into()
                );
            }
            room_for_one(tx, user, now)
        })
        .await?;
        let id = self.app.id::<DepositId>();
        let made = self.lightning.create_invoice(self.wanted(Owner { id, user }, amount)).await?;

        let deposit = self.checked(id, user, amount, &made)?;
        submit_for(&*self.app.store, Lane::User(user), move |tx| {
            require_here(tx, user)?;
            room_for_one(tx, user, now)?;
            tx.deposits().insert(&deposit)?;
            Ok(deposit.clone())
        })
        .await
    }

    fn invoice_lock_of(&self, user: UserId) -> Arc<InvoiceLock> {
        let mut locks = self.invoice_locks.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        locks.entry(user).or_default().clone()
    }

    fn wanted(&self, owner: Owner<DepositId>, amount: Amount) -> NewInvoice {
        let path = format!("/api/deposit/webhook/{}", owner.id);
        let webhook = self.rules.webhooks.as_ref().map(|base| format!("{base}{path}"));
        NewInvoice { owner, amount, memo: DEPOSIT_MEMO.to_owned(), lifetime: INVOICE_LIFETIME, webhook }
    }

    /// Checks that a new invoice matches the request in hash, amount, network and expiry. Returns the new deposit.
    fn checked(
        &self,
        id: DepositId,
        user: UserId,
        amount: Amount,
        made: &MadeInvoice,
    ) -> Result<Deposit, Unclear> {
        let now = self.app.now();
        let wrong = |what: &str| Unclear(format!("the new invoice has {what} than asked for"));
        let decoded = self.lightning.decode(&made.invoice).map_err(|error| Unclear(error.to_string()))?;
        if decoded.payment_hash != made.payment_hash {
            return Err(wrong("another hash"));
        }
        if decoded.amount != Some(Millisats::from_sats(amount)) {
            return Err(wrong("another amount"));
        }
        if decoded.network != Some(self.sats()) {
            return Err(wrong("another network"));
        }
        let expires_at = decoded.expires_at.min(now.after(INVOICE_LIFETIME));
        if expires_at <= now {
            return Err(wrong("another expiry"));
        }
        let invoice = (decoded.text, made.payment_hash);
        Ok(Deposit::open(id, user, amount, invoice, (now, expires_at)))
    }

    /// Looks up the user's deposit at the provider, unless the last look-up is too recent. Returns the deposit, or
    /// `None` if `found` is not a deposit of this user.
    ///
    /// # Errors
    /// The store failed. If the provider does not answer, the deposit stays as it is.
    pub async fn check_deposit(
        &self,
        user: UserId,
        found: Option<Deposit>,
    ) -> Result<Option<Deposit>, StoreError> {
        let Some(deposit) = found.filter(|deposit| deposit.user == user) else { return Ok(None) };
        if is_paid(&deposit) || !self.look_ups.begin(&deposit, self.app.now()) {
            return Ok(Some(deposit));
        }
        self.look(deposit).await.map(Some)
    }

    /// Handles a webhook about a deposit. The webhook only causes a look-up at the provider. If the last look-up is too
    /// recent, returns the time after which [`Wallets::look_for_webhook`] must be called.
    pub async fn hear_of_deposit(&self, found: Option<Deposit>) -> Result<Option<Duration>, StoreError> {
        match found {
            Some(deposit) => self.look_or_wait(deposit, false).await,
            None => Ok(None),
        }
    }

    /// Looks up a deposit for a webhook that has waited. If the last look-up is too recent, returns the time after
    /// which this function must be called again.
    pub async fn look_for_webhook(&self, id: DepositId) -> Result<Option<Duration>, StoreError> {
        match self.app.queries.deposit(id)? {
            Some(deposit) => self.look_or_wait(deposit, true).await,
            None => Ok(None),
        }
    }

    async fn look_or_wait(&self, deposit: Deposit, has_waited: bool) -> Result<Option<Duration>, StoreError> {
        if is_paid(&deposit) {
            return Ok(None);
        }
        match self.look_ups.begin_or_wait(&deposit, has_waited, self.app.now()) {
            Start::Now => self.look(deposit).await.map(|_| None),
            Start::After(wait) => Ok(Some(wait)),
            Start::Shared => Ok(None),
        }
    }

    /// Looks up an unpaid deposit at the provider, and credits a payment.
    async fn look(&self, deposit: Deposit) -> Result<Deposit, StoreError> {
        match self.ask(&deposit).await {
            Ok(InvoiceState::Paid(received)) => self.credit(deposit.id, received).await,
            Ok(InvoiceState::Unpaid) | Err(Unclear(_)) => Ok(deposit),
        }
    }

    async fn ask(&self, deposit: &Deposit) -> Result<InvoiceState, Unclear> {
        let state = self.lightning.look_up_invoice(reference(deposit)).await;
        state.inspect_err(|error| {
            tracing::warn!(deposit = %deposit.id, %error, "a deposit could not be looked up");
        })
    }

    /// Credits a deposit once, even if several look-ups find the payment.
    pub(super) async fn credit(&self, id: DepositId, received: Millisats) -> Result<Deposit, StoreError> {
        let (now, ids) = (self.app.now(), self.app.environment.ids.clone());
        let credited = submit(&*self.app.store, move |tx| credit(tx, id, received, &ids, now)).await?;
        credited.report();
        Ok(credited.deposit)
    }

    /// The deposits that need [`Wallets::move_deposit_on`] now. A deposit that cannot be read is left out and
    /// does not stop the others.
    pub fn due_deposits(&self) -> Result<Vec<Deposit>, StoreError> {
        let due = self.app.queries.due_deposits(self.app.now(), CHUNK)?;
        let found = due.into_iter().filter_map(|id| {
            let found = self.app.queries.deposit(id);
            found.inspect_err(|error| tracing::error!(deposit = %id, %error, "a deposit cannot be read")).ok()
        });
        Ok(found.flatten().collect())
    }

    /// Carries out the scheduled look-up of a deposit. Credits a payment, or plans the next look-up.
    pub async fn move_deposit_on(&self, deposit: Deposit) -> Result<(), StoreError> {
        // An answer says what was true at the time of the question. The invoice may be paid after it, and the machine may
        // sleep until the invoice has long expired.
        let (id, asked_at) = (deposit.id, self.app.now());
        let answer = self.ask(&deposit).await;
        let put_off: fn(Deposit, Timestamp) -> Deposit = match answer {
            Ok(InvoiceState::Paid(received)) => return self.credit(id, received).await.map(drop),
            Ok(InvoiceState::Unpaid) => Deposit::unpaid,
            Err(Unclear(_)) => Deposit::unanswered,
        };
        let is_clear = answer.is_ok();
        let is_given_up = submit(&*self.app.store, move |tx| match tx.deposits().lock(id)? {
            Some(deposit) if matches!(deposit.state, DepositState::Open { .. }) => {
                let deposit = put_off(deposit, asked_at);
                tx.deposits().update(&deposit)?;
                Ok::<_, StoreError>(deposit.state == DepositState::Lapsed)
            }
            Some(_) | None => Ok(false),
        })
        .await?;
        if is_given_up && !is_clear {
            tracing::error!(deposit = %id, "a deposit is not looked up any more: the provider never said whether it was paid");
        }
        Ok(())
    }

    /// Adds test sats to the user's balance without a payment. Returns the number of sats.
    ///
    /// # Errors
    /// [`DepositError::NotTest`] if sats are real.
    pub async fn add_test_sats(
        &self,
        user: UserId,
        amount: Amount,
        idempotency: Option<Idempotent<Amount>>,
    ) -> Result<Reply<Amount>, DepositError> {
        if self.sats() != bolts_ports::SatsKind::Test {
            return Err(DepositError::NotTest);
        }
        let (now, operation) = (self.app.now(), self.app.id::<OperationId>());
        submit_for(&*self.app.store, Lane::User(user), move |tx| {
            once(tx, idempotency.as_ref(), now, |tx| {
                require_here(tx, user)?;
                let transfer = bolts_ledger::test_deposit(user, amount, operation, now)
                    .map_err(|error| StoreError::Broken(error.to_string()))?;
                tx.ledger().post(&[transfer])?;
                tx.outbox().enqueue(&[Hint { user, about: About::Balance }], now)?;
                Ok(amount)
            })
        })
        .await
    }
}

/// The invoice of a deposit in the form that requests to the provider need.
pub(super) fn reference(deposit: &Deposit) -> Reference {
    Reference { payment_hash: deposit.payment_hash, invoice: deposit.invoice.clone() }
}

const fn is_paid(deposit: &Deposit) -> bool {
    matches!(deposit.state, DepositState::Paid(_))
}

fn room_for_one(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> Result<(), DepositError> {
    let open = tx.deposits().open_invoices(user, now)?;
    if open.count < MAX_OPEN_INVOICES {
        return Ok(());
    }
    let retry_after = open.next_expiry.map_or(INVOICE_LIFETIME, |expiry| expiry.since(now));
    Err(DepositError::TooManyOpen { retry_after })
}

/// A deposit after a job that credits it.
pub(super) struct Credited {
    deposit: Deposit,
    /// The sats that this job credited, if the user had deleted the account before.
    late: Option<Amount>,
}

impl Credited {
    /// Logs and counts a late deposit. This must come after the commit: the job may run again, and the commit may fail. A deposit
    /// that the operator books by hand needs no report.
    fn report(&self) {
        let (Some(late), deposit) = (self.late, &self.deposit) else { return };
        tracing::error!(
            deposit = %deposit.id, user = %deposit.user, sats = late.get(), "a deposit of a deleted user arrived"
        );
        metrics::counter!("bolts_late_deposits_total").increment(1);
    }
}

/// Credits a deposit, unless it was credited before. A deposit that arrives after its user has deleted the account is late. The
/// sats belong to the user still, so they are in the ledger, and the operator must hear of them
/// (`docs/operations.md#a-deposit-of-a-deleted-user`).
pub(super) fn credit(
    tx: &mut dyn Tx,
    id: DepositId,
    received: Millisats,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<Credited, StoreError> {
    let deposit = tx.deposits().lock(id)?;
    let deposit = deposit.ok_or_else(|| StoreError::Broken(format!("the deposit {id} vanished")))?;
    let user = deposit.user;
    // The user is locked before the balance, as in a deletion.
    let deleted_at = tx.departures().deleted_at(user)?;
    // The clock may have been ahead at the deletion. Even then, a late deposit must not be older than the deletion.
    let now = deleted_at.map_or(now, |deleted_at| now.max(deleted_at));

    let Ok(credit) = deposit.clone().paid(received, now) else { return Ok(Credited { deposit, late: None }) };

    tx.deposits().update(&credit.deposit)?;
    let (deposit, amount) = (credit.deposit, credit.amount);
    // If less than 1 sat arrived, there is no transfer and no notification.
    if amount.is_zero() {
        return Ok(Credited { deposit, late: None });
    }
    let transfer = bolts_ledger::deposit(id, user, amount, ids.id::<OperationId>(), now)
        .map_err(|error| StoreError::Broken(format!("deposit {id}: {error}")))?;
    tx.ledger().post(&[transfer])?;
    if deleted_at.is_none() {
        tell_of_money(tx, user, NoticeBody::DepositReceived { amount }, ids, now)?;
        return Ok(Credited { deposit, late: None });
    }
    let detail = format!("{} sats by deposit {id}", amount.grouped());
    record(tx, "late_deposit", Some(user), Some(detail), now)?;
    Ok(Credited { deposit, late: Some(amount) })
}
