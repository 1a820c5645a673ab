use std::collections::BTreeMap;

use bolts_ledger::{Account, Subject, Transfer};
use bolts_ports::{Ledger, Result, StoreError};
use diesel::prelude::*;

use super::transaction::Transaction;
use super::{Conn, accounts as accounts_of};
use crate::schema::{accounts, transfers};

impl Ledger for Transaction<'_> {
    fn open(&mut self, accounts: &[Account]) -> Result<()> {
        for account in in_order(accounts) {
            let row = (
                accounts::kind.eq(account.kind()),
                accounts::owner.eq(account.owner()),
                accounts::currency.eq(account.currency().as_str()),
            );
            self.run(|conn| {
                diesel::insert_into(accounts::table).values(row).on_conflict_do_nothing().execute(conn)
            })?;
        }
        Ok(())
    }

    fn lock(&mut self, accounts: &[Account]) -> Result<Vec<i64>> {
        let balances = self.find(&in_order(accounts))?;
        Ok(accounts.iter().filter_map(|account| balances.get(account).copied()).collect())
    }

    fn post(&mut self, transfers: &[Transfer]) -> Result<()> {
        // Accounts that this job has not locked yet are locked here, in order, before the first transfer
        // changes them.
        let touched = transfers.iter().flat_map(|transfer| [transfer.from(), transfer.to()]);
        let unseen: Vec<Account> = touched.filter(|account| !self.accounts.contains_key(account)).collect();
        self.find(&in_order(&unseen))?;
        for transfer in transfers {
            let row = |account| self.accounts.get(&account).copied().unwrap_or_default();
            let (from, to) = (row(transfer.from()), row(transfer.to()));
            let touched = self.run(|conn| insert(conn, transfer, from, to))?;
            self.expect_rows(touched, 1, "posting a transfer")?;
        }
        Ok(())
    }
}

/// The accounts without duplicates, in the order in which every job locks accounts.
fn in_order(accounts: &[Account]) -> Vec<Account> {
    let mut accounts = accounts.to_vec();
    accounts.sort_unstable();
    accounts.dedup();
    accounts
}

impl Transaction<'_> {
    /// Locks the rows of these accounts, which must have the order of [`in_order`]. Keeps the ids of the rows
    /// and returns the balances.
    fn find(&mut self, wanted: &[Account]) -> Result<BTreeMap<Account, i64>> {
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let rows = self.run(|conn| accounts_of::lock(conn, wanted))?;
        let mut balances = BTreeMap::new();
        for (account, row) in wanted.iter().zip(rows) {
            let Some((id, balance)) = row else {
                let message = format!("the account {account:?} was never opened");
                return self.remember(Err(StoreError::Broken(message)));
            };
            self.accounts.insert(*account, id);
            balances.insert(*account, balance);
        }
        Ok(balances)
    }
}

/// Inserts a transfer. A trigger then changes both balances, and a CHECK of the accounts refuses an
/// overdraft.
fn insert(conn: &mut Conn, transfer: &Transfer, from: i64, to: i64) -> QueryResult<usize> {
    let (bet, deposit, withdrawal) = match transfer.subject() {
        Subject::None => (None, None, None),
        Subject::Bet(bet) => (Some(bet.to_string()), None, None),
        Subject::Deposit(deposit) => (None, Some(deposit.to_string()), None),
        Subject::Withdrawal(withdrawal) => (None, None, Some(withdrawal.to_string())),
    };
    let values = (
        transfers::key.eq(transfer.key()),
        transfers::operation_id.eq(transfer.operation().to_string()),
        transfers::from_account.eq(from),
        transfers::to_account.eq(to),
        transfers::amount.eq(transfer.money().amount.get()),
        transfers::currency.eq(transfer.money().currency.as_str()),
        transfers::kind.eq(transfer.kind().as_str()),
        transfers::bet_id.eq(bet),
        transfers::deposit_id.eq(deposit),
        transfers::withdrawal_id.eq(withdrawal),
        transfers::created_at.eq(transfer.at().micros()),
    );
    diesel::insert_into(transfers::table).values(values).execute(conn)
}
