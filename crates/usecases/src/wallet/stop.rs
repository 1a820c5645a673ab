//! Sending stops after three payments in a row without an answer. The store counts these payments, so that all
//! processes stop. When a check shows that the provider answers again, sending continues. It continues with one
//! payment at a time until the provider answers a payment.

use std::time::Duration;

use bolts_kernel::{Timestamp, WithdrawalId};
use bolts_ports::{NodeCheck, Reference, StoreError, Tx, submit};
use bolts_wallet::Evidence;
use serde::{Deserialize, Serialize};

use super::sending::reference;
use super::{Wallets, provider_identity};
use crate::App;

/// Sending stops after this number of payments in a row without an answer. While unanswered payments and payments
/// under way together reach this number, no new payment is sent.
const UNANSWERED: u32 = 3;

/// The setting that counts the payments without an answer. Empty if the latest payment was answered.
const SETTING: &str = "payments_unanswered";

/// The longest wait for the next check of the provider, as a multiple of the shortest wait.
const LONGEST_WAIT: u32 = 128;

/// A stop of sending. New withdrawals are held, and wait until sending continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendingStop {
    /// The result of the payment that caused the stop, in words.
    pub reason: String,
    /// The start of the stop.
    pub at: Timestamp,
    /// The time of the next check of the provider.
    look_at: Timestamp,
}

impl SendingStop {
    /// Whether the next check of the provider is due. `wait` is the shortest wait between two checks. A time that is further ahead
    /// than the longest wait comes from a clock that was wrong, and counts as due.
    fn is_due(&self, now: Timestamp, wait: Duration) -> bool {
        now >= self.look_at || self.look_at.since(now) > wait * LONGEST_WAIT
    }
}

/// The count of the latest payments without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Unanswered {
    in_a_row: u32,
    /// The number of times that sending continued after a stop, since the last answered payment.
    trials: u32,
    latest: WithdrawalId,
    stop: Option<SendingStop>,
}

/// Whether the answer to a call to pay shows that the provider answers payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// The provider answers payments.
    Answered,
    /// The provider does not answer payments.
    Unanswered,
    /// The answer does not show whether the provider answers payments.
    Nothing,
}

impl Unanswered {
    fn one_more(
        earlier: Option<Self>,
        latest: WithdrawalId,
        reason: &str,
        now: Timestamp,
        wait: Duration,
    ) -> Self {
        let (in_a_row, trials, stop) =
            earlier.map_or((0, 0, None), |one| (one.in_a_row, one.trials, one.stop));
        let in_a_row = in_a_row.saturating_add(1);
        let longer = 2_u32.saturating_pow(trials).min(LONGEST_WAIT);
        let begins = || SendingStop { reason: reason.to_owned(), at: now, look_at: now.after(wait * longer) };
        let stop = stop.or_else(|| (in_a_row >= UNANSWERED).then(begins));
        Self { in_a_row, trials, latest, stop }
    }

    /// Ends the stop, because the provider answers again. One payment may be sent as a trial.
    fn on_trial(self) -> Self {
        Self { in_a_row: UNANSWERED - 1, trials: self.trials.saturating_add(1), stop: None, ..self }
    }
}

fn parse(json: &str) -> Result<Option<Unanswered>, StoreError> {
    if json.is_empty() {
        return Ok(None);
    }
    let broken = |error| StoreError::Broken(format!("the setting {SETTING}: {error}"));
    serde_json::from_str(json).map(Some).map_err(broken)
}

fn read(tx: &mut dyn Tx) -> Result<Option<Unanswered>, StoreError> {
    tx.settings().get(SETTING)?.as_deref().map_or(Ok(None), parse)
}

fn write(tx: &mut dyn Tx, unanswered: &Unanswered) -> Result<(), StoreError> {
    let json = serde_json::to_string(unanswered).map_err(|error| StoreError::Broken(error.to_string()))?;
    tx.settings().put(SETTING, &json)
}

/// Whether payments may be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// This number of payments may be sent, at least 1.
    Free(u32),
    /// A payment may be sent only after the answer to another payment that is under way.
    Soon,
    /// Sending has stopped. A payment may be sent only after the provider answers again.
    Stopped,
}

/// Whether payments may be sent at `now`. Counts only payments whose attempt is recorded.
pub(super) fn room(tx: &mut dyn Tx, now: Timestamp) -> Result<Room, StoreError> {
    let unanswered = read(tx)?;
    if unanswered.as_ref().is_some_and(|one| one.stop.is_some()) {
        return Ok(Room::Stopped);
    }
    let in_a_row = unanswered.map_or(0, |one| one.in_a_row);
    let taken = in_a_row.saturating_add(tx.withdrawals().calls_under_way(now)?);
    let free = UNANSWERED.saturating_sub(taken);
    Ok(if free > 0 { Room::Free(free) } else { Room::Soon })
}

/// Records whether the provider has answered a payment. Returns `true` if this stops sending.
pub(super) fn note(
    tx: &mut dyn Tx,
    heard: Heard,
    (id, evidence): (WithdrawalId, &Evidence),
    now: Timestamp,
    patience: Duration,
) -> Result<bool, StoreError> {
    let earlier = read(tx)?;
    match heard {
        Heard::Nothing => Ok(false),
        Heard::Answered if earlier.is_none() => Ok(false),
        Heard::Answered => tx.settings().put(SETTING, "").map(|()| false),
        Heard::Unanswered => {
            let was_stopped = earlier.as_ref().is_some_and(|one| one.stop.is_some());
            let next = Unanswered::one_more(earlier, id, &evidence.to_string(), now, shortest_wait(patience));
            write(tx, &next)?;
            Ok(next.stop.is_some() && !was_stopped)
        }
    }
}

fn shortest_wait(patience: Duration) -> Duration {
    patience / 16
}

impl App {
    /// The current stop, if there is one.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn sending_stop(&self) -> Result<Option<SendingStop>, StoreError> {
        let unanswered = self.queries.setting(SETTING)?.as_deref().map_or(Ok(None), parse)?;
        Ok(unanswered.and_then(|one| one.stop))
    }
}

impl Wallets {
    /// Finds out whether the answer to a call to pay shows that the provider answers payments. A wallet answers 'in
    /// flight' if it cannot reach its node, and also if the payee delays the payment. A text that proves nothing can
    /// mean that the wallet cannot reach its node, and also that the node refuses the user's invoice. A further request
    /// to the provider tells these cases apart. Otherwise a few users with such invoices could stop the withdrawals of
    /// all. If the provider's rate limit refuses this request, the payment does not count either.
    pub(super) async fn heard(&self, evidence: &Evidence, about: Reference) -> Heard {
        match evidence {
            Evidence::Paid { .. } | Evidence::Failed(_) => Heard::Answered,
            Evidence::NotSent(_) | Evidence::NotFound { .. } => Heard::Nothing,
            Evidence::NoAnswer(_) => Heard::Unanswered,
            Evidence::InFlight | Evidence::Unknown(_) => match self.lightning.answers(about).await {
                Ok(NodeCheck::Answers | NodeCheck::NotAsked) => Heard::Nothing,
                Err(_) => Heard::Unanswered,
            },
        }
    }

    /// If sending has stopped and the next check is due, checks whether the provider answers. If it does,
    /// sending continues.
    pub async fn look_at_stop(&self) -> Result<(), StoreError> {
        let wait = shortest_wait(self.rules.waits.patience).max(Duration::from_secs(1));
        let now = self.app.now();
        if self.app.sending_stop()?.is_none_or(|stop| !stop.is_due(now, wait)) {
            return Ok(());
        }
        let provider = self.lightning.provider_name();
        // The time of the next check moves before this check begins, so that only one process checks at a time.
        let latest = submit(&*self.app.store, move |tx| {
            if !provider_identity::is_current(tx, &provider)? {
                return Ok(None);
            }
            let Some(mut unanswered) = read(tx)? else { return Ok(None) };
            let stop = unanswered.stop.as_mut().filter(|stop| stop.is_due(now, wait));
            let Some(stop) = stop else { return Ok(None) };
            stop.look_at = now.after(wait);
            write(tx, &unanswered)?;
            tx.withdrawals().lock(unanswered.latest)
        })
        .await?;
        let Some(latest) = latest else { return Ok(()) };
        match self.lightning.answers(reference(&latest)).await {
            Ok(NodeCheck::Answers) => {}
            Ok(NodeCheck::NotAsked) => {
                tracing::warn!("sending waits: the provider's rate limit is reached");
                return Ok(());
            }
            Err(error) => {
                tracing::warn!(%error, "sending waits: the provider does not answer yet");
                return Ok(());
            }
        }
        let goes_on = submit(&*self.app.store, move |tx| match read(tx)? {
            Some(unanswered) if unanswered.stop.is_some() => write(tx, &unanswered.on_trial()).map(|()| true),
            Some(_) | None => Ok(false),
        });
        if goes_on.await? {
            tracing::info!("the provider answers again: sending goes on with one payment");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> WithdrawalId {
        format!("{:032x}", 7).parse().expect("an id")
    }

    #[test]
    fn three_in_a_row_stop_and_each_vain_trial_waits_longer() {
        let (now, wait) = (Timestamp::parse("2026-01-05T12:00:00Z").expect("a time"), Duration::from_secs(5));
        let one_more = |earlier| Unanswered::one_more(earlier, id(), "time-out", now, wait);
        let second = one_more(Some(one_more(None)));
        assert_eq!((second.in_a_row, &second.stop), (2, &None));
        let third = one_more(Some(second));
        assert_eq!(third.stop.as_ref().map(|stop| stop.look_at), Some(now.after(wait)));
        let mut stopped = third;
        for longer in [2, 4, 8, 16, 32, 64, 128, 128] {
            let trial = stopped.on_trial();
            assert_eq!((trial.in_a_row, &trial.stop), (2, &None), "one payment may be tried");
            stopped = one_more(Some(trial));
            assert_eq!(stopped.stop.as_ref().map(|stop| stop.look_at), Some(now.after(wait * longer)));
        }
        let fourth = one_more(Some(stopped.clone()));
        assert_eq!(fourth.stop, stopped.stop, "a further payment without an answer changes nothing");
    }
}
