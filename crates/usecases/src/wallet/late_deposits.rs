//! Deposits that arrived after their users had deleted their accounts (`docs/operations.md#a-deposit-of-a-deleted-user`).

use bolts_kernel::{Amount, DepositId, OperationId, Timestamp, UserId};
use bolts_ports::{LateDeposit, NoticeBody, StoreError, Tx, name_of_deleted, submit};

use crate::App;
use crate::notifications::tell_of_money;
use crate::operator::record;

/// The reason why a late deposit was not booked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LateDepositError {
    /// There is no such deposit, or it did not arrive after a deletion.
    #[error("no deposit of a deleted user has this id")]
    NotLate,
    /// The deposit was booked before.
    #[error("this deposit was booked at {0}")]
    Booked(Timestamp),
    /// The user who should get the sats does not exist any more.
    #[error("this user is deleted too")]
    UserGone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

job_error!(LateDepositError);

impl App {
    /// The deposits that were credited to deleted users, oldest first. Blocks on the database.
    pub fn late_deposits(&self) -> Result<Vec<LateDeposit>, StoreError> {
        self.queries.late_deposits()
    }

    /// Books a late deposit as the operator decides, and records the decision: the sats go to the user `to`, or they become the
    /// operator's. Returns the number of sats.
    pub async fn book_late_deposit(
        &self,
        id: DepositId,
        to: Option<UserId>,
        reason: String,
    ) -> Result<Amount, LateDepositError> {
        let (now, ids) = (self.now(), self.environment.ids.clone());
        let operation = self.id::<OperationId>();
        submit(&*self.store, move |tx| {
            let late = locked(tx, id)?;
            // The user is asked for before the balances are locked, as in a deletion.
            if let Some(user) = to
                && !tx.departures().is_here(user)?
            {
                return Err(LateDepositError::UserGone);
            }
            let transfer = bolts_ledger::late_deposit(id, (late.user, to), late.amount, operation, now)
                .map_err(|error| StoreError::Broken(format!("deposit {id}: {error}")))?;
            tx.ledger().post(&[transfer])?;
            if let Some(user) = to {
                tell_of_money(tx, user, NoticeBody::DepositReceived { amount: late.amount }, &ids, now)?;
            }
            let (sats, name) = (late.amount.grouped(), name_of_deleted(late.user));
            let detail = format!("{sats} sats of {name} by deposit {id}: {reason}");
            let (action, whose) =
                to.map_or(("keep_late_deposit", late.user), |user| ("move_late_deposit", user));
            record(tx, action, Some(whose), Some(detail), now)?;
            Ok(late.amount)
        })
        .await
    }
}

/// A late deposit that was not booked yet, locked until the transaction ends.
fn locked(tx: &mut dyn Tx, id: DepositId) -> Result<LateDeposit, LateDepositError> {
    tx.deposits().lock(id)?;
    let late = tx.departures().late_deposit(id)?.ok_or(LateDepositError::NotLate)?;
    late.booked_at.map_or(Ok(late), |at| Err(LateDepositError::Booked(at)))
}
