use std::sync::Arc;

use bolts_kernel::{Timestamp, WithdrawalId};
use bolts_ports::{Ids, Owner, Payment, Reference, StoreError, Tx, submit};
use bolts_wallet::{Doubt, Evidence, Step, Withdrawal};

use super::gate::{self, Restraint};
use super::{Wallets, end, lost, pause, provider};

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
        let Some(_running) = self.underway.begin() else { return Ok(()) };
        let (now, patience, books) = (self.app.now(), self.rules.patience, self.lightning.books());
        let (ids, is_open) = (self.app.environment.ids.clone(), self.gate.is_open());
        let call = submit(&*self.app.store, move |tx| {
            if !provider::is_current(tx, &books)? {
                return Ok(None);
            }
            let restraint = gate::restraint(tx, is_open)?;
            advance(tx, id, restraint, &ids, now, patience)
        })
        .await?;
        match call {
            None => Ok(()),
            Some(Call::Pay(withdrawal)) => self.pay(withdrawal).await,
            Some(Call::LookUp(withdrawal)) => self.look_up(withdrawal).await,
        }
    }

    async fn pay(&self, withdrawal: Withdrawal) -> Result<(), StoreError> {
        // Held up for half of the patience, the call could end after the attempt was asked about, and another begun.
        let latest_end = self.app.now().after(self.rules.patience / 2);
        if withdrawal.next_at().is_none_or(|asked_at| latest_end >= asked_at) {
            let evidence = Evidence::NotSent("The site was held up and could not pay in time.".to_owned());
            return self.learn(&withdrawal, evidence).await;
        }
        let owner = Owner { id: withdrawal.id, user: withdrawal.user };
        let payment = Payment { owner, reference: reference(&withdrawal), fee_limit: withdrawal.fee_limit };
        let evidence = self.lightning.pay(payment).await;
        self.learn(&withdrawal, evidence).await
    }

    async fn look_up(&self, withdrawal: Withdrawal) -> Result<(), StoreError> {
        let evidence = self.lightning.look_up_payment(reference(&withdrawal)).await;
        let is_unknown_there = matches!(evidence, Evidence::NotFound { .. });
        if is_unknown_there && self.lightning.may_resend() {
            let (asked, now, patience) = (withdrawal.clone(), self.app.now(), self.rules.patience);
            let is_open = self.gate.is_open();
            let again = submit(&*self.app.store, move |tx| {
                let restraint = gate::restraint(tx, is_open)?;
                if restraint == Restraint::None { resend(tx, &asked, now, patience) } else { Ok(None) }
            });
            let again = again.await?;
            if let Some(again) = again {
                return self.pay(again).await;
            }
        }
        self.learn(&withdrawal, evidence).await
    }

    /// Records what the provider's word proves of a withdrawal that was `asked` about in this state.
    pub(super) async fn learn(&self, asked: &Withdrawal, evidence: Evidence) -> Result<(), StoreError> {
        let (id, attempts) = (asked.id, asked.attempts());
        let (now, ids) = (self.app.now(), self.app.environment.ids.clone());
        let doubt = submit(&*self.app.store, move |tx| {
            let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(None) };
            match withdrawal.learn(evidence.clone(), attempts, now) {
                Ok((ended, effect)) => end::record(tx, &ended, effect, &ids, now).map(|()| None),
                Err(doubt) => {
                    if doubt == Doubt::PaidThoughRefunded {
                        // Told once: the operator lets withdrawals go on knowing it.
                        if !lost::note(tx, id)? {
                            return Ok(None);
                        }
                        let reason = format!("withdrawal {id} was paid by the provider, and was refunded");
                        pause::begin(tx, &reason, now)?;
                    }
                    Ok(Some(doubt))
                }
            }
        });
        match doubt.await? {
            // Somebody else learned it first, or it goes its way.
            None | Some(Doubt::NotSending | Doubt::InFlight) => {}
            Some(doubt @ Doubt::PaidThoughRefunded) => {
                tracing::error!(withdrawal = %id, %doubt, "sats are lost; withdrawals are paused");
            }
            Some(doubt) => tracing::warn!(withdrawal = %id, %doubt, "a withdrawal's fate is open"),
        }
        Ok(())
    }
}

pub(super) fn reference(withdrawal: &Withdrawal) -> Reference {
    let outgoing = &withdrawal.outgoing;
    Reference { payment_hash: outgoing.payment_hash, invoice: outgoing.invoice.clone() }
}

fn advance(
    tx: &mut dyn Tx,
    id: WithdrawalId,
    restraint: Restraint,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
    patience: std::time::Duration,
) -> Result<Option<Call>, StoreError> {
    let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(None) };

    match withdrawal.due(now, patience) {
        // What nobody was told yet waits until withdrawals go on.
        Step::Send(_) if restraint != Restraint::None => Ok(None),
        Step::End(..) if restraint == Restraint::NotEnded => Ok(None),
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
    asked: &Withdrawal,
    now: Timestamp,
    patience: std::time::Duration,
) -> Result<Option<Withdrawal>, StoreError> {
    let Some(withdrawal) = tx.withdrawals().lock(asked.id)? else { return Ok(None) };
    if withdrawal.attempts() != asked.attempts() {
        return Ok(None);
    }
    let Some(again) = withdrawal.resend(now, patience) else { return Ok(None) };
    tx.withdrawals().update(&again)?;
    Ok(Some(again))
}
