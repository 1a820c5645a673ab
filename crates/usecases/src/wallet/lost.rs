//! What the operator gave back and the provider paid all the same: a payee may hold an invoice back for days before taking
//! what is paid to it.

use std::time::Duration;

use bolts_kernel::{Timestamp, WithdrawalId};
use bolts_ports::{PageRequest, StoreError, Tx};
use bolts_wallet::{EndedBy, Evidence, Withdrawal, WithdrawalState, WithdrawalStatus};

use super::Wallets;
use super::sending::reference;

/// How long after the operator's word the provider is still asked.
const WATCHED_FOR: Duration = Duration::from_secs(30 * 24 * 3_600);

/// No payment is under way for longer than this before the operator settles it, as far as this is concerned.
const OLDEST: Duration = Duration::from_secs(60 * 24 * 3_600);

/// The setting that holds which withdrawals are known to be lost.
const LOST: &str = "paid_though_refunded";

impl Wallets {
    /// Asks the provider about what the operator settled as refunded in the last month. What was paid since pauses
    /// withdrawals.
    ///
    /// # Errors
    /// The store's.
    pub async fn look_at_refunds(&self) -> Result<(), StoreError> {
        for withdrawal in self.refunded_by_operator()? {
            let Some(_running) = self.underway.begin() else { return Ok(()) };
            let evidence = self.lightning.look_up_payment(reference(&withdrawal)).await;
            if matches!(evidence, Evidence::Paid { .. }) {
                self.learn(&withdrawal, evidence).await?;
            }
        }
        Ok(())
    }

    fn refunded_by_operator(&self) -> Result<Vec<Withdrawal>, StoreError> {
        let (mut found, now) = (Vec::new(), self.app.now());
        let mut page = PageRequest { limit: 1_000, after: None };
        loop {
            let refunded = self.app.queries.withdrawals(Some(WithdrawalStatus::Refunded), page)?;
            let is_old =
                refunded.items.last().is_none_or(|view| now.since(view.withdrawal.created_at) > OLDEST);
            let withdrawals = refunded.items.into_iter().map(|view| view.withdrawal);
            found.extend(withdrawals.filter(|withdrawal| is_watched(withdrawal, now)));
            if is_old || refunded.next.is_none() {
                return Ok(found);
            }
            page.after = refunded.next;
        }
    }
}

/// The provider may have been told, and the operator said that it did not pay.
fn is_watched(withdrawal: &Withdrawal, now: Timestamp) -> bool {
    let WithdrawalState::Refunded { by: EndedBy::Operator, at, .. } = withdrawal.state else { return false };
    withdrawal.attempts() > 0 && now.since(at) <= WATCHED_FOR
}

/// Notes that the withdrawal was paid though refunded; `false` where that was known.
pub(super) fn note(tx: &mut dyn Tx, id: WithdrawalId) -> Result<bool, StoreError> {
    let (known, id) = (tx.settings().get(LOST)?.unwrap_or_default(), id.to_string());
    if known.split_whitespace().any(|known| known == id) {
        return Ok(false);
    }
    tx.settings().put(LOST, format!("{known} {id}").trim())?;
    Ok(true)
}
