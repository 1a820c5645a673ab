//! The user's request for a withdrawal: checks the request and holds the sats.

use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::{Amount, Code, Currency, FieldError, Money, OperationId, Timestamp, UserId, WithdrawalId};
use bolts_ledger::Account;
use bolts_ports::{About, Hint, Ids, Lane, Reference, SatsKind, StoreError, Tx, submit_for};
use bolts_wallet::{Evidence, MAX_IN_FLIGHT, Outgoing, Withdrawal};

use super::destination::{Destination, DestinationError, Quote, own_invoice};
use super::gate::{self, Restraint};
use super::{WalletRules, Wallets, pause, reconcile};
use crate::accounts::{PasswordError, Requester, Stale, cooldown};
use crate::bets::{Shortfall, record};
use crate::idempotency::{answered, once};
use crate::{Idempotent, KeyReused, Refused, Reply};

/// The window of the withdrawal limits: 24 hours.
const DAY: Duration = Duration::from_hours(24);

/// The time that a user with too many withdrawals under way should wait. One of them may have ended by then.
const WITHDRAWAL_AGAIN: Duration = Duration::from_secs(10);

/// A request for a withdrawal.
#[derive(Clone, Debug)]
pub struct Withdraw {
    /// The user, with the e-mail address and the session or key.
    pub owner: Requester,
    /// The user's password, for confirmation.
    pub password: String,
    /// The destination of the withdrawal.
    pub destination: Destination,
}

/// The reason why a withdrawal was refused. A refused withdrawal holds no sats.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawError {
    /// The destination cannot be paid.
    #[error(transparent)]
    Destination(#[from] DestinationError),
    /// The password is wrong, or cannot be checked.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The operator or a check paused withdrawals. Or the database may lack payments, and the provider does not say that it
    /// does not know this one.
    #[error("Withdrawals are paused. Your balance is safe; please try again later.")]
    Paused,
    /// The password was reset or a second factor was removed less than a day ago.
    #[error("Your password was reset or a second factor was removed, so you can’t withdraw for 24 hours.")]
    Cooldown {
        /// The time until the cooldown ends.
        retry_after: Duration,
    },
    /// The user has the maximum number of withdrawals under way.
    #[error("You have {MAX_IN_FLIGHT} withdrawals on their way. Please wait until one of them is done.")]
    TooManyInFlight,
    /// The withdrawal exceeds the user's limit in 24 hours.
    #[error("You can withdraw {} more sats within 24 hours of your earlier withdrawals.", left.grouped())]
    UserCap {
        /// The sats that the user can still withdraw within the limit.
        left: Amount,
    },
    /// The withdrawal exceeds the limit on the net outflow of all users in 24 hours. The last quarter of this limit is
    /// kept for small withdrawals.
    #[error("This site's withdrawals have reached their limit for now. Please try again later.")]
    TotalCap,
    /// The invoice was used for a withdrawal before, or the operator has noted that the provider paid it. Or the provider
    /// knows its payment, which the database lacks.
    #[error("This invoice was used for a withdrawal before. Please ask for a new one.")]
    UsedBefore,
    /// The balance does not cover the amount and the fee limit.
    #[error(transparent)]
    Insufficient(#[from] Shortfall),
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<WithdrawError> for Refused {
    fn from(error: WithdrawError) -> Self {
        let detail = error.to_string();
        match error {
            WithdrawError::Destination(error) => error.into(),
            WithdrawError::Password(PasswordError::WrongCurrent) => Self::wrong_password(),
            WithdrawError::Password(error) => error.into(),
            WithdrawError::Paused => Self::new(Code::WithdrawalsPaused, detail),
            WithdrawError::Cooldown { retry_after } => {
                Self::new(Code::WithdrawalsResting, detail).retry_after(retry_after)
            }
            WithdrawError::TooManyInFlight => {
                Self::new(Code::TooManyWithdrawals, detail).retry_after(WITHDRAWAL_AGAIN)
            }
            WithdrawError::UserCap { .. } => Self::new(Code::WithdrawalLimitReached, detail),
            WithdrawError::TotalCap => {
                metrics::counter!("bolts_withdrawals_refused_by_total_cap_total").increment(1);
                tracing::error!("a withdrawal was refused because of --withdrawal-cap-total");
                Self::new(Code::WithdrawalLimitReached, detail)
            }
            WithdrawError::UsedBefore => Self::new(Code::InvoiceUsed, detail).on("invoice"),
            WithdrawError::Insufficient(shortfall) => shortfall.into(),
            WithdrawError::KeyReused(error) => error.into(),
            WithdrawError::Store(error) => error.into(),
        }
    }
}

job_error!(WithdrawError);

impl From<Stale> for WithdrawError {
    fn from(stale: Stale) -> Self {
        Self::Password(stale.into())
    }
}

impl From<FieldError> for WithdrawError {
    fn from(error: FieldError) -> Self {
        Self::Destination(error.into())
    }
}

impl Wallets {
    /// Holds the amount and the fee limit of a withdrawal. [`Wallets::move_on`] then pays it.
    pub async fn withdraw(
        &self,
        withdraw: Withdraw,
        idempotency: Option<Idempotent<Withdrawal>>,
    ) -> Result<Reply<Withdrawal>, WithdrawError> {
        // A repeated request gets the first answer again, even if the destination is no longer valid.
        let (earlier, now) = (idempotency.clone(), self.app.now());
        let lane = Lane::User(withdraw.owner.user);
        let told = submit_for(&*self.app.store, lane, move |tx| {
            answered::<_, WithdrawError>(tx, earlier.as_ref(), now)
        });
        if let Some(answer) = told.await? {
            return Ok(Reply::Replayed(answer));
        }
        let Withdraw { owner, password, destination } = withdraw;
        let quote = self.quote(&destination)?;
        let checked = self.app.check_password_of(&owner, password).await?;
        // Test sats have no value, and their provider keeps no payments.
        let gate = (self.sats() == SatsKind::Real).then(|| self.gate.clone());
        let must_ask = gate.as_ref().is_some_and(|gate| !gate.is_open());
        if quote.address.is_some() || must_ask {
            self.before_asking(owner.user, &quote).await?;
        }
        let outgoing = self.outgoing(destination).await?;
        if must_ask {
            self.check_is_new(&outgoing).await?;
        }

        let unasked = gate.filter(|_| !must_ask);
        let (now, ids, rules) = (self.app.now(), self.app.environment.ids.clone(), self.rules.clone());
        submit_for(&*self.app.store, lane, move |tx| {
            once(tx, idempotency.as_ref(), now, |tx| {
                // The password may have changed since its check, because the server of a Lightning address may be
                // slow.
                checked.still_holds(tx, now)??;
                // The database may have gone back since the last check of the provider. Then the next request asks.
                if let Some(gate) = &unasked
                    && gate::restraint(tx, gate)? == Restraint::NotEnded
                {
                    return Err(WithdrawError::Paused);
                }
                hold(tx, owner.user, &outgoing, &rules, &ids, now)
            })
        })
        .await
    }

    /// Checks that the provider does not know the payment. Before a clean check of the provider, the database may have
    /// lost a payment. If a withdrawal got the payment hash of a lost payment, no command could charge that payment to its
    /// user.
    async fn check_is_new(&self, outgoing: &Outgoing) -> Result<(), WithdrawError> {
        let reference = Reference { payment_hash: outgoing.payment_hash, invoice: outgoing.invoice.clone() };
        match self.lightning.look_up_payment(reference).await {
            Evidence::NotFound { .. } => {}
            Evidence::Paid { .. } | Evidence::Failed(_) | Evidence::InFlight => {
                return Err(WithdrawError::UsedBefore);
            }
            Evidence::NotSent(_) | Evidence::NoAnswer(_) | Evidence::Unknown(_) => {
                return Err(WithdrawError::Paused);
            }
        }
        if self.is_another_provider().await? { Err(WithdrawError::Paused) } else { Ok(()) }
    }

    /// Checks that the user could withdraw. Without this check, any user could cause calls to the server of a
    /// Lightning address, or to the provider.
    async fn before_asking(&self, user: UserId, quote: &Quote) -> Result<(), WithdrawError> {
        let (now, rules, amount) = (self.app.now(), self.rules.clone(), quote.amount);
        let needed = quote.held();
        submit_for(&*self.app.store, Lane::User(user), move |tx| {
            allowed(tx, user, amount, &rules, now)?;
            record::cover(tx, user, Money::new(needed, Currency::Sats))??;
            Ok(())
        })
        .await
    }
}

fn hold(
    tx: &mut dyn Tx,
    user: UserId,
    outgoing: &Outgoing,
    rules: &WalletRules,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<Withdrawal, WithdrawError> {
    allowed(tx, user, outgoing.amount.ceil_sats(), rules, now)?;
    if tx.deposits().is_ours(outgoing.payment_hash)? {
        return Err(own_invoice().into());
    }

    let id = ids.id::<WithdrawalId>();
    let withdrawal = Withdrawal::request(id, user, outgoing.clone(), now);
    record::cover(tx, user, Money::new(withdrawal.held(), Currency::Sats))??;

    if reconcile::is_noted_as_sent(tx, outgoing.payment_hash)? || !tx.withdrawals().insert(&withdrawal)? {
        return Err(WithdrawError::UsedBefore);
    }
    let operation = ids.id::<OperationId>();
    let transfer = bolts_ledger::hold(id, user, withdrawal.held(), operation, now)
        .map_err(|error| StoreError::Broken(format!("withdrawal {id}: {error}")))?;
    tx.ledger().open(&[Account::Hold(id)])?;
    tx.ledger().post(&[transfer])?;
    tx.outbox().enqueue(&[Hint { user, about: About::Balance }], now)?;
    Ok(withdrawal)
}

/// Checks whether the user may withdraw this number of sats now.
fn allowed(
    tx: &mut dyn Tx,
    user: UserId,
    amount: Amount,
    rules: &WalletRules,
    now: Timestamp,
) -> Result<(), WithdrawError> {
    // The pause is read first, because this read blocks all other requests for withdrawals until this request is
    // recorded. So the counts below stay correct.
    if pause::standing(tx)?.is_some() {
        return Err(WithdrawError::Paused);
    }
    if let Some(retry_after) = cooldown(tx, user, now)? {
        return Err(WithdrawError::Cooldown { retry_after });
    }
    if tx.withdrawals().in_flight(user)? >= MAX_IN_FLIGHT {
        return Err(WithdrawError::TooManyInFlight);
    }
    let since = now.before(DAY);
    if rules.user_cap > 0 {
        let left = rules.user_cap - tx.withdrawals().withdrawn(user, since)?;
        if amount.get() > left {
            return Err(WithdrawError::UserCap { left: Amount::new(left).unwrap_or_default() });
        }
    }
    if !tx.withdrawals().outflow(user, since)?.has_room_for(amount, rules.total_cap) {
        return Err(WithdrawError::TotalCap);
    }
    Ok(())
}
