use std::sync::Arc;

use bolts_kernel::{Timestamp, WithdrawalId};
use bolts_ports::{Ids, Payment, Reference, StoreError, Tx, submit};
use bolts_wallet::{Doubt, Evidence, Step, Withdrawal};

use super::{Wallets, end, pause};

/// How many withdrawals are moved on together.
const CHUNK: u32 = 16;

/// What the provider is asked for next, recorded already.
enum Call {
    Pay(Withdrawal),
    LookUp(Withdrawal),
}

impl Wallets {
    /// The withdrawals that need [`Wallets::move_on`] now.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn due_withdrawals(&self) -> Result<Vec<WithdrawalId>, StoreError> {
        self.app.queries.due_withdrawals(self.app.now(), CHUNK)
    }

    /// Does what a withdrawal needs now: it is paid, its attempt committed first, or the provider is asked what became
    /// of it.
    ///
    /// # Errors
    /// The store's.
    pub async fn move_on(&self, id: WithdrawalId) -> Result<(), StoreError> {
        let (now, patience) = (self.app.now(), self.rules.patience);
        let ids = self.app.environment.ids.clone();
        let call = submit(&*self.app.store, move |tx| advance(tx, id, &ids, now, patience)).await?;
        match call {
            None => Ok(()),
            Some(Call::Pay(withdrawal)) => self.pay(withdrawal).await,
            Some(Call::LookUp(withdrawal)) => self.look_up(withdrawal).await,
        }
    }

    async fn pay(&self, withdrawal: Withdrawal) -> Result<(), StoreError> {
        let payment = Payment { reference: reference(&withdrawal), fee_limit: withdrawal.fee_limit };
        let evidence = self.lightning.pay(payment).await;
        self.learn(withdrawal.id, evidence).await
    }

    async fn look_up(&self, withdrawal: Withdrawal) -> Result<(), StoreError> {
        let evidence = self.lightning.look_up_payment(reference(&withdrawal)).await;
        let is_unknown_there = matches!(evidence, Evidence::NotFound { .. });
        if is_unknown_there && self.lightning.may_resend() {
            let (id, now, patience) = (withdrawal.id, self.app.now(), self.rules.patience);
            let again = submit(&*self.app.store, move |tx| resend(tx, id, now, patience)).await?;
            if let Some(again) = again {
                return self.pay(again).await;
            }
        }
        self.learn(withdrawal.id, evidence).await
    }

    /// Records what the provider's word proves.
    async fn learn(&self, id: WithdrawalId, evidence: Evidence) -> Result<(), StoreError> {
        let (now, ids) = (self.app.now(), self.app.environment.ids.clone());
        let doubt = submit(&*self.app.store, move |tx| {
            let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(None) };
            match withdrawal.learn(evidence.clone(), now) {
                Ok((ended, effect)) => end::record(tx, &ended, effect, &ids, now).map(|()| None),
                Err(doubt) => Ok(Some(doubt)),
            }
        });
        match doubt.await? {
            // Somebody else learned it first, or it goes its way.
            None | Some(Doubt::NotSending | Doubt::InFlight) => {}
            Some(doubt) => tracing::warn!(withdrawal = %id, %doubt, "a withdrawal's fate is open"),
        }
        Ok(())
    }
}

fn reference(withdrawal: &Withdrawal) -> Reference {
    let outgoing = &withdrawal.outgoing;
    Reference { payment_hash: outgoing.payment_hash, invoice: outgoing.invoice.clone() }
}

fn advance(
    tx: &mut dyn Tx,
    id: WithdrawalId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
    patience: std::time::Duration,
) -> Result<Option<Call>, StoreError> {
    let is_paused = pause::standing(tx)?.is_some();
    let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(None) };

    match withdrawal.due(now, patience) {
        // What nobody was told yet waits until withdrawals go on.
        Step::Send(_) if is_paused => Ok(None),
        Step::Wait => Ok(None),
        Step::Send(sending) => {
            tx.withdrawals().update(&sending)?;
            Ok(Some(Call::Pay(sending)))
        }
        Step::Ask(asking) => {
            tx.withdrawals().update(&asking)?;
            Ok(Some(Call::LookUp(asking)))
        }
        Step::End(ended, effect) => end::record(tx, &ended, effect, ids, now).map(|()| None),
    }
}

fn resend(
    tx: &mut dyn Tx,
    id: WithdrawalId,
    now: Timestamp,
    patience: std::time::Duration,
) -> Result<Option<Withdrawal>, StoreError> {
    if pause::standing(tx)?.is_some() {
        return Ok(None);
    }
    let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(None) };
    let Some(again) = withdrawal.resend(now, patience) else { return Ok(None) };
    tx.withdrawals().update(&again)?;
    Ok(Some(again))
}
