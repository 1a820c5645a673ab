use bolts_bets::State as BetState;
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Achievements, Result, Standing, Unlocked};

use super::state::State;
use super::tx::MemoryTx;

impl Achievements for MemoryTx {
    fn unlocked(&mut self, user: UserId) -> Result<Vec<Unlocked>> {
        Ok(self.state.unlocked.get(&user).cloned().unwrap_or_default())
    }

    fn unlock(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool> {
        let own = self.state.unlocked.entry(user).or_default();
        if own.iter().any(|unlocked| unlocked.achievement == achievement) {
            return Ok(false);
        }
        own.push(Unlocked { achievement: achievement.to_owned(), unlocked_at: at, claimed_at: None });
        own.sort_by(|a, b| (a.unlocked_at, &a.achievement).cmp(&(b.unlocked_at, &b.achievement)));
        Ok(true)
    }

    fn claim(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool> {
        let own = self.state.unlocked.entry(user).or_default();
        let claimable =
            |unlocked: &&mut Unlocked| unlocked.achievement == achievement && unlocked.claimed_at.is_none();
        Ok(own.iter_mut().find(claimable).map(|unlocked| unlocked.claimed_at = Some(at)).is_some())
    }

    fn standing(&mut self, user: UserId) -> Result<Standing> {
        let mut unlocked: Vec<String> = self.unlocked(user)?.into_iter().map(|one| one.achievement).collect();
        unlocked.sort_unstable();
        Ok(Standing { stats: self.state.stats(user), unlocked })
    }

    fn latest_results(&mut self, user: UserId, count: i64) -> Result<Vec<bool>> {
        let mut results = self.state.results(user);
        results.truncate(usize::try_from(count).unwrap_or(0));
        Ok(results)
    }
}

impl State {
    /// The results of the user's resolved bets, newest bet first. `true` means that the user won.
    pub(super) fn results(&self, user: UserId) -> Vec<bool> {
        let resolved = |row: &&super::state::BetRow| matches!(row.bet.state, BetState::Resolved { .. });
        let own = self.live_bets().filter(|row| row.bet.party(user).is_some()).filter(resolved);
        let mut own: Vec<_> = own.map(|row| (row.seq, row.bet.winner() == Some(user))).collect();
        own.sort_unstable_by_key(|(seq, _)| -seq);
        own.into_iter().map(|(_, won)| won).collect()
    }
}
