use bolts_bets::{Bet, State as BetState};
use std::collections::BTreeMap;

use bolts_kernel::{Currency, Money, UserId};
use bolts_ledger::{Account, Transfer};
use bolts_ports::{Audit, Check, Result, Total};

use super::MemoryStore;
use super::state::State;

impl Audit for MemoryStore {
    /// Checks invariants 1 to 5 (`docs/ledger.md#invariants`). The other invariants are not checked: they are
    /// about deposits, withdrawals, rewards and statistics.
    fn audit(&self) -> Result<Vec<Check>> {
        let state = self.state();
        Ok(vec![
            Check {
                name: "accounts sum to 0, equal their transfers and are not overdrawn",
                counted: state.accounts.len() as u64,
                violations: state.book.violations(),
            },
            state.check_bets("escrow holds the stakes of open bets", State::escrow_violation),
            state.check_bets("settled bets paid out their escrow once", State::payout_violation),
        ])
    }

    fn totals(&self) -> Result<Vec<Total>> {
        let state = self.state();
        let mut totals: BTreeMap<(&str, Currency), i64> = BTreeMap::new();
        for account in state.accounts.iter().copied().chain(Account::of_the_system()) {
            *totals.entry((account.kind(), account.currency())).or_default() += state.book.balance(account);
        }
        let total = |((kind, currency), balance): ((&str, Currency), i64)| Total {
            kind: kind.to_owned(),
            currency,
            balance,
        };
        Ok(totals.into_iter().map(total).collect())
    }
}

impl State {
    fn check_bets(&self, name: &'static str, check: fn(&Self, &Bet) -> Option<String>) -> Check {
        let violations = self.bets.values().filter_map(|row| check(self, &row.bet)).collect();
        Check { name, counted: self.bets.len() as u64, violations }
    }

    fn escrow_violation(&self, bet: &Bet) -> Option<String> {
        let (held, due) = (self.book.balance(escrow(bet)), bet.escrowed().get());
        (held != due).then(|| format!("the bet {} holds {held} instead of {due}", bet.id))
    }

    fn payout_violation(&self, bet: &Bet) -> Option<String> {
        let leaves = |transfer: &&Transfer| transfer.from() == escrow(bet);
        let paid = self.book.transfers().iter().filter(leaves);
        let mut paid: Vec<_> = paid.map(|transfer| (transfer.to(), transfer.money().amount.get())).collect();
        let mut due = payouts(bet);
        paid.sort_unstable();
        due.sort_unstable();
        (paid != due).then(|| format!("the bet {} paid {paid:?} instead of {due:?}", bet.id))
    }
}

fn escrow(bet: &Bet) -> Account {
    Account::Escrow(bet.id, bet.terms.stake.currency)
}

/// The accounts and amounts that must have received the bet's escrow. Empty while the bet is open.
fn payouts(bet: &Bet) -> Vec<(Account, i64)> {
    let to = |(user, due): (UserId, Money)| (Account::Available(user, due.currency), due.amount.get());
    match &bet.state {
        BetState::Pending | BetState::Accepted(_) | BetState::AwaitingResolution(_) => Vec::new(),
        BetState::Resolved { .. } => bet.winner().map(|winner| to((winner, bet.pot()))).into_iter().collect(),
        BetState::Cancelled { .. } => bet.stakes().into_iter().map(to).collect(),
    }
}
