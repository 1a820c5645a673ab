use std::collections::{BTreeMap, BTreeSet};

use bolts_kernel::Currency;

use crate::account::Account;
use crate::transfer::Transfer;

/// Why a ledger takes none of the transfers it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// An account that may not go below 0 would.
    #[error("the account would be overdrawn: {0:?}")]
    Overdrawn(Account),
    /// That movement was made before.
    #[error("the transfer was posted before: {0}")]
    Duplicate(String),
    /// A balance would leave 63 bits.
    #[error("the balance would overflow: {0:?}")]
    Overflow(Account),
}

/// A ledger in memory: the model against which the databases' ledgers are judged.
#[derive(Clone, Debug, Default)]
pub struct Book {
    balances: BTreeMap<Account, i64>,
    keys: BTreeSet<String>,
    transfers: Vec<Transfer>,
}

impl Book {
    /// Takes all of the transfers, or none of them.
    ///
    /// # Errors
    /// The first thing that forbids it; the book is then as it was.
    pub fn post(&mut self, transfers: &[Transfer]) -> Result<(), PostError> {
        let mut next = self.clone();
        for transfer in transfers {
            next.post_one(transfer)?;
        }
        *self = next;
        Ok(())
    }

    fn post_one(&mut self, transfer: &Transfer) -> Result<(), PostError> {
        if !self.keys.insert(transfer.key().to_owned()) {
            return Err(PostError::Duplicate(transfer.key().to_owned()));
        }
        let amount = transfer.money().amount.get();
        for (account, change) in [(transfer.from(), -amount), (transfer.to(), amount)] {
            let balance = self.balances.entry(account).or_default();
            *balance = balance.checked_add(change).ok_or(PostError::Overflow(account))?;
            if *balance < 0 && !account.may_overdraw() {
                return Err(PostError::Overdrawn(account));
            }
        }
        self.transfers.push(transfer.clone());
        Ok(())
    }

    /// What an account holds; 0 for one that nothing ever moved on.
    pub fn balance(&self, account: Account) -> i64 {
        self.balances.get(&account).copied().unwrap_or(0)
    }

    /// Every transfer, oldest first.
    pub fn transfers(&self) -> &[Transfer] {
        &self.transfers
    }

    /// What is wrong with invariants 1 to 3 of decisions, section 6; empty where they hold.
    pub fn violations(&self) -> Vec<String> {
        let mut found = Vec::new();
        for currency in Currency::ALL {
            let sum: i128 = self.of(currency).map(|(_, balance)| i128::from(*balance)).sum();
            if sum != 0 {
                found.push(format!("the {currency} accounts sum to {sum}"));
            }
        }
        let mut moved: BTreeMap<Account, i64> = BTreeMap::new();
        for transfer in &self.transfers {
            let amount = transfer.money().amount.get();
            *moved.entry(transfer.from()).or_default() -= amount;
            *moved.entry(transfer.to()).or_default() += amount;
        }
        for (account, balance) in &self.balances {
            if moved.get(account).copied().unwrap_or(0) != *balance {
                found.push(format!("{account:?} is {balance}, its transfers say otherwise"));
            }
            if *balance < 0 && !account.may_overdraw() {
                found.push(format!("{account:?} is below 0: {balance}"));
            }
        }
        found
    }

    fn of(&self, currency: Currency) -> impl Iterator<Item = (&Account, &i64)> {
        self.balances.iter().filter(move |(account, _)| account.currency() == currency)
    }
}
