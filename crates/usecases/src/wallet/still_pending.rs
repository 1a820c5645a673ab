//! Withdrawals that were refunded here although the provider still lists their payments as in flight. After an
//! outage of its node, LNbits lists such payments as in flight for ever. LNbits has subtracted these payments and
//! the reserves for their routes from its balance, so the solvency check adds both.

use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::time::Duration;

use bolts_kernel::WithdrawalId;
use bolts_ports::StoreError;
use bolts_wallet::{Millisats, Withdrawal, Withheld};
use serde::{Deserialize, Serialize};

use super::Wallets;
use super::refund_reconciliation::is_by_operator;
use super::sending::reference;
use crate::App;

/// The provider is asked about refunds of the last 30 days, and about older refunds whose payments it listed as in
/// flight in its last answer.
const ASKED_FOR: Duration = Duration::from_hours(30 * 24);

/// The maximum number of recent refunds to ask about. Older refunds that are still in flight do not count.
const AT_MOST: u32 = 1_000;

/// A delayed provider can begin a payment up to 1 hour after the call. If the payment is not in flight after this
/// time, the provider will not begin it any more.
const BEGUN_WITHIN: Duration = Duration::from_hours(1);

/// A withdrawal that was refunded here, and that the provider still lists as in flight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StillPending {
    /// The id of the withdrawal.
    pub id: WithdrawalId,
    /// The millisats that the provider withholds for this withdrawal: the amount and the reserve for the
    /// route.
    pub msat: i64,
}

/// The refunds that the provider is asked about.
pub(super) struct Asked {
    refunds: Vec<Withdrawal>,
    /// The refunds whose payments the provider listed as in flight in its last answer.
    known: Vec<StillPending>,
    /// See [`Solvency::unclear_refunds`](super::Solvency::unclear_refunds).
    unclear: Vec<WithdrawalId>,
}

/// The provider's answer to the question which refunds it still lists as in flight.
pub(super) struct Answer {
    /// The withdrawals that are still pending at the provider. If this answer is not clear, those of the last clear
    /// answer.
    pub(super) rows: Vec<StillPending>,
    /// See [`Solvency::unclear_refunds`](super::Solvency::unclear_refunds).
    pub(super) unclear: Vec<WithdrawalId>,
    pub(super) withheld: Withheld,
}

impl App {
    /// The withdrawals that were refunded here and were still pending at the provider when it was last asked.
    pub fn still_pending(&self) -> Result<Vec<(Withdrawal, Millisats)>, StoreError> {
        let rows = self.solvency()?.map(|sample| sample.still_pending).unwrap_or_default();
        let mut found = Vec::new();
        for row in rows {
            let withdrawal = self.queries.withdrawal(row.id)?;
            found.extend(withdrawal.zip(Millisats::new(row.msat).ok()));
        }
        Ok(found)
    }
}

impl Wallets {
    /// The refunds to ask the provider about.
    pub(super) fn refunds_to_ask_about(&self) -> Result<Asked, StoreError> {
        let since = self.app.now().before(ASKED_FOR);
        let latest = self.app.solvency()?;
        let (known, unclear) =
            latest.map(|sample| (sample.still_pending, sample.unclear_refunds)).unwrap_or_default();
        let mut refunds = self.app.queries.refunded_after_attempts(since, AT_MOST)?;
        let recent: BTreeSet<WithdrawalId> = refunds.iter().map(|refund| refund.id).collect();
        for row in known.iter().filter(|row| !recent.contains(&row.id)) {
            refunds.extend(self.app.queries.withdrawal(row.id)?);
        }
        let mut released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        released.retain(|id| recent.contains(id));
        refunds.retain(|refund| !released.contains(&refund.id));
        Ok(Asked { refunds, known, unclear })
    }

    /// Asks the provider which payments of these refunds it still lists as in flight. Looks up each payment that is not in
    /// flight any more, because it may have been paid.
    pub(super) async fn ask_about(&self, asked: Asked) -> Result<Answer, StoreError> {
        let payments = asked.refunds.iter().map(reference).collect();
        let taken = match self.lightning.withheld(payments).await {
            Ok(taken) => taken,
            Err(error) => {
                tracing::warn!(%error, "the provider did not say which refunded withdrawals are still pending there");
                return Ok(asked.unanswered());
            }
        };
        let (mut rows, mut unclear, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for refund in &asked.refunds {
            match taken.get(&refund.outgoing.payment_hash) {
                Some(taken) => rows.push(StillPending { id: refund.id, msat: taken.get() }),
                None => {
                    let is_clear = !asked.was_in_flight(refund.id) || self.look_at_refund(refund).await?;
                    if is_clear { gone.push(refund) } else { unclear.push(refund.id) }
                }
            }
        }
        self.note_released(&gone);
        for row in rows.iter().filter(|row| !asked.knows(row.id)) {
            tracing::warn!(
                withdrawal = %row.id,
                msat = row.msat,
                "refunded here, still pending there: the provider withholds its sats until the payment is removed there"
            );
        }
        let sum = rows.iter().fold(0_i64, |sum, row| sum.saturating_add(row.msat));
        Ok(Answer { rows, unclear, withheld: Withheld::certain(Millisats::new(sum).unwrap_or_default()) })
    }

    /// Notes the refunds in `gone` whose payments the provider can no longer begin. The provider is not asked about
    /// these refunds again.
    fn note_released(&self, gone: &[&Withdrawal]) {
        let begun_before = self.app.now().before(BEGUN_WITHIN);
        let is_final =
            |refund: &&&Withdrawal| refund.trail.as_ref().is_none_or(|trail| trail.latest < begun_before);
        let mut released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        released.extend(gone.iter().filter(is_final).map(|refund| refund.id));
    }
}

impl Asked {
    fn knows(&self, id: WithdrawalId) -> bool {
        self.known.iter().any(|known| known.id == id)
    }

    /// Whether the payment was in flight before, and the provider has not said how it ended.
    fn was_in_flight(&self, id: WithdrawalId) -> bool {
        self.knows(id) || self.unclear.contains(&id)
    }

    /// The result if the provider gave no clear answer. The provider can withhold at most the sats of two kinds of
    /// refunds: those by the operator, and those whose payments it listed as in flight in its last answer.
    pub(super) fn unanswered(self) -> Answer {
        let is_possible = |refund: &&Withdrawal| is_by_operator(refund) || self.knows(refund.id);
        let possible = self.refunds.iter().filter(is_possible);
        let most =
            possible.fold(0_i64, |sum, refund| sum.saturating_add(Millisats::from_sats(refund.held()).get()));
        let withheld = Withheld::unclear(Millisats::new(most).unwrap_or_default());
        Answer { rows: self.known, unclear: self.unclear, withheld }
    }
}
