//! Withdrawals that were refunded here, but that the provider paid later. A payee may hold an incoming payment for days
//! before accepting it.

use std::time::Duration;

use bolts_kernel::WithdrawalId;
use bolts_ports::{StoreError, Tx};
use bolts_wallet::{EndedBy, Evidence, Withdrawal, WithdrawalState};

use super::Wallets;
use super::sending::{Source, reference};
use crate::App;

/// After a refund by the operator, the provider is still asked about the payment for 30 days.
const WATCHED_FOR: Duration = Duration::from_hours(30 * 24);

/// The setting with the ids of the refunded withdrawals that the provider is known to have paid.
const LOST: &str = "paid_though_refunded";

impl App {
    /// The withdrawals that were refunded here although the provider paid them. The first loss that became known comes
    /// first.
    pub fn lost_withdrawals(&self) -> Result<Vec<Withdrawal>, StoreError> {
        let known = self.queries.setting(LOST)?.unwrap_or_default();
        let found = known.split_whitespace().map(|id| {
            let broken = |_| StoreError::Broken(format!("the setting {LOST}: {id:?}"));
            self.queries.withdrawal(id.parse().map_err(broken)?)
        });
        found.filter_map(Result::transpose).collect()
    }
}

impl Wallets {
    /// The withdrawals that the operator settled as refunded in the last 30 days. Each of them needs
    /// [`Wallets::look_at_refund`] from time to time.
    pub fn watched_refunds(&self) -> Result<Vec<Withdrawal>, StoreError> {
        let since = self.app.now().before(WATCHED_FOR);
        let mut refunds = self.app.queries.refunded_after_attempts(since, u32::MAX)?;
        refunds.retain(is_by_operator);
        Ok(refunds)
    }

    /// Looks up a refunded withdrawal at the provider. If the provider has paid it, all withdrawals are paused. Returns whether
    /// the answer says how the payment ended.
    pub async fn look_at_refund(&self, refunded: &Withdrawal) -> Result<bool, StoreError> {
        let Some(_running) = self.drain.look() else { return Ok(false) };
        let asked_at = self.app.now();
        let evidence = self.lightning.look_up_payment(reference(refunded)).await;
        match evidence {
            Evidence::Paid { .. } => {
                self.apply_evidence(refunded, evidence, Source::LookUp(asked_at)).await?;
                Ok(true)
            }
            Evidence::Failed(_) | Evidence::NotSent(_) | Evidence::NotFound { .. } => Ok(true),
            Evidence::InFlight | Evidence::NoAnswer(_) | Evidence::Unknown(_) => Ok(false),
        }
    }

    /// Looks up a refunded withdrawal that the provider's list shows as paid. Returns whether the loss is recorded now.
    pub(super) async fn records_loss(&self, refunded: &Withdrawal) -> Result<bool, StoreError> {
        self.look_at_refund(refunded).await?;
        let is_recorded = is_known(&self.app, refunded.id)?;
        if !is_recorded {
            tracing::warn!(
                withdrawal = %refunded.id,
                "the provider's list shows a refunded withdrawal as paid, and the answer about this payment does not"
            );
        }
        Ok(is_recorded)
    }
}

/// Whether the operator settled the withdrawal as refunded.
pub(super) fn is_by_operator(withdrawal: &Withdrawal) -> bool {
    matches!(withdrawal.state, WithdrawalState::Refunded { by: EndedBy::Operator, .. })
}

/// Whether it is already known that the provider paid this refunded withdrawal.
pub(super) fn is_known(app: &App, id: WithdrawalId) -> Result<bool, StoreError> {
    let (known, id) = (app.queries.setting(LOST)?.unwrap_or_default(), id.to_string());
    Ok(known.split_whitespace().any(|known| known == id))
}

/// Records that the provider paid this refunded withdrawal. Returns `false` if this was already known.
pub(super) fn note(tx: &mut dyn Tx, id: WithdrawalId) -> Result<bool, StoreError> {
    let (known, id) = (tx.settings().get(LOST)?.unwrap_or_default(), id.to_string());
    if known.split_whitespace().any(|known| known == id) {
        return Ok(false);
    }
    tx.settings().put(LOST, format!("{known} {id}").trim())?;
    Ok(true)
}
