use bolts_ledger::{Account, Transfer};
use bolts_ports::{Ledger, Result};

use super::state::broken;
use super::tx::MemoryTx;

impl MemoryTx {
    fn check_open(&self, account: Account) -> Result<()> {
        if is_systems(account) || self.state.accounts.contains(&account) {
            Ok(())
        } else {
            Err(broken(format!("the account was never opened: {account:?}")))
        }
    }

    fn try_post(&mut self, transfers: &[Transfer]) -> Result<()> {
        for transfer in transfers {
            self.check_open(transfer.from())?;
            self.check_open(transfer.to())?;
        }
        self.state.book.post(transfers).map_err(|error| broken(error.to_string()))
    }
}

/// Whether the account is a system account. System accounts exist from the start.
fn is_systems(account: Account) -> bool {
    match account {
        Account::Issuance(_) | Account::Lightning(_) | Account::Fees(_) => true,
        Account::Available(..) | Account::Escrow(..) | Account::Hold(_) => false,
    }
}

impl Ledger for MemoryTx {
    fn open(&mut self, accounts: &[Account]) -> Result<()> {
        self.state.accounts.extend(accounts);
        Ok(())
    }

    fn lock(&mut self, accounts: &[Account]) -> Result<Vec<i64>> {
        let balance = |account: &Account| {
            self.check_open(*account)?;
            Ok(self.state.book.balance(*account))
        };
        accounts.iter().map(balance).collect()
    }

    fn post(&mut self, transfers: &[Transfer]) -> Result<()> {
        self.try_post(transfers).inspect_err(|failure| self.spoiled = Some(failure.clone()))
    }
}
