//! Pauses of withdrawals, by the operator or by a check.

use bolts_kernel::Timestamp;
use bolts_ports::{StoreError, Tx, submit};
use serde::{Deserialize, Serialize};

use super::look::UnknownRecords;
use super::reconcile;
use crate::App;
use crate::operator::record;

/// The setting with the pause of withdrawals, as JSON. Empty if withdrawals are not paused.
pub(super) const PAUSED: &str = "withdrawals_paused";

/// A pause of withdrawals. Users cannot request withdrawals, and held withdrawals are not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The reason of the pause, in words.
    pub reason: String,
    /// The start of the pause.
    pub at: Timestamp,
    /// Whether the ledger may have been rolled back. Then `bolts withdrawals resume` is refused until the ledger
    /// agrees with the provider's lists.
    #[serde(default)]
    pub needs_reconciling: bool,
    /// The reason of the first pause, if this pause replaced another one. Every copy of a database replaces the pause.
    /// `reason` quotes this text alone, so it does not grow with each copy.
    #[serde(default)]
    first_reason: Option<String>,
    /// The latest time at which the provider's lists were read and contained a payment that the ledger does not know.
    #[serde(default)]
    unknown_payment_at: Option<Timestamp>,
    /// The latest time at which the lists contained a deposit that the ledger does not know. The two times are separate,
    /// because the checks go on to find payments after the operator has booked the deposits.
    #[serde(default)]
    unknown_deposit_at: Option<Timestamp>,
}

impl Pause {
    fn new(reason: String, at: Timestamp) -> Self {
        Self {
            reason,
            at,
            needs_reconciling: false,
            first_reason: None,
            unknown_payment_at: None,
            unknown_deposit_at: None,
        }
    }

    /// A pause that cannot be resumed before a reconciliation. It replaces the pause `before`.
    pub(super) fn until_reconciled(reason: String, at: Timestamp, before: Option<Self>) -> Self {
        let first_reason = before.map(|pause| pause.first_reason.unwrap_or(pause.reason));
        let reason = match &first_reason {
            Some(first) => format!("{reason} (withdrawals were paused before: {first})"),
            None => reason,
        };
        Self { needs_reconciling: true, first_reason, ..Self::new(reason, at) }
    }

    /// Notes what a check found in the lists. Reason and start of the pause stay.
    fn noting(self, found: &UnknownRecords) -> Self {
        let latest = |count: u32, earlier: Option<Timestamp>| earlier.max((count > 0).then_some(found.at));
        Self {
            unknown_payment_at: latest(found.payments, self.unknown_payment_at),
            unknown_deposit_at: latest(found.deposits, self.unknown_deposit_at),
            ..self
        }
    }

    /// Moves times after `now` back to `now`. The pause has begun already, so a clock that was ahead wrote such a time.
    fn not_after(self, now: Timestamp) -> Self {
        let earlier = |at: Option<Timestamp>| at.map(|at| at.min(now));
        Self {
            at: self.at.min(now),
            unknown_payment_at: earlier(self.unknown_payment_at),
            unknown_deposit_at: earlier(self.unknown_deposit_at),
            ..self
        }
    }

    /// Withdrawals can resume only after a comparison of payments that began at this time or later.
    pub(super) fn payments_compared_since(&self) -> Timestamp {
        self.unknown_payment_at.map_or(self.at, |found| found.max(self.at))
    }

    /// Withdrawals can resume only after a comparison of deposits that began at this time or later.
    pub(super) fn deposits_compared_since(&self) -> Timestamp {
        self.unknown_deposit_at.map_or(self.at, |found| found.max(self.at))
    }
}

/// The result of resuming withdrawals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumed {
    /// Withdrawals are resumed.
    Yes,
    /// Withdrawals were not paused.
    NotPaused,
    /// Withdrawals stay paused. First the ledger must be reconciled with the provider's lists until no difference
    /// remains.
    NotReconciled,
}

/// The current pause, if there is one. Blocks all other withdrawal jobs until the transaction ends.
pub(super) fn standing(tx: &mut dyn Tx) -> Result<Option<Pause>, StoreError> {
    tx.settings().get(PAUSED)?.as_deref().map_or(Ok(None), parse)
}

/// Pauses withdrawals, unless they are paused already.
pub(super) fn begin(tx: &mut dyn Tx, reason: &str, now: Timestamp) -> Result<bool, StoreError> {
    if standing(tx)?.is_some() {
        return Ok(false);
    }
    put(tx, Pause::new(reason.to_owned(), now))?;
    Ok(true)
}

/// Pauses withdrawals because the ledger may have been rolled back. `bolts withdrawals resume` then requires a
/// reconciliation that is later than every check that found something. Returns `false` if a pause requires a
/// reconciliation already.
pub(super) fn begin_until_reconciled(
    tx: &mut dyn Tx,
    found: &UnknownRecords,
    now: Timestamp,
) -> Result<bool, StoreError> {
    match standing(tx)? {
        Some(pause) if pause.needs_reconciling => put(tx, pause.noting(found)).map(|()| false),
        before => put(tx, Pause::until_reconciled(found.reason(), now, before).noting(found)).map(|()| true),
    }
}

/// Moves times of the pause after `now` back to `now`. Returns whether it moved one.
pub(super) fn correct_times(tx: &mut dyn Tx, now: Timestamp) -> Result<bool, StoreError> {
    let Some(pause) = standing(tx)? else { return Ok(false) };
    let corrected = pause.clone().not_after(now);
    let is_changed = corrected != pause;
    if is_changed {
        put(tx, corrected)?;
    }
    Ok(is_changed)
}

fn put(tx: &mut dyn Tx, pause: Pause) -> Result<(), StoreError> {
    tx.settings().put(PAUSED, &written(&pause)?)
}

/// The JSON of a pause, for the setting.
pub(super) fn written(pause: &Pause) -> Result<String, StoreError> {
    serde_json::to_string(pause).map_err(|error| StoreError::Broken(error.to_string()))
}

fn parse(json: &str) -> Result<Option<Pause>, StoreError> {
    if json.is_empty() {
        return Ok(None);
    }
    let broken = |error| StoreError::Broken(format!("the setting {PAUSED}: {error}"));
    serde_json::from_str(json).map(Some).map_err(broken)
}

impl App {
    /// The current pause, if there is one.
    pub fn withdrawals_pause(&self) -> Result<Option<Pause>, StoreError> {
        self.queries.setting(PAUSED)?.as_deref().map_or(Ok(None), parse)
    }

    /// Pauses withdrawals on a command of the operator. Returns `false` if they were paused before.
    pub async fn pause_withdrawals(&self, reason: String) -> Result<bool, StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| {
            let begun = begin(tx, &reason, now)?;
            if begun {
                record(tx, "pause_withdrawals", None, Some(reason.clone()), now)?;
            }
            Ok(begun)
        })
        .await
    }

    /// Resumes withdrawals on a command of the operator, unless a reconciliation is required first.
    pub async fn resume_withdrawals(&self) -> Result<Resumed, StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| {
            let Some(pause) = standing(tx)? else { return Ok(Resumed::NotPaused) };
            if pause.needs_reconciling && !reconcile::is_reconciled(tx, &pause, now)? {
                return Ok(Resumed::NotReconciled);
            }
            tx.settings().put(PAUSED, "")?;
            record(tx, "resume_withdrawals", None, Some(format!("paused because: {}", pause.reason)), now)?;
            Ok::<_, StoreError>(Resumed::Yes)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_of_an_earlier_version_is_read() {
        let at = Timestamp::parse("2026-01-05T12:00:00Z").expect("a time");
        let json = r#"{"reason":"an incident","at":"2026-01-05T12:00:00Z"}"#;
        assert_eq!(parse(json), Ok(Some(Pause::new("an incident".to_owned(), at))));
        let json =
            r#"{"reason":"a copy","at":"2026-01-05T12:00:00Z","needs_reconciling":true,"first_reason":null}"#;
        let pause = Pause::until_reconciled("a copy".to_owned(), at, None);
        assert_eq!(pause.deposits_compared_since(), at);
        assert_eq!(parse(json), Ok(Some(pause)));
    }
}
