//! What must hold when a simulated site has come to rest.

use std::collections::{BTreeMap, HashSet};

use bolts_bets::State;
use bolts_ledger::{Subject, Transfer};
use bolts_ports::{Audit, BetView, Cursor, PageRequest, Queries, WalletQueries};
use bolts_wallet::{DepositState, WithdrawalStatus};

use super::World;
use super::node::{FLOAT, Truth};

/// All pages of a list.
fn all<T>(page: impl Fn(PageRequest) -> bolts_ports::Result<bolts_ports::Page<T>>) -> Vec<T> {
    let (mut items, mut after): (Vec<T>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let found = page(PageRequest { limit: 100, after }).expect("a readable list");
        items.extend(found.items);
        after = found.next;
        if after.is_none() {
            return items;
        }
    }
}

impl World {
    /// What must not be, in words.
    pub(super) fn what_is_wrong(&mut self) -> Vec<String> {
        self.note_acknowledged();
        let mut wrong = std::mem::take(&mut self.crowd.borrow_mut().complaints);
        wrong.append(&mut self.shared.node.books().complaints);
        let checks = self.store.audit().expect("a readable store");
        wrong.extend(checks.into_iter().flat_map(|check| check.violations));
        let totals = self.store.totals().expect("a readable store");
        let mut sums: BTreeMap<String, i64> = BTreeMap::new();
        for total in totals {
            *sums.entry(total.currency.to_string()).or_default() += total.balance;
        }
        let off = sums.into_iter().filter(|(_, sum)| *sum != 0);
        wrong.extend(off.map(|(currency, sum)| format!("the sum of all {currency} is {sum}")));
        self.judge_bets(&mut wrong);
        self.judge_withdrawals(&mut wrong);
        self.judge_deposits(&mut wrong);
        self.judge_sats(&mut wrong);
        wrong
    }

    fn judge_bets(&self, wrong: &mut Vec<String>) {
        let bets: Vec<BetView> = all(|page| self.store.all_bets(None, page));
        for view in &bets {
            if !matches!(view.bet.state, State::Resolved { .. } | State::Cancelled { .. }) {
                wrong.push(format!("the bet {} is still {}", view.bet.id, view.bet.status()));
            }
        }
        let mut titles: BTreeMap<String, u32> = BTreeMap::new();
        for view in &bets {
            *titles.entry(view.bet.terms.title.to_string()).or_default() += 1;
        }
        let doubled = titles.into_iter().filter(|(_, count)| *count > 1);
        wrong.extend(doubled.map(|(title, count)| format!("{count} bets from one request: {title}")));
        // A deleted bet is on no list, and its transfers stay.
        let staked: HashSet<Subject> = self.store.transfers().iter().map(Transfer::subject).collect();
        for id in &self.acknowledged {
            if !staked.contains(&Subject::Bet(*id)) {
                wrong.push(format!("the bet {id} was acknowledged and is lost"));
            }
        }
    }

    fn judge_withdrawals(&self, wrong: &mut Vec<String>) {
        let withdrawals = all(|page| self.store.withdrawals(None, page));
        for one in withdrawals.iter().map(|view| &view.withdrawal) {
            let truth = self.shared.node.truth(one.outgoing.payment_hash);
            let fits = match one.status() {
                WithdrawalStatus::Paid => matches!(truth, Truth::Paid { .. }),
                WithdrawalStatus::Refunded => !matches!(truth, Truth::Paid { .. } | Truth::InFlight),
                WithdrawalStatus::Held | WithdrawalStatus::Sending => false,
            };
            if !fits {
                wrong.push(format!(
                    "the withdrawal {} is {:?}, and the truth is {truth:?}",
                    one.id, one.state
                ));
            }
        }
    }

    fn judge_deposits(&self, wrong: &mut Vec<String>) {
        let books = self.shared.node.books();
        for (hash, one) in books.incoming.iter().filter(|(_, one)| one.received.is_some()) {
            let deposit = self.store.deposit_of(*hash).expect("a readable store");
            match deposit.map(|deposit| deposit.state) {
                Some(DepositState::Paid(receipt)) if Some(receipt.received.get()) == one.received => {}
                state => wrong
                    .push(format!("the deposit {} got {:?} and is {state:?}", one.owner.id, one.received)),
            }
        }
    }

    /// The provider holds the users' sats. Without a restore, it holds nothing else but the operator's own sats and
    /// less than 2 sats for each deposit and withdrawal, from rounding.
    fn judge_sats(&self, wrong: &mut Vec<String>) {
        let owed = self.store.reserves().expect("a readable store").owed.get();
        let held = self.shared.node.holdings_msat() - FLOAT * 1_000;
        let movements = self.store.transfers().len() as i64;
        let rest = held - owed * 1_000;
        if self.has_been_restored {
            return;
        }
        if rest < 0 || rest > movements * 2_000 {
            wrong.push(format!("the users have {owed} sats, and the provider holds {held} msat for them"));
        }
    }
}
