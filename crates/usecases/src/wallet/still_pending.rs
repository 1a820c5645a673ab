//! Withdrawals that were refunded here while the provider still lists their payments as on their way. LNbits does so for
//! ever after an outage of the node behind it. Its balance lacks these payments and the reserves for their routes, so the
//! solvency check adds both.

use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::time::Duration;

use bolts_kernel::WithdrawalId;
use bolts_ports::StoreError;
use bolts_wallet::{Millisats, Withdrawal, Withheld};
use serde::{Deserialize, Serialize};

use super::Wallets;
use super::lost::is_by_operator;
use super::sending::reference;
use crate::App;

/// The provider is asked about refunds of this time, and about older ones while it lists them.
const ASKED_FOR: Duration = Duration::from_secs(30 * 24 * 3_600);

/// The provider is asked about at most this number of refunds, besides those that it listed before.
const AT_MOST: u32 = 1_000;

/// A provider that was held up can begin a payment this long after the call. Later, a payment that the provider does not
/// list as on its way will not be on its way again.
const BEGUN_WITHIN: Duration = Duration::from_secs(3_600);

/// A withdrawal that was refunded here, and that the provider still lists as on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StillPending {
    /// The withdrawal.
    pub id: WithdrawalId,
    /// What the provider withholds for it: the amount and the reserve for the route, in millisats.
    pub msat: i64,
}

/// The refunds that the provider is asked about.
pub(super) struct Asked {
    refunds: Vec<Withdrawal>,
    /// Those that the provider listed as on their way when it last said so.
    known: Vec<StillPending>,
}

/// The answer to that question.
pub(super) struct Answer {
    /// The withdrawals that are still pending there. The known ones if the provider gave no clear answer.
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

    /// Asks the provider which of these payments it still lists as on their way.
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

    /// Does not ask about these again, once the provider cannot begin their payments any more.
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

    /// The provider gave no clear answer. It can withhold at most what was held here for refunds that it did not prove.
    pub(super) fn unanswered(self) -> Answer {
        let is_possible = |refund: &&Withdrawal| is_by_operator(refund) || self.knows(refund.id);
        let possible = self.refunds.iter().filter(is_possible);
        let most =
            possible.fold(0_i64, |sum, refund| sum.saturating_add(Millisats::from_sats(refund.held()).get()));
        let withheld = Withheld::unclear(Millisats::new(most).unwrap_or_default());
        Answer { rows: self.known, withheld }
    }
}
