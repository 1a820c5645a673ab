//! Lists of withdrawals by their status.

use std::iter;

use bolts_kernel::{Timestamp, WithdrawalId};
use bolts_ports::{Page, PageRequest, StoreError};
use bolts_wallet::{Withdrawal, WithdrawalStatus};

use crate::App;

/// The withdrawals with the status `sending`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// The number of these withdrawals.
    pub count: usize,
    /// The withdrawals that have been open for so long that the operator must settle them.
    pub in_doubt: Vec<WithdrawalId>,
    /// The sats that the withdrawals in `in_doubt` hold. The solvency check assumes that these withdrawals were paid.
    /// This may be wrong.
    pub in_doubt_sats: i64,
}

impl App {
    /// The withdrawals with the status `sending`.
    pub fn sending_withdrawals(&self) -> Result<Sending, StoreError> {
        let (mut sending, now) = (Sending::default(), self.now());
        for withdrawal in self.withdrawals_in(WithdrawalStatus::Sending) {
            let withdrawal = withdrawal?;
            sending.count += 1;
            if withdrawal.is_in_doubt(now) {
                sending.in_doubt.push(withdrawal.id);
                sending.in_doubt_sats += withdrawal.held().get();
            }
        }
        Ok(sending)
    }

    /// The time of the oldest withdrawal that waits to be sent. `None` if none waits.
    pub fn oldest_held(&self) -> Result<Option<Timestamp>, StoreError> {
        let oldest = self.withdrawals_in(WithdrawalStatus::Held).last().transpose()?;
        Ok(oldest.map(|withdrawal| withdrawal.created_at))
    }

    /// All withdrawals with this status, newest first, read in pages.
    pub(super) fn withdrawals_in(
        &self,
        status: WithdrawalStatus,
    ) -> impl Iterator<Item = Result<Withdrawal, StoreError>> {
        let mut next = Some(PageRequest { limit: 1_000, after: None });
        let pages = iter::from_fn(move || {
            let page = next.take()?;
            let found = self.queries.withdrawals(Some(status), page);
            if let Ok(Page { next: Some(after), .. }) = found {
                next = Some(PageRequest { after: Some(after), ..page });
            }
            Some(found)
        });
        pages.flat_map(|page| match page {
            Ok(page) => page.items.into_iter().map(|view| Ok(view.withdrawal)).collect(),
            Err(error) => vec![Err(error)],
        })
    }
}
