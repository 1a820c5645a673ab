//! Withdrawals that were refunded here while the provider still lists their payments as in flight. After an
//! outage of its node LNbits does this for ever. Its balance lacks these payments and the reserves for their
//! routes, so the solvency check adds both.

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

/// The age up to which the provider is asked about refunds. It is asked about older ones while it lists them.
const ASKED_FOR: Duration = Duration::from_secs(30 * 24 * 3_600);

/// The maximum number of refunds to ask about, in addition to those that the provider listed before.
const AT_MOST: u32 = 1_000;

/// A delayed provider can begin a payment this long after the call. A payment that the provider does not list
/// as in flight after this time will never be in flight again.
const BEGUN_WITHIN: Duration = Duration::from_secs(3_600);

/// A withdrawal that was refunded here, and that the provider still lists as in flight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StillPending {
    /// The withdrawal.
    pub id: WithdrawalId,
    /// The millisats that the provider withholds for this withdrawal: the amount and the reserve for the
    /// route.
    pub msat: i64,
}

/// The refunds that the provider is asked about.
pub(super) struct Asked {
    refunds: Vec<Withdrawal>,
    /// The refunds that the provider listed as in flight in its last answer.
    known: Vec<StillPending>,
}

/// The provider's answer about these refunds.
pub(super) struct Answer {
    /// The withdrawals that are still pending at the provider. Those of the last answer if there was no clear
    /// answer.
    pub(super) rows: Vec<StillPending>,
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
        let known = self.app.solvency()?.map(|sample| sample.still_pending).unwrap_or_default();
        let mut refunds = self.app.queries.refunded_after_attempts(since, AT_MOST)?;
        let recent: BTreeSet<WithdrawalId> = refunds.iter().map(|refund| refund.id).collect();
        for row in known.iter().filter(|row| !recent.contains(&row.id)) {
            refunds.extend(self.app.queries.withdrawal(row.id)?);
        }
        let mut released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        released.retain(|id| recent.contains(id));
        refunds.retain(|refund| !released.contains(&refund.id));
        Ok(Asked { refunds, known })
    }

    /// Asks the provider which of these payments it still lists as in flight.
    pub(super) async fn ask_about(&self, asked: Asked) -> Answer {
        let payments = asked.refunds.iter().map(reference).collect();
        let taken = match self.lightning.withheld(payments).await {
            Ok(taken) => taken,
            Err(error) => {
                tracing::warn!(%error, "whether refunded withdrawals are still pending at the provider is not known");
                return asked.unanswered();
            }
        };
        let (mut rows, mut gone) = (Vec::new(), Vec::new());
        for refund in &asked.refunds {
            match taken.get(&refund.outgoing.payment_hash) {
                Some(taken) => rows.push(StillPending { id: refund.id, msat: taken.get() }),
                None => gone.push(refund),
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
        Answer { rows, withheld: Withheld::certain(Millisats::new(sum).unwrap_or_default()) }
    }

    /// Stops the questions about these refunds when the provider can no longer begin their payments.
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

    /// The provider gave no clear answer. It can withhold at most the holds of the refunds that it did not
    /// prove.
    pub(super) fn unanswered(self) -> Answer {
        let is_possible = |refund: &&Withdrawal| is_by_operator(refund) || self.knows(refund.id);
        let possible = self.refunds.iter().filter(is_possible);
        let most =
            possible.fold(0_i64, |sum, refund| sum.saturating_add(Millisats::from_sats(refund.held()).get()));
        let withheld = Withheld::unclear(Millisats::new(most).unwrap_or_default());
        Answer { rows: self.known, withheld }
    }
}
