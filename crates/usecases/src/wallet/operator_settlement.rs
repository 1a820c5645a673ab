//! The operator settles a withdrawal whose result the provider does not know. The provider is asked first.
//! Nothing is settled while a server may be telling the provider to pay.

use std::sync::Arc;

use bolts_kernel::{Timestamp, WithdrawalId};
use bolts_ports::{Ids, StoreError, Tx, submit};
use bolts_wallet::{Evidence, Unsettled, Verdict, Waits, Withdrawal, WithdrawalStatus};

use super::pause::Pause;
use super::{Wallets, ending, pause, provider_identity};
use crate::operator;

/// The operator's decision on a withdrawal.
#[derive(Clone, Debug)]
pub struct Settle {
    /// The id of the withdrawal.
    pub id: WithdrawalId,
    /// The result that the operator declares.
    pub verdict: Verdict,
    /// The reason for the decision. It is recorded.
    pub reason: String,
    /// The reason to contradict the provider's answer, if the operator does so.
    pub despite: Option<String>,
}

/// The reason why a withdrawal was not settled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettleError {
    /// No withdrawal has this id.
    #[error("there is no withdrawal of that id")]
    NotFound,
    /// The withdrawal cannot be settled in this way now.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
    /// The database belongs to another provider, so this provider's answer would prove nothing.
    #[error(
        "the database belongs to another Lightning provider than {0}; give this command the provider's options of \
         `bolts serve`"
    )]
    OtherProvider(String),
    /// The database may be a restored copy. The withdrawal may have been paid although its row says that it
    /// was never sent.
    #[error(
        "the database may be a restored copy, in which a withdrawal that was paid shows as never sent; run `bolts \
         deposits reconcile` and `bolts withdrawals reconcile` first"
    )]
    Unreconciled,
    /// The withdrawal was sent again after the provider was asked.
    #[error("the withdrawal was sent again meanwhile")]
    SentAgain,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

job_error!(SettleError);

impl Wallets {
    /// Settles a withdrawal as the operator decides: paid, with the cost of the route, or refunded. This is
    /// the last resort for an open withdrawal, and the decision is recorded. Returns the provider's answer.
    ///
    /// # Errors
    /// [`SettleError`]. If the provider's answer proves another result, that result is recorded.
    pub async fn settle(&self, settle: Settle) -> Result<String, SettleError> {
        let (now, waits, provider) = (self.app.now(), self.rules.waits, self.lightning.provider_name());
        let (id, verdict, describe) = (settle.id, settle.verdict, self.describe());
        let found = submit(&*self.app.store, move |tx| {
            let (is_current, pause) = (provider_identity::is_current(tx, &provider)?, pause::standing(tx)?);
            let withdrawal = tx.withdrawals().lock(id)?.ok_or(SettleError::NotFound)?;
            if !is_current {
                return Err(SettleError::OtherProvider(describe.clone()));
            }
            refuse_unreconciled(pause.as_ref(), &withdrawal)?;
            withdrawal.may_be_settled(verdict, now, &waits)?;
            Ok(withdrawal)
        })
        .await?;
        // A withdrawal that was never sent here is looked up too, because this database may be a restored copy.
        let said = self.fate(&found).await?;
        let words = said.to_string();

        // An answer says what was true at the time of the question. So `now` is the time before the question.
        let ids = self.app.environment.ids.clone();
        submit(&*self.app.store, move |tx| settled(tx, &settle, (&found, &said), &waits, (&ids, now)))
            .await??;
        Ok(words)
    }
}

/// Refuses to settle a withdrawal that was never sent, if the database may be a restored copy. In a restored copy, a
/// withdrawal that was paid can show as never sent.
fn refuse_unreconciled(pause: Option<&Pause>, withdrawal: &Withdrawal) -> Result<(), SettleError> {
    let is_unreconciled = pause.is_some_and(|pause| pause.needs_reconciling);
    if withdrawal.attempts() == 0 && is_unreconciled { Err(SettleError::Unreconciled) } else { Ok(()) }
}

/// Settles the withdrawal if the provider's answer allows this. Otherwise only records what the answer proves.
fn settled(
    tx: &mut dyn Tx,
    settle: &Settle,
    (found, said): (&Withdrawal, &Evidence),
    waits: &Waits,
    (ids, now): (&Arc<dyn Ids>, Timestamp),
) -> Result<Result<(), Unsettled>, SettleError> {
    let pause = pause::standing(tx)?;
    let withdrawal = tx.withdrawals().lock(settle.id)?.ok_or(SettleError::NotFound)?;
    if withdrawal.attempts() != found.attempts() {
        return Err(SettleError::SentAgain);
    }
    refuse_unreconciled(pause.as_ref(), &withdrawal)?;
    let (user, attempts) = (withdrawal.user, withdrawal.attempts());
    let told = (said, settle.despite.is_some());
    match withdrawal.clone().settle_by_operator(settle.verdict, told, now, waits) {
        Ok((ended, effect)) => {
            ending::record(tx, &ended, effect, ids, now)?;
            let detail = detail(settle, &ended, said);
            operator::record(tx, "settle_withdrawal", Some(user), Some(detail), now)?;
            Ok(Ok(()))
        }
        Err(unsettled) => {
            match withdrawal.clone().apply_evidence(said.clone(), attempts, now) {
                Ok((ended, effect)) => ending::record(tx, &ended, effect, ids, now)?,
                Err(_) if withdrawal.status() == WithdrawalStatus::Sending => {
                    tx.withdrawals().update(&withdrawal.heard(said, false, now))?;
                }
                Err(_) => {}
            }
            Ok(Err(unsettled))
        }
    }
}

fn detail(settle: &Settle, ended: &Withdrawal, said: &Evidence) -> String {
    let status = ended.status().as_str();
    let mut detail = format!("{} as {status}: {}; the provider said: {said}", settle.id, settle.reason);
    if let Some(despite) = &settle.despite {
        detail.push_str(&format!("; settled despite that: {despite}"));
    }
    detail
}
