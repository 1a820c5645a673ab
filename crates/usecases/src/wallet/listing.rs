//! Credits deposits from the provider's list of paid invoices. This finds a payment even if the webhook was lost and no
//! page is open, without a wait for the next scheduled look-up.

use std::collections::HashMap;
use std::time::Duration;

use bolts_kernel::{DepositId, Timestamp};
use bolts_ports::{StoreError, Unclear, submit};
use bolts_wallet::{Deposit, PaymentHash};
use futures_util::future::join_all;

use super::deposits::reference;
use super::look::MARGIN;
use super::{Wallets, provider_identity};
use crate::sweep::timestamp;

/// All processes together request the provider's list at most once in this time.
const LISTED_EVERY: Duration = Duration::from_secs(10);

/// The setting with the time of the latest request for the list, in microseconds.
const LISTED_AT: &str = "deposits_listed_at";

/// The result of a search for deposits in the provider's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// The list was not requested: there is no open deposit, another process has just requested the list, or the
    /// database now belongs to another provider.
    NotAsked,
    /// The whole list was read. It showed this number of open deposits as paid, and these deposits are credited.
    Read(usize),
    /// The provider gave no complete list, so no deposit was credited.
    Unreadable(Unclear),
}

impl Wallets {
    /// The open deposits that [`Wallets::credit_listed`] should now search for in the provider's list. Empty if the
    /// list was requested less than 10 seconds ago, or if no invoice is open.
    pub fn deposits_to_list(&self) -> Result<Vec<Deposit>, StoreError> {
        let now = self.app.now();
        if !is_due(self.app.queries.setting(LISTED_AT)?.as_deref(), now) {
            return Ok(Vec::new());
        }
        self.app.queries.open_deposits_expiring_after(Deposit::listed_if_expiring_after(now))
    }

    /// Asks the provider which of these open deposits were paid, and credits them. A deposit that is not in
    /// the list stays as it is.
    pub async fn credit_listed(&self, open: Vec<Deposit>) -> Result<Listing, StoreError> {
        let oldest = open.iter().map(|deposit| deposit.created_at).min();
        let Some(oldest) = oldest else { return Ok(Listing::NotAsked) };
        if !self.takes_turn().await? {
            return Ok(Listing::NotAsked);
        }
        let invoices = open.iter().map(reference).collect();
        let paid = match self.lightning.paid_among(invoices, oldest.before(MARGIN)).await {
            Ok(paid) => paid,
            Err(unclear) => return Ok(Listing::Unreadable(unclear)),
        };
        let known: HashMap<PaymentHash, DepositId> =
            open.iter().map(|deposit| (deposit.payment_hash, deposit.id)).collect();
        let found = paid.into_iter().filter_map(|(hash, received)| Some((*known.get(&hash)?, received)));
        // One deposit that cannot be credited does not stop the others.
        let credited = join_all(found.map(|(id, received)| self.credit(id, received))).await;
        let count = credited.len();
        credited.into_iter().try_for_each(|credited| credited.map(drop))?;
        Ok(Listing::Read(count))
    }

    /// Records that this process requests the list now. Returns `false` if a process requested it less than 10 seconds
    /// ago, or if the database belongs to another provider.
    async fn takes_turn(&self) -> Result<bool, StoreError> {
        let (now, provider) = (self.app.now(), self.lightning.provider_name());
        submit(&*self.app.store, move |tx| {
            let is_due = is_due(tx.settings().get(LISTED_AT)?.as_deref(), now);
            if !is_due || !provider_identity::is_current(tx, &provider)? {
                return Ok(false);
            }
            tx.settings().put(LISTED_AT, &now.micros().to_string())?;
            Ok(true)
        })
        .await
    }
}

/// Whether the next request for the list is due at `now`. If the last request lies in the future because the clock
/// was set back, the next request is due.
fn is_due(listed_at: Option<&str>, now: Timestamp) -> bool {
    let listed_at = listed_at.and_then(timestamp);
    listed_at.is_none_or(|at| now < at || now.since(at) >= LISTED_EVERY)
}
