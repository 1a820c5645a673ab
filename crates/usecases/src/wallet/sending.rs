//! The steps of a withdrawal after its hold: attempts to pay, and look-ups.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bolts_kernel::{Timestamp, WithdrawalId};
use bolts_ports::{Ids, Owner, Payment, Reference, StoreError, Tx, submit};
use bolts_wallet::{Doubt, Evidence, Step, Waits, Withdrawal, WithdrawalStatus};

use super::drain::Asking;
use super::gate::{self, Restraint};
use super::stop::{self, Heard, Room};
use super::{Wallets, ending, pause, provider_identity, refund_reconciliation};
use crate::accounts::cooldown_began_since;

/// The maximum number of withdrawals that are handled together.
const CHUNK: u32 = 16;

/// The reason for the refund of a withdrawal whose user is in a cooldown, in a sentence for the user.
const IN_COOLDOWN: &str =
    "Your password was reset or a second factor was removed, so the withdrawal was not sent.";

/// The next step of a withdrawal.
enum Next {
    /// Send the withdrawal. The attempt is not recorded yet. This number of withdrawals may be sent now.
    Send(Withdrawal, u32),
    /// Send the withdrawal later, after the answer to another payment that is under way.
    WaitForRoom,
    /// Ask the provider for the result. This request is already recorded.
    LookUp(Withdrawal),
}

impl Wallets {
    /// The withdrawals that need [`Wallets::move_on`] now.
    pub fn due_withdrawals(&self) -> Result<Vec<WithdrawalId>, StoreError> {
        // A withdrawal with a running step stays due until the result of the step is recorded. The limit grows by
        // the number of such withdrawals, so that they do not displace others.
        let moving = self.drain.moving();
        let limit = CHUNK.saturating_add(u32::try_from(moving.len()).unwrap_or(u32::MAX));
        let mut due = self.app.queries.due_withdrawals(self.app.now(), limit)?;
        due.retain(|id| !moving.contains(id));
        Ok(due)
    }

    /// Carries out the due step of a withdrawal: pays the withdrawal, or asks the provider for the result. After a
    /// payment, continues with the withdrawals that waited for the answer to this payment.
    pub async fn move_on(&self, id: WithdrawalId) -> Result<(), StoreError> {
        let mut next = Some(id);
        while let Some(id) = next {
            let was_told = self.step(id).await?;
            let may_go_on = was_told && self.waits_for_room.swap(false, Ordering::SeqCst);
            next = if may_go_on { self.due_withdrawals()?.into_iter().next() } else { None };
        }
        Ok(())
    }

    /// Carries out one step of a withdrawal. Returns `true` if the step was to send the withdrawal.
    async fn step(&self, id: WithdrawalId) -> Result<bool, StoreError> {
        let Some(_running) = self.drain.begin(id) else { return Ok(false) };
        let (now, patience, provider) =
            (self.app.now(), self.rules.waits.patience, self.lightning.provider_name());
        let (ids, gate) = (self.app.environment.ids.clone(), self.gate.clone());
        let next = submit(&*self.app.store, move |tx| {
            if !provider_identity::is_current(tx, &provider)? {
                return Ok(None);
            }
            let restraint = gate::restraint(tx, &gate)?;
            advance(tx, id, restraint, &ids, now, patience)
        })
        .await?;
        match next {
            None => Ok(false),
            Some(Next::WaitForRoom) => Ok(self.wait_for_room()),
            Some(Next::Send(withdrawal, free)) => match self.drain.ask(free) {
                Some(asking) => self.send(withdrawal, asking).await.map(|()| true),
                None => Ok(self.wait_for_room()),
            },
            Some(Next::LookUp(withdrawal)) => self.look_up(withdrawal).await.map(|()| false),
        }
    }

    /// Lets a withdrawal wait until another payment is answered. Returns `false`: the withdrawal is not sent now.
    fn wait_for_room(&self) -> bool {
        self.waits_for_room.store(true, Ordering::SeqCst);
        false
    }

    /// Asks the provider what the payment needs, records the attempt, and pays, in this order. If the process crashes
    /// before the record, nothing was sent. If withdrawals are paused or this withdrawal is settled during the
    /// request, no attempt is recorded.
    async fn send(&self, held: Withdrawal, asking: Asking<'_>) -> Result<(), StoreError> {
        let (id, ids, gate) = (held.id, self.app.environment.ids.clone(), self.gate.clone());
        let provider = self.lightning.provider_name();
        if let Err(why) = self.lightning.before_paying(payment(&held)).await {
            let now = self.app.now();
            return submit(&*self.app.store, move |tx| {
                let may_end = provider_identity::is_current(tx, &provider)?
                    && gate::restraint(tx, &gate)? != Restraint::NotEnded;
                if !may_end {
                    return Ok(());
                }
                let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(()) };
                match withdrawal.not_sent(why.clone(), now) {
                    Some((ended, effect)) => ending::record(tx, &ended, effect, &ids, now),
                    None => Ok(()),
                }
            })
            .await;
        }
        if self.drain.is_stopping() {
            return Ok(());
        }
        let (now, waits) = (self.app.now(), self.rules.waits);
        let begun = submit(&*self.app.store, move |tx| {
            let may_send = provider_identity::is_current(tx, &provider)?
                && gate::restraint(tx, &gate)? == Restraint::None;
            if may_send { attempt(tx, id, &ids, now, &waits) } else { Ok(None) }
        })
        .await?;
        drop(asking);
        match begun {
            Some((sending, attempts)) => {
                self.gate.know_own(&sending, attempts);
                self.pay(sending).await
            }
            None => Ok(()),
        }
    }

    async fn pay(&self, withdrawal: Withdrawal) -> Result<(), StoreError> {
        // After a long delay, the call could last longer than its lease. After the lease, the
        // operator or another attempt may act, so such a call is not made.
        let latest_end = self.app.now().after(self.rules.waits.call);
        let evidence = if withdrawal.call_until(latest_end).is_none() {
            Evidence::NotSent("The site was held up and could not pay in time.".to_owned())
        } else {
            self.lightning.pay(payment(&withdrawal)).await
        };
        let heard = self.heard(&evidence, reference(&withdrawal)).await;
        self.apply_evidence(&withdrawal, evidence, Source::Call(heard)).await
    }

    async fn look_up(&self, withdrawal: Withdrawal) -> Result<(), StoreError> {
        let asked_at = self.app.now();
        let evidence = self.fate(&withdrawal).await?;
        let is_unknown_there = matches!(evidence, Evidence::NotFound { .. });
        if is_unknown_there && self.lightning.may_resend() {
            let (asked, now, waits) = (withdrawal.clone(), self.app.now(), self.rules.waits);
            let gate = self.gate.clone();
            let again = submit(&*self.app.store, move |tx| {
                // A further attempt does not wait for other payments: the provider has just answered, and pays a
                // hash at most once.
                let restraint = gate::restraint(tx, &gate)?;
                if restraint == Restraint::None { resend(tx, &asked, now, &waits) } else { Ok(None) }
            });
            let again = again.await?;
            if let Some(again) = again {
                return self.pay(again).await;
            }
        }
        self.apply_evidence(&withdrawal, evidence, Source::LookUp(asked_at)).await
    }

    /// Records what the provider's answer proves about a withdrawal. `asked` is the withdrawal as it was at the time of
    /// the call.
    pub(super) async fn apply_evidence(
        &self,
        asked: &Withdrawal,
        evidence: Evidence,
        source: Source,
    ) -> Result<(), StoreError> {
        let (id, attempts) = (asked.id, asked.attempts());
        // Only the answer about an open payment shows that the provider answers payments now. Refunded withdrawals are
        // looked up again and again.
        let was_open = asked.status() == WithdrawalStatus::Sending;
        let (now, ids) = (self.app.now(), self.app.environment.ids.clone());
        let patience = self.rules.waits.patience;
        let learned = submit(&*self.app.store, move |tx| {
            let stops = match source {
                Source::Call(heard) => stop::note(tx, heard, (id, &evidence), now, patience)?,
                Source::LookUp(_)
                    if was_open && matches!(evidence, Evidence::Paid { .. } | Evidence::Failed(_)) =>
                {
                    stop::note(tx, Heard::Answered, (id, &evidence), now, patience)?
                }
                Source::LookUp(_) => false,
            };
            let doubt = learned(tx, (id, attempts), &evidence, source, (&ids, now))?;
            Ok::<_, StoreError>((doubt, stops))
        });
        let (doubt, stops) = learned.await?;
        if stops {
            tracing::error!("sending stops: the provider did not answer three payments in a row");
        }
        match doubt {
            // Another process recorded the result first, or the payment is under way.
            None | Some(Doubt::NotSending | Doubt::InFlight) => {}
            Some(doubt @ Doubt::PaidThoughRefunded) => {
                tracing::error!(withdrawal = %id, %doubt, "sats are lost; withdrawals are paused");
            }
            Some(doubt) => tracing::warn!(withdrawal = %id, %doubt, "the result of a withdrawal is open"),
        }
        Ok(())
    }
}

/// The source of an answer of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The answer to a call to pay. This answer ends the call. The value says whether the provider answers payments.
    Call(Heard),
    /// The answer to a look-up, with the time of the question.
    LookUp(Timestamp),
}

pub(super) fn reference(withdrawal: &Withdrawal) -> Reference {
    let outgoing = &withdrawal.outgoing;
    Reference { payment_hash: outgoing.payment_hash, invoice: outgoing.invoice.clone() }
}

/// Records what the provider's answer proves. Returns a doubt if the answer does not decide the result. A loss that
/// is already known is not returned again.
fn learned(
    tx: &mut dyn Tx,
    (id, attempts): (WithdrawalId, u32),
    evidence: &Evidence,
    source: Source,
    (ids, now): (&Arc<dyn Ids>, Timestamp),
) -> Result<Option<Doubt>, StoreError> {
    let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(None) };
    // An answer says what was true at the time of the question. The machine may have slept since.
    let true_at = match source {
        Source::Call(_) => now,
        Source::LookUp(asked_at) => asked_at,
    };
    match withdrawal.clone().apply_evidence(evidence.clone(), attempts, true_at) {
        Ok((ended, effect)) => ending::record(tx, &ended, effect, ids, now).map(|()| None),
        Err(doubt) => {
            let is_latest = withdrawal.attempts() == attempts;
            if is_latest && withdrawal.status() == WithdrawalStatus::Sending {
                let heard = withdrawal.heard(evidence, matches!(source, Source::Call(_)), now);
                tx.withdrawals().update(&heard)?;
            }
            if doubt == Doubt::PaidThoughRefunded {
                // A loss pauses withdrawals only once, because the operator who resumes them knows about the loss.
                if !refund_reconciliation::note(tx, id)? {
                    return Ok(None);
                }
                let reason = format!("withdrawal {id} was paid by the provider, and was refunded");
                pause::begin(tx, &reason, now)?;
            }
            Ok(Some(doubt))
        }
    }
}

fn payment(withdrawal: &Withdrawal) -> Payment {
    let owner = Owner { id: withdrawal.id, user: withdrawal.user };
    Payment { owner, reference: reference(withdrawal), fee_limit: withdrawal.fee_limit }
}

fn advance(
    tx: &mut dyn Tx,
    id: WithdrawalId,
    restraint: Restraint,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
    patience: Duration,
) -> Result<Option<Next>, StoreError> {
    let Some(withdrawal) = tx.withdrawals().lock(id)? else { return Ok(None) };

    match withdrawal.due(now, patience) {
        // A withdrawal that was not sent yet waits until sending is allowed again.
        Step::Send(_) if restraint != Restraint::None => Ok(None),
        Step::End(..) if restraint == Restraint::NotEnded => Ok(None),
        Step::Wait => Ok(None),
        Step::Send(held) => Ok(match stop::room(tx, now)? {
            Room::Free(free) => Some(Next::Send(held, free)),
            Room::Soon => Some(Next::WaitForRoom),
            Room::Stopped => None,
        }),
        Step::Ask(asking) => {
            tx.withdrawals().update(&asking)?;
            Ok(Some(Next::LookUp(asking)))
        }
        Step::End(ended, effect) => ending::record(tx, &ended, effect, ids, now).map(|()| None),
    }
}

/// Records an attempt, as the last step before the call to pay. Also returns the number of all attempts so far. `None` if
/// the withdrawal was settled or sent meanwhile, or if no payment may be sent now.
fn attempt(
    tx: &mut dyn Tx,
    id: WithdrawalId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
    waits: &Waits,
) -> Result<Option<(Withdrawal, u64)>, StoreError> {
    if !matches!(stop::room(tx, now)?, Room::Free(_)) {
        return Ok(None);
    }
    let Some(held) = tx.withdrawals().lock(id)? else { return Ok(None) };
    let Some(sending) = held.clone().attempt(now, waits) else { return Ok(None) };
    // A thief of the password may have made the request before the cooldown, so the sats go back and stay in the account.
    if cooldown_began_since(tx, held.user, held.created_at, now)? {
        let Some((ended, effect)) = held.not_sent(IN_COOLDOWN.to_owned(), now) else { return Ok(None) };
        return ending::record(tx, &ended, effect, ids, now).map(|()| None);
    }
    tx.withdrawals().update(&sending)?;
    Ok(Some((sending, gate::count_attempt(tx)?)))
}

fn resend(
    tx: &mut dyn Tx,
    asked: &Withdrawal,
    now: Timestamp,
    waits: &Waits,
) -> Result<Option<Withdrawal>, StoreError> {
    let Some(withdrawal) = tx.withdrawals().lock(asked.id)? else { return Ok(None) };
    if withdrawal.attempts() != asked.attempts() {
        return Ok(None);
    }
    let Some(again) = withdrawal.resend(now, waits) else { return Ok(None) };
    if cooldown_began_since(tx, again.user, again.created_at, now)? {
        return Ok(None);
    }
    tx.withdrawals().update(&again)?;
    Ok(Some(again))
}
