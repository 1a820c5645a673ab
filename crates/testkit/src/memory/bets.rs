use bolts_bets::{ArbiterStatus, Bet, Change, Status, Visibility};
use bolts_kernel::{BetId, UserId};
use bolts_ports::{BetKey, BetView, Bets, Result};

use super::state::{BetRow, broken};
use super::tx::MemoryTx;

impl MemoryTx {
    fn lock_by(&mut self, key: &BetKey) -> Option<Bet> {
        let bet = self.state.find(key)?.bet.clone();
        self.locked.insert(bet.id);
        Some(bet)
    }

    /// Makes the checks that a database makes with its unique keys and foreign keys.
    fn check_new(&self, bet: &Bet) -> Result<()> {
        if !self.state.users.contains_key(&bet.creator) {
            return Err(broken(format!("no user {}", bet.creator)));
        }
        if bet.arbiter.is_some_and(|arbiter| {
            bet.party(arbiter.user).is_some() || !self.state.users.contains_key(&arbiter.user)
        }) {
            return Err(broken(format!("the arbiter of the bet {} cannot be its arbiter", bet.id)));
        }
        if self.state.bets.contains_key(&bet.id) {
            return Err(broken(format!("there is a bet {}", bet.id)));
        }
        let same = |other: &BetRow| match (&other.bet.terms.visibility, &bet.terms.visibility) {
            (Visibility::Private(one), Visibility::Private(other)) => one == other,
            (Visibility::Public, _) | (_, Visibility::Public) => false,
        };
        if self.state.bets.values().any(same) {
            return Err(broken("there is a bet behind that link"));
        }
        Ok(())
    }
}

impl Bets for MemoryTx {
    fn lock(&mut self, id: BetId) -> Result<Option<Bet>> {
        Ok(self.lock_by(&BetKey::Id(id)))
    }

    fn lock_to_stake(&mut self, key: &BetKey, _: UserId) -> Result<Option<Bet>> {
        Ok(self.lock_by(key))
    }

    fn insert(&mut self, created: &Change) -> Result<()> {
        let bet = created.bet.clone();
        self.check_new(&bet)?;
        let last = self.state.bets.values().map(|row| row.seq).max();
        let events = created.event.iter().cloned().collect();
        self.locked.insert(bet.id);
        self.state.bets.insert(bet.id, BetRow { seq: last.unwrap_or(0) + 1, bet, events });
        Ok(())
    }

    fn update(&mut self, change: &Change) -> Result<()> {
        let id = change.bet.id;
        if !self.locked.contains(&id) {
            return Err(broken(format!("the bet {id} was not locked")));
        }
        let row = self.state.bets.get_mut(&id).filter(|row| row.bet.deletion.is_none());
        let row = row.ok_or_else(|| broken(format!("no bet {id}")))?;
        row.bet = change.bet.clone();
        row.events.extend(change.event.clone());
        Ok(())
    }

    fn depends_on(&mut self, user: UserId, other: UserId) -> Result<bool> {
        let is_held = |bet: &Bet| matches!(bet.status(), Status::Accepted | Status::AwaitingResolution);
        let is_open = |bet: &Bet| bet.status() == Status::Pending || is_held(bet);
        let may_rule = |bet: &Bet| {
            let task = bet.arbiter_named(other).map(|arbiter| arbiter.status);
            matches!(task, Some(ArbiterStatus::Invited | ArbiterStatus::Accepted))
        };
        let depends = |bet: &Bet| {
            let is_opponent = is_held(bet) && bet.party(other).is_some();
            bet.party(user).is_some() && (is_opponent || is_open(bet) && may_rule(bet))
        };
        Ok(user != other && self.state.live_bets().any(|row| depends(&row.bet)))
    }

    fn named(&mut self, bet: Bet) -> Result<BetView> {
        self.state.named(bet)
    }
}
