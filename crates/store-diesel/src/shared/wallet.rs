use bolts_kernel::{DepositId, Timestamp, UserId, WithdrawalId};
use bolts_ports::{Movement, Page, PageRequest, Result, WalletQueries, WithdrawalView};
use bolts_wallet::{Deposit, PaymentHash, Reserves, Withdrawal, WithdrawalStatus};
use diesel::prelude::*;

use super::rows::Cells;
use super::withdrawals::Whose;
use super::{Handle, deposits, history, withdrawals};
use crate::schema::settings;

impl WalletQueries for Handle {
    fn deposit(&self, id: DepositId) -> Result<Option<Deposit>> {
        self.read(|conn| deposits::find(conn, id))?.transpose()
    }

    fn deposit_of(&self, hash: PaymentHash) -> Result<Option<Deposit>> {
        self.read(|conn| deposits::find_by_hash(conn, hash))?.transpose()
    }

    fn paid_deposits(&self, since: Timestamp) -> Result<Vec<Deposit>> {
        self.read(|conn| deposits::paid_since(conn, since))?.into_iter().collect()
    }

    fn due_deposits(&self, now: Timestamp, limit: u32) -> Result<Vec<DepositId>> {
        let ids = self.read(|conn| deposits::due(conn, now, limit))?;
        ids.iter().map(|id| Cells { table: "deposits", id }.parsed("id", id)).collect()
    }

    fn open_deposits_expiring_after(&self, then: Timestamp) -> Result<Vec<Deposit>> {
        self.read(|conn| deposits::open_expiring_after(conn, then))?.into_iter().collect()
    }

    fn open_deposits_expired_before(&self, then: Timestamp) -> Result<u64> {
        let count = self.read(|conn| deposits::open_expired_before(conn, then))?;
        Ok(count.unsigned_abs())
    }

    fn withdrawal(&self, id: WithdrawalId) -> Result<Option<Withdrawal>> {
        self.read(|conn| withdrawals::find(conn, id))?.map(withdrawals::withdrawal).transpose()
    }

    fn withdrawal_of(&self, hash: PaymentHash) -> Result<Option<Withdrawal>> {
        self.read(|conn| withdrawals::find_by_hash(conn, hash))?.map(withdrawals::withdrawal).transpose()
    }

    fn refunded_after_attempts(&self, since: Timestamp, limit: u32) -> Result<Vec<Withdrawal>> {
        let rows = self.read(|conn| withdrawals::refunded_after_attempts(conn, since, limit))?;
        rows.into_iter().map(withdrawals::withdrawal).collect()
    }

    fn withdrawals_of(&self, user: UserId, page: PageRequest) -> Result<Page<Withdrawal>> {
        let rows = self.read(|conn| withdrawals::list(conn, &Whose::User(user), page))?;
        let page = withdrawals::page(rows, page)?;
        let items = page.items.into_iter().map(|view| view.withdrawal).collect();
        Ok(Page { items, next: page.next })
    }

    fn withdrawals(
        &self,
        status: Option<WithdrawalStatus>,
        page: PageRequest,
    ) -> Result<Page<WithdrawalView>> {
        let whose = status.map_or(Whose::Anybody, Whose::Status);
        let rows = self.read(|conn| withdrawals::list(conn, &whose, page))?;
        withdrawals::page(rows, page)
    }

    fn due_withdrawals(&self, now: Timestamp, limit: u32) -> Result<Vec<WithdrawalId>> {
        let ids = self.read(|conn| withdrawals::due(conn, now, limit))?;
        ids.iter().map(|id| Cells { table: "withdrawals", id }.parsed("id", id)).collect()
    }

    fn history(&self, user: UserId, page: PageRequest) -> Result<Page<Movement>> {
        let rows = self.read(|conn| history::rows(conn, user, page))?;
        history::page(rows, page)
    }

    fn reserves(&self) -> Result<Reserves> {
        history::reserves(&self.read(history::reserves_row)?)
    }

    fn setting(&self, name: &str) -> Result<Option<String>> {
        self.read(|conn| settings::table.find(name).select(settings::value).get_result(conn).optional())
    }
}
