//! The deletion of the user's own account (`docs/product.md#deletion`).

mod obstacles;

pub use obstacles::{Obstacle, ObstacleKind, obstacles};

use std::sync::Arc;

use bolts_delivery::Channel;
use bolts_kernel::{Amount, BetId, Code, Currency, FieldError, OperationId, Source, Timestamp, UserId};
use bolts_ledger::Account;
use bolts_ports::{
    About, Cause, Hint, Ids, JobError, Lane, NewDelivery, Recipient, StoreError, Ties, Tx, submit_for,
};

use super::Checked;
use super::password::{PasswordError, PasswordOwner};
use super::rate_limit::forget_limits;
use crate::bets::decline_invitation;
use crate::{App, Refused};

/// The reason why an account was not deleted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeletionError {
    /// The password was refused.
    #[error(transparent)]
    Password(PasswordError),
    /// Bets, tasks or money need the user.
    #[error("{}", obstacles::sentence(.0))]
    InUse(Vec<Obstacle>),
    /// A deadline of the bet must be applied first.
    #[error("a deadline of the bet has to be applied first")]
    Overdue(BetId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PasswordError> for DeletionError {
    fn from(error: PasswordError) -> Self {
        if let PasswordError::Store(error) = error { Self::Store(error) } else { Self::Password(error) }
    }
}

impl From<DeletionError> for Refused {
    fn from(error: DeletionError) -> Self {
        let detail = error.to_string();
        match error {
            DeletionError::Password(PasswordError::WrongCurrent) => {
                Self::invalid(vec![FieldError::new("password", "The password is incorrect")])
            }
            DeletionError::Password(error) => error.into(),
            DeletionError::InUse(_) => Self::new(Code::AccountInUse, detail),
            // The use case handles this error, so it should not get here. If it does, the client may try again.
            DeletionError::Overdue(_) => Self::unavailable(),
            DeletionError::Store(error) => error.into(),
        }
    }
}

impl JobError for DeletionError {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(error) => Some(error),
            Self::Password(_) | Self::InUse(_) | Self::Overdue(_) => None,
        }
    }
}

impl DeletionError {
    fn overdue(&self) -> Option<BetId> {
        if let Self::Overdue(bet) = self { Some(*bet) } else { None }
    }
}

impl App {
    /// The obstacles to the deletion of this user's account. Blocks on the database.
    pub fn obstacles_of(&self, user: UserId) -> Result<Vec<Obstacle>, StoreError> {
        Ok(obstacles(&self.queries.ties_of(user)?, self.now()))
    }

    /// Deletes the user's account for ever. The password and a fresh proof of the second factor are needed.
    pub async fn delete_account(&self, owner: PasswordOwner, password: String) -> Result<(), DeletionError> {
        let checked = self.check_password(&owner, password).await?;
        let user = owner.user;
        self.past_deadlines(DeletionError::overdue, async || {
            let (now, ids) = (self.now(), self.environment.ids.clone());
            let (checked, owner, sends_mail) = (checked.clone(), owner.clone(), self.rules.sends_mail);
            submit_for(&*self.store, Lane::User(user), move |tx| {
                delete(tx, &checked, &owner, sends_mail, (&ids, now))
            })
            .await
        })
        .await
    }
}

/// The whole deletion in one transaction.
///
/// What another request of the user or of an opponent does at the same moment comes before or after it. The locks of
/// credentials, session, user and accounts, in this order, decide which. A request that comes after finds no credentials, no
/// session and no money, or asks [`require_here`](super::require_here).
fn delete(
    tx: &mut dyn Tx,
    checked: &Checked,
    owner: &PasswordOwner,
    sends_mail: bool,
    (ids, now): (&Arc<dyn Ids>, Timestamp),
) -> Result<(), DeletionError> {
    let user = owner.user;
    checked.still_holds(tx, now)?.map_err(PasswordError::from)?;
    // The first check takes no lock of the user or of a balance, so a refused deletion holds up no settlement of a bet.
    require_no_obstacle(&tx.departures().ties(user)?, now)?;
    if !tx.departures().lock_user(user)? {
        return Err(PasswordError::SignedOut.into());
    }
    decline_invitations(tx, user, ids, now)?;
    let balances = lock_balances(tx, user)?;
    require_no_obstacle(&tx.departures().ties(user)?, now)?;

    give_back(tx, user, &balances, ids, now)?;
    let address = tx.contacts().email_of(user)?.filter(|to| to.stopped.is_none()).map(|to| to.address);
    forget_limits(tx, user, &owner.email)?;
    // The open streams of the user look for their session after this hint, and end.
    tx.outbox().enqueue(&[Hint { user, about: About::Sessions }], now)?;
    tx.departures().erase(user, now)?;
    if let Some(address) = address.filter(|_| sends_mail) {
        say_farewell(tx, address, ids, now)?;
    }
    Ok(())
}

fn require_no_obstacle(ties: &Ties, now: Timestamp) -> Result<(), DeletionError> {
    let obstacles = obstacles(ties, now);
    if obstacles.is_empty() { Ok(()) } else { Err(DeletionError::InUse(obstacles)) }
}

/// Declines the user's open invitations to be an arbiter. They are no obstacle, because anybody can invite a user, and so
/// could keep the user from leaving.
fn decline_invitations(
    tx: &mut dyn Tx,
    user: UserId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), DeletionError> {
    for bet in tx.departures().open_invitations(user)? {
        decline_invitation(tx, bet, user, ids, now)?.map_err(DeletionError::Overdue)?;
    }
    Ok(())
}

/// Locks the user's balances, so that no transfer comes between the check of the obstacles and the commit.
fn lock_balances(tx: &mut dyn Tx, user: UserId) -> Result<Vec<(Currency, i64)>, StoreError> {
    let accounts = Currency::ALL.map(|currency| Account::Available(user, currency));
    let balances = tx.ledger().lock(&accounts)?;
    Ok(Currency::ALL.into_iter().zip(balances).collect())
}

/// Gives what the site issued back to its source. So the ledger has no balance without an owner, and a late request of the
/// user finds nothing to stake.
fn give_back(
    tx: &mut dyn Tx,
    user: UserId,
    balances: &[(Currency, i64)],
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let broken = |error: String| StoreError::Broken(format!("the balance of user {user}: {error}"));
    let issued = balances.iter().filter(|(currency, _)| currency.spec().source == Source::Issuance);
    for (_, units) in issued.filter(|(_, units)| *units != 0) {
        let amount = Amount::new(*units).map_err(|error| broken(error.to_string()))?;
        let closed = bolts_ledger::account_closed(user, amount, ids.id::<OperationId>(), now);
        tx.ledger().post(&[closed.map_err(|error| broken(error.to_string()))?])?;
    }
    Ok(())
}

/// Writes the last mail. It names no user, because the user has no address any more.
fn say_farewell(
    tx: &mut dyn Tx,
    address: String,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.deliveries().enqueue(&NewDelivery {
        name: format!("account.{}", ids.id::<OperationId>()),
        channel: Channel::Email,
        user: None,
        to: Recipient::Address(address),
        cause: Cause::AccountDeleted,
        at: now,
        due_at: now,
    })
}
