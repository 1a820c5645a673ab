use bolts_ledger::{Account, Subject, Transfer};
use bolts_ports::{Ledger, Result, StoreError};

use super::accounts as accounts_of;
use super::prepared::{self, Place, Write};
use super::transaction::{LockedAccount, Transaction};

impl Ledger for Transaction<'_> {
    fn open(&mut self, accounts: &[Account]) -> Result<()> {
        for account in in_order(accounts) {
            let binds = [account.kind().into(), account.owner().into(), account.currency().as_str().into()];
            if matches!(account, Account::Escrow(..))
                && let Some(id) = self.ahead.new_account()
            {
                let [kind, owner, currency] = binds;
                self.write(Write::one(OPEN_AT, Place::Parent, [id.into(), kind, owner, currency]))?;
                self.accounts.insert(account, LockedAccount { id, balance: Some(0) });
                continue;
            }
            let opened = self.change_ahead(|conn| prepared::numbers(conn, OPEN, binds))?;
            for id in opened {
                self.accounts.insert(account, LockedAccount { id, balance: Some(0) });
            }
        }
        Ok(())
    }

    fn lock(&mut self, accounts: &[Account]) -> Result<Vec<i64>> {
        let known = |this: &Self, account| this.accounts.get(account).and_then(|locked| locked.balance);
        if accounts.iter().any(|account| known(self, account).is_none()) {
            self.find(&in_order(accounts))?;
        }
        Ok(accounts.iter().filter_map(|account| known(self, account)).collect())
    }

    fn post(&mut self, transfers: &[Transfer]) -> Result<()> {
        // Accounts that this job has not locked yet are locked here, in order, before the first transfer
        // changes them.
        let touched = transfers.iter().flat_map(|transfer| [transfer.from(), transfer.to()]);
        let unseen: Vec<Account> = touched.filter(|account| !self.accounts.contains_key(account)).collect();
        self.find(&in_order(&unseen))?;
        for transfer in transfers {
            let amount = transfer.money().amount.get();
            self.moved.extend([(transfer.from(), -amount), (transfer.to(), amount)]);
            let (from, to) = (self.moving(transfer.from()), self.moving(transfer.to()));
            self.write(insert(transfer, from, to))?;
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
    /// The row id of a locked account whose balance is about to change.
    fn moving(&mut self, account: Account) -> i64 {
        let Some(locked) = self.accounts.get_mut(&account) else { return 0 };
        locked.balance = None;
        locked.id
    }

    /// Locks the rows of these accounts, which must have the order of [`in_order`], and keeps their ids and balances.
    fn find(&mut self, wanted: &[Account]) -> Result<()> {
        if wanted.is_empty() {
            return Ok(());
        }
        let is_moved = wanted.iter().any(|account| self.accounts.contains_key(account));
        let rows = match self.ahead.accounts(wanted).filter(|_| !is_moved) {
            Some(rows) => rows,
            None => {
                let found = self.lock_ahead(
                    |conn, waits| accounts_of::lock(conn, wanted, waits).map(Some),
                    |rows, place| rows.iter().flatten().any(|(id, _)| place.moves(*id)),
                )?;
                found.unwrap_or_default()
            }
        };
        for (account, row) in wanted.iter().zip(rows) {
            let Some((id, balance)) = row else {
                if !self.writes.waits() {
                    return self.missed();
                }
                let message = format!("the account {account:?} was never opened");
                return self.remember(Err(StoreError::Broken(message)));
            };
            self.accounts.insert(*account, LockedAccount { id, balance: Some(balance) });
        }
        Ok(())
    }
}

/// The statement that inserts a transfer. A trigger then changes both balances, and a CHECK of the accounts refuses
/// an overdraft.
fn insert(transfer: &Transfer, from: i64, to: i64) -> Write {
    let (bet, deposit, withdrawal) = match transfer.subject() {
        Subject::None => (None, None, None),
        Subject::Bet(bet) => (Some(bet.to_string()), None, None),
        Subject::Deposit(deposit) => (None, Some(deposit.to_string()), None),
        Subject::Withdrawal(withdrawal) => (None, None, Some(withdrawal.to_string())),
    };
    let binds = [
        transfer.key().to_owned().into(),
        transfer.operation().to_string().into(),
        from.into(),
        to.into(),
        transfer.money().amount.get().into(),
        transfer.money().currency.as_str().into(),
        transfer.kind().as_str().into(),
        bet.into(),
        deposit.into(),
        withdrawal.into(),
        transfer.at().micros().into(),
    ];
    Write::one(INSERT, Place::Transfer([from, to]), binds)
}

const INSERT: &str =
    "INSERT INTO transfers (key, operation_id, from_account, to_account, amount, currency, kind,
    bet_id, deposit_id, withdrawal_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

const OPEN: &str = "INSERT INTO accounts (kind, owner, currency) VALUES (?, ?, ?)
    ON CONFLICT (kind, owner, currency) DO NOTHING RETURNING id";

/// Opens an account whose id is known.
const OPEN_AT: &str = "INSERT INTO accounts (id, kind, owner, currency) VALUES (?, ?, ?, ?)";
