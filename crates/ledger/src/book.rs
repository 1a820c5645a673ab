//! A ledger in memory.

use std::collections::{BTreeMap, BTreeSet};

use bolts_kernel::Currency;

use crate::account::Account;
use crate::transfer::Transfer;

/// The reason why a ledger refuses a batch of transfers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// The balance of an account that may not go below 0 would go below 0.
    #[error("the account would be overdrawn: {0:?}")]
    Overdrawn(Account),
    /// A transfer with this idempotency key was posted before.
    #[error("the transfer was posted before: {0}")]
    Duplicate(String),
    /// The balance of an account would not fit into `i64`.
    #[error("the balance would overflow: {0:?}")]
    Overflow(Account),
}

/// A ledger in memory, for the store in memory and for tests.
///
/// The ledgers of the databases must behave in the same way.
#[derive(Clone, Debug, Default)]
pub struct Book {
    balances: BTreeMap<Account, i64>,
    keys: BTreeSet<String>,
    transfers: Vec<Transfer>,
}

impl Book {
    /// Posts all of the transfers or none of them.
    ///
    /// # Errors
    /// The reason why the first invalid transfer is refused. The book is then unchanged.
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

    /// The balance of an account. An account without transfers has the balance 0.
    pub fn balance(&self, account: Account) -> i64 {
        self.balances.get(&account).copied().unwrap_or(0)
    }

    /// All transfers, oldest first.
    pub fn transfers(&self) -> &[Transfer] {
        &self.transfers
    }

    /// The violations of invariants 1 to 3 of `docs/ledger.md#invariants`. Empty if the invariants hold.
    pub fn violations(&self) -> Vec<String> {
        let mut found = Vec::new();
        for currency in Currency::ALL {
            let sum: i128 = self.accounts_in(currency).map(|(_, balance)| i128::from(*balance)).sum();
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
                found.push(format!("{account:?} has {balance}, which is not the sum of its transfers"));
            }
            if *balance < 0 && !account.may_overdraw() {
                found.push(format!("{account:?} is below 0: {balance}"));
            }
        }
        found
    }

    fn accounts_in(&self, currency: Currency) -> impl Iterator<Item = (&Account, &i64)> {
        self.balances.iter().filter(move |(account, _)| account.currency() == currency)
    }
}

#[cfg(test)]
mod tests {
    use bolts_kernel::{Amount, OperationId, Timestamp, UserId};

    use super::*;

    /// A book with one grant of 5 Bolts, and the account that has them.
    fn book() -> (Book, Account) {
        let (user, now) = (UserId::from(1_u128), Timestamp::parse("2026-11-23T12:00:00Z").unwrap());
        let grant =
            crate::admin_grant(user, Amount::new(5).unwrap(), OperationId::from(2_u128), now).unwrap();
        let mut book = Book::default();
        book.post(&[grant]).unwrap();
        (book, Account::Available(user, Currency::Bolts))
    }

    fn violations(spoil: impl Fn(&mut Book, Account)) -> Vec<String> {
        let (mut book, account) = book();
        spoil(&mut book, account);
        book.violations()
    }

    #[test]
    fn each_invariant_that_does_not_hold_is_a_violation() {
        assert_eq!(violations(|_, _| {}), Vec::<String>::new());
        let added = violations(|book, account| *book.balances.get_mut(&account).unwrap() += 1);
        assert_eq!(added[0], "the bolts accounts sum to 1");
        assert!(added[1].contains("not the sum of its transfers"), "{added:?}");
        let lost = violations(|book, _| book.transfers.clear());
        assert_eq!(lost.len(), 2, "both accounts: {lost:?}");
        let below = violations(|book, account| {
            book.balances.insert(account, -1);
            book.balances.insert(Account::Issuance(Currency::Bolts), 1);
        });
        assert!(below.iter().any(|one| one.contains("is below 0: -1")), "{below:?}");
    }
}
