use std::collections::BTreeMap;

use bolts_kernel::{Amount, Currency, DepositId, Timestamp, UserId, WithdrawalId};
use bolts_ledger::{Account, Subject, Transfer};
use bolts_ports::{
    BetKey, Cursor, Deposits, MovedFor, Movement, OpenInvoices, Page, PageRequest, Result, WalletQueries,
    WithdrawalView, Withdrawals,
};
use bolts_wallet::{
    Deposit, DepositState, DepositStatus, Outflow, PaymentHash, Reserves, Withdrawal, WithdrawalState,
    WithdrawalStatus,
};

use super::MemoryStore;
use super::state::{State, broken};
use super::tx::MemoryTx;

impl Deposits for MemoryTx {
    fn insert(&mut self, deposit: &Deposit) -> Result<()> {
        let same = |known: &Deposit| known.payment_hash == deposit.payment_hash || known.id == deposit.id;
        if self.state.deposits.values().any(same) {
            return Err(broken(format!("there is a deposit of {}", deposit.payment_hash)));
        }
        self.state.deposits.insert(deposit.id, deposit.clone());
        Ok(())
    }

    fn lock(&mut self, id: DepositId) -> Result<Option<Deposit>> {
        Ok(self.state.deposits.get(&id).cloned())
    }

    fn update(&mut self, deposit: &Deposit) -> Result<()> {
        match self.state.deposits.get_mut(&deposit.id) {
            Some(known) if !matches!(known.state, DepositState::Paid(_)) => {
                *known = deposit.clone();
                Ok(())
            }
            Some(_) | None => Err(broken(format!("no deposit {} that is not paid", deposit.id))),
        }
    }

    fn open_invoices(&mut self, user: UserId, now: Timestamp) -> Result<OpenInvoices> {
        let own = self.state.deposits.values().filter(|deposit| deposit.user == user);
        let open = own.filter(|deposit| deposit.status(now) == DepositStatus::Pending);
        let expiries: Vec<Timestamp> = open.map(|deposit| deposit.expires_at).collect();
        Ok(OpenInvoices {
            count: u32::try_from(expiries.len()).unwrap_or(u32::MAX),
            next_expiry: expiries.into_iter().min(),
        })
    }

    fn is_ours(&mut self, hash: PaymentHash) -> Result<bool> {
        Ok(self.state.deposits.values().any(|deposit| deposit.payment_hash == hash))
    }
}

impl Withdrawals for MemoryTx {
    fn insert(&mut self, withdrawal: &Withdrawal) -> Result<bool> {
        let hash = withdrawal.outgoing.payment_hash;
        if self.state.withdrawals.iter().any(|known| known.outgoing.payment_hash == hash) {
            return Ok(false);
        }
        self.state.withdrawals.push(withdrawal.clone());
        Ok(true)
    }

    fn lock(&mut self, id: WithdrawalId) -> Result<Option<Withdrawal>> {
        Ok(self.state.withdrawals.iter().find(|known| known.id == id).cloned())
    }

    fn attempts(&mut self, id: WithdrawalId) -> Result<u32> {
        Ok(Withdrawals::lock(self, id)?.map_or(0, |known| known.attempts()))
    }

    fn update(&mut self, withdrawal: &Withdrawal) -> Result<()> {
        let known = self.state.withdrawals.iter_mut().find(|known| known.id == withdrawal.id);
        match known {
            Some(known) if known.next_at().is_some() => {
                *known = withdrawal.clone();
                Ok(())
            }
            Some(_) | None => Err(broken(format!("no withdrawal {} that has not ended", withdrawal.id))),
        }
    }

    fn any_sending(&mut self) -> Result<bool> {
        Ok(self.state.withdrawals.iter().any(|known| known.status() == WithdrawalStatus::Sending))
    }

    fn calls_under_way(&mut self, now: Timestamp) -> Result<u32> {
        let under_way = |known: &&Withdrawal| known.next_at().is_some() && known.call_until(now).is_some();
        Ok(u32::try_from(self.state.withdrawals.iter().filter(under_way).count()).unwrap_or(u32::MAX))
    }

    fn in_flight(&mut self, user: UserId) -> Result<u32> {
        let open = |known: &&Withdrawal| known.user == user && known.next_at().is_some();
        Ok(u32::try_from(self.state.withdrawals.iter().filter(open).count()).unwrap_or(u32::MAX))
    }

    fn withdrawn(&mut self, user: UserId, since: Timestamp) -> Result<i64> {
        let own = self.state.withdrawn_since(since).filter(|(owner, _)| *owner == user);
        Ok(own.map(|(_, units)| units).sum())
    }

    fn outflow(&mut self, user: UserId, since: Timestamp) -> Result<Outflow> {
        let deposited = self.state.deposits.values().filter_map(|deposit| match &deposit.state {
            DepositState::Paid(receipt) if receipt.at >= since => {
                Some((deposit.user, -receipt.credited().get()))
            }
            DepositState::Open { .. } | DepositState::Lapsed | DepositState::Paid(_) => None,
        });
        let mut nets: BTreeMap<UserId, i64> = BTreeMap::new();
        for (owner, units) in self.state.withdrawn_since(since).chain(deposited) {
            *nets.entry(owner).or_default() += units;
        }
        let own = nets.get(&user).copied().unwrap_or_default();
        Ok(Outflow { own, all: nets.into_values().filter(|net| *net > 0).sum() })
    }
}

impl WalletQueries for MemoryStore {
    fn deposit(&self, id: DepositId) -> Result<Option<Deposit>> {
        Ok(self.state().deposits.get(&id).cloned())
    }

    fn deposit_of(&self, hash: PaymentHash) -> Result<Option<Deposit>> {
        Ok(self.state().deposits.values().find(|known| known.payment_hash == hash).cloned())
    }

    fn paid_deposits(&self, since: Timestamp) -> Result<Vec<Deposit>> {
        let state = self.state();
        let is_meant =
            |known: &&Deposit| matches!(known.state, DepositState::Paid(_)) && known.created_at >= since;
        let mut paid: Vec<Deposit> = state.deposits.values().filter(is_meant).cloned().collect();
        paid.sort_by_key(|known| std::cmp::Reverse(known.created_at));
        Ok(paid)
    }

    fn due_deposits(&self, now: Timestamp, limit: u32) -> Result<Vec<DepositId>> {
        let state = self.state();
        let next = |deposit: &Deposit| match deposit.state {
            DepositState::Open { next_check_at, .. } => Some((next_check_at, deposit.id)),
            DepositState::Lapsed | DepositState::Paid(_) => None,
        };
        let mut due: Vec<_> =
            state.deposits.values().filter_map(next).filter(|(at, _)| at.is_due(now)).collect();
        due.sort_unstable();
        Ok(due.into_iter().take(limit as usize).map(|(_, id)| id).collect())
    }

    fn open_deposits_expiring_after(&self, then: Timestamp) -> Result<Vec<Deposit>> {
        let state = self.state();
        let is_meant = |deposit: &&Deposit| {
            matches!(deposit.state, DepositState::Open { .. }) && deposit.expires_at > then
        };
        Ok(state.deposits.values().filter(is_meant).cloned().collect())
    }

    fn open_deposits_expired_before(&self, then: Timestamp) -> Result<u64> {
        let state = self.state();
        let is_meant = |deposit: &&Deposit| {
            matches!(deposit.state, DepositState::Open { .. }) && deposit.expires_at < then
        };
        Ok(state.deposits.values().filter(is_meant).count() as u64)
    }

    fn withdrawal(&self, id: WithdrawalId) -> Result<Option<Withdrawal>> {
        Ok(self.state().withdrawals.iter().find(|known| known.id == id).cloned())
    }

    fn withdrawal_of(&self, hash: PaymentHash) -> Result<Option<Withdrawal>> {
        Ok(self.state().withdrawals.iter().find(|known| known.outgoing.payment_hash == hash).cloned())
    }

    fn refunded_after_attempts(&self, since: Timestamp, limit: u32) -> Result<Vec<Withdrawal>> {
        let state = self.state();
        let refunded_at = |known: &Withdrawal| match &known.state {
            WithdrawalState::Refunded { at, .. } if known.attempts() > 0 && *at >= since => Some(*at),
            WithdrawalState::Held
            | WithdrawalState::Sending { .. }
            | WithdrawalState::Paid { .. }
            | WithdrawalState::Refunded { .. } => None,
        };
        let mut refunded: Vec<_> =
            state.withdrawals.iter().filter_map(|known| Some((refunded_at(known)?, known))).collect();
        refunded.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Ok(refunded.into_iter().take(limit as usize).map(|(_, known)| known.clone()).collect())
    }

    fn withdrawals_of(&self, user: UserId, page: PageRequest) -> Result<Page<Withdrawal>> {
        let state = self.state();
        Ok(cut(numbered(&state).filter(|(_, known)| known.user == user).collect(), page, Withdrawal::clone))
    }

    fn withdrawals(
        &self,
        status: Option<WithdrawalStatus>,
        page: PageRequest,
    ) -> Result<Page<WithdrawalView>> {
        let state = self.state();
        let shown = |known: &Withdrawal| status.is_none_or(|status| known.status() == status);
        let view = |withdrawal: &Withdrawal| WithdrawalView {
            withdrawal: withdrawal.clone(),
            email: state.users.get(&withdrawal.user).map(|row| row.email.clone()).unwrap_or_default(),
        };
        Ok(cut(numbered(&state).filter(|(_, known)| shown(known)).collect(), page, view))
    }

    fn due_withdrawals(&self, now: Timestamp, limit: u32) -> Result<Vec<WithdrawalId>> {
        let state = self.state();
        let older_of_the_user = |known: &Withdrawal| {
            let open = state.withdrawals.iter().filter(|other| other.next_at().is_some());
            open.filter(|other| other.user == known.user && other.created_at < known.created_at).count()
        };
        // `false` sorts before `true`: first withdrawals in `sending`, then held ones whose invoice has expired.
        let next = |known: &Withdrawal| {
            let is_held = known.status() == WithdrawalStatus::Held;
            let is_to_be_sent = is_held && known.outgoing.expires_at > now;
            let at = known.next_at().filter(|at| at.is_due(now))?;
            Some(((is_held, is_to_be_sent, older_of_the_user(known), at), known.id))
        };
        let mut due: Vec<_> = state.withdrawals.iter().filter_map(next).collect();
        due.sort_unstable();
        Ok(due.into_iter().take(limit as usize).map(|(_, id)| id).collect())
    }

    fn history(&self, user: UserId, page: PageRequest) -> Result<Page<Movement>> {
        let state = self.state();
        let own = Currency::ALL.map(|currency| Account::Available(user, currency));
        let is_own = |transfer: &Transfer| own.contains(&transfer.from()) || own.contains(&transfer.to());
        let numbered = (1..).zip(state.book.transfers()).filter(|(_, transfer)| is_own(transfer));
        let rows = numbered.map(|(seq, transfer)| (seq, (seq, transfer))).collect();
        Ok(cut(rows, page, |(seq, transfer)| state.movement(seq, transfer, &own)))
    }

    fn reserves(&self) -> Result<Reserves> {
        let state = self.state();
        let counts = |account: &&Account| {
            account.currency() == Currency::Sats
                && matches!(account, Account::Available(..) | Account::Escrow(..) | Account::Hold(_))
        };
        let owed: i64 =
            state.accounts.iter().filter(counts).map(|account| state.book.balance(*account)).sum();
        let sending = |known: &&Withdrawal| known.status() == WithdrawalStatus::Sending;
        let in_flight: i64 = state.withdrawals.iter().filter(sending).map(|known| known.held().get()).sum();
        let amount = |units| Amount::new(units).map_err(|error| broken(error.to_string()));
        Ok(Reserves { owed: amount(owed)?, in_flight: amount(in_flight)? })
    }

    fn setting(&self, name: &str) -> Result<Option<String>> {
        Ok(self.state().settings.get(name).cloned())
    }
}

fn numbered(state: &State) -> impl Iterator<Item = (i64, &Withdrawal)> {
    (1..).zip(state.withdrawals.iter())
}

/// The page of the rows after the cursor, latest first.
pub(super) fn cut<R, T>(mut rows: Vec<(i64, R)>, page: PageRequest, show: impl Fn(R) -> T) -> Page<T> {
    let before = page.after.map_or(i64::MAX, |cursor| cursor.seq);
    rows.retain(|(seq, _)| *seq < before);
    rows.reverse();
    let more = rows.len() > page.limit as usize;
    rows.truncate(page.limit as usize);
    let last = rows.last().map(|(seq, _)| Cursor { key: 0, seq: *seq });
    Page { items: rows.into_iter().map(|(_, row)| show(row)).collect(), next: last.filter(|_| more) }
}

impl State {
    /// The user and the amount in sats of each withdrawal since `since` that was not refunded.
    fn withdrawn_since(&self, since: Timestamp) -> impl Iterator<Item = (UserId, i64)> {
        let counts = move |known: &&Withdrawal| {
            known.created_at >= since && known.status() != WithdrawalStatus::Refunded
        };
        self.withdrawals.iter().filter(counts).map(|known| (known.user, known.amount().get()))
    }

    fn movement(&self, seq: i64, transfer: &Transfer, own: &[Account]) -> Movement {
        let bet = match transfer.subject() {
            Subject::Bet(id) => self.bets.get(&id).map(|row| MovedFor {
                id,
                title: row.bet.terms.title.to_string(),
                has_page: self.find(&BetKey::Id(id)).is_some(),
            }),
            Subject::None | Subject::Deposit(_) | Subject::Withdrawal(_) => None,
        };
        let deposit = if let Subject::Deposit(id) = transfer.subject() { Some(id) } else { None };
        let withdrawal = if let Subject::Withdrawal(id) = transfer.subject() { Some(id) } else { None };
        Movement {
            seq,
            at: transfer.at(),
            kind: transfer.kind(),
            money: transfer.money(),
            is_incoming: own.contains(&transfer.to()),
            bet,
            deposit,
            withdrawal,
        }
    }
}
