//! The deletion of an account (`docs/product.md#deletion`).

use super::arbiter::Task;
use super::{HOUR, Verdict, World, refused, refused_on};

impl World {
    /// What keeps a user from deleting the account: the kinds in the order of `docs/http-api.md`, with their counts.
    pub fn obstacles(&self, user: usize) -> Vec<(&'static str, i64)> {
        let one = &self.users[user];
        let staked = |is_disputed: bool| {
            let own = self.bets.iter().filter(|bet| bet.is_open() && bet.is_party(user));
            own.filter(|bet| bet.is_disputed() == is_disputed).count()
        };
        let tasks =
            self.bets.iter().filter(|bet| bet.is_open() && bet.arbiter == Some((user, Task::Accepted)));
        let withdrawals = self.withdrawals.iter().filter(|one| one.user == user && one.is_open());
        let deposits = self.deposits.iter().filter(|one| one.user == user && one.is_asked_about());
        let left = (one.cooldown_until - self.now).max(0);
        let has_colleague = self.users.iter().enumerate().any(|(other, one)| other != user && one.is_admin);
        let counts = [
            ("open_bets", staked(false) as i64),
            ("disputed_bets", staked(true) as i64),
            ("arbiter_tasks", tasks.count() as i64),
            ("withdrawals", withdrawals.count() as i64),
            ("open_deposits", deposits.count() as i64),
            ("sats", one.sats),
            ("cooldown", (left + HOUR - 1) / HOUR),
            ("last_admin", i64::from(one.is_admin && !has_colleague)),
        ];
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    pub(super) fn delete_account(&mut self, user: usize, is_right: bool) -> Verdict {
        if !is_right {
            return refused_on("invalid_fields", "password");
        }
        if !self.obstacles(user).is_empty() {
            return refused("account_in_use");
        }
        for bet in 0..self.bets.len() {
            let is_invited = |world: &Self| {
                world.bets[bet].is_open() && world.bets[bet].arbiter == Some((user, Task::Invited))
            };
            if is_invited(self) {
                self.apply_due(bet);
            }
            if is_invited(self) {
                self.take_task(user, bet, Task::Declined);
            }
        }
        self.revoke_keys(user);
        self.answers.retain(|(owner, _, _), _| *owner != user);
        let one = &mut self.users[user];
        one.is_gone = true;
        one.is_admin = false;
        one.bolts = 0;
        one.news.clear();
        Ok(())
    }
}
