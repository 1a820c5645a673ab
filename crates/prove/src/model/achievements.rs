//! Statistics and achievements, from the tables of `docs/product.md`.

use super::bet::Phase;
use super::{Money, Verdict, World, refused, refused_on};

/// The figure that an achievement depends on.
#[derive(Clone, Copy, Debug)]
enum Figure {
    Bets,
    Wins,
    Streak,
    SatsWon,
}

/// The id of each achievement, its figure, its target and its reward in Bolts.
const TABLE: [(&str, Figure, i64, i64); 9] = [
    ("first_bet", Figure::Bets, 1, 100),
    ("high_roller", Figure::Bets, 10, 500),
    ("betting_master", Figure::Bets, 50, 2_000),
    ("first_win", Figure::Wins, 1, 200),
    ("win_streak_3", Figure::Streak, 3, 750),
    ("win_streak_5", Figure::Streak, 5, 1_500),
    ("win_streak_10", Figure::Streak, 10, 5_000),
    ("big_win", Figure::SatsWon, 10_000, 1_000),
    ("whale", Figure::SatsWon, 100_000, 10_000),
];

/// The longest streak that an achievement asks for. A longer one is not counted.
const LONGEST_STREAK: usize = 10;

/// The ids of the achievements.
pub const ACHIEVEMENTS: [&str; 9] = [
    TABLE[0].0, TABLE[1].0, TABLE[2].0, TABLE[3].0, TABLE[4].0, TABLE[5].0, TABLE[6].0, TABLE[7].0,
    TABLE[8].0,
];

/// The statistics of a user in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Figures {
    pub total_bets: i64,
    pub active_bets: i64,
    pub wins: i64,
    pub losses: i64,
    pub winnings: i64,
    pub losings: i64,
    pub best_win: i64,
    pub biggest_loss: i64,
}

impl World {
    /// The statistics of a user. Deleted bets and bets that were cancelled before anybody accepted them do not count.
    pub fn figures(&self, user: usize, currency: Money) -> Figures {
        let mut sum = Figures::default();
        for bet in
            self.bets.iter().filter(|bet| !bet.is_deleted && bet.currency == currency && bet.is_party(user))
        {
            match bet.phase {
                Phase::Cancelled(_) if bet.acceptor.is_none() => continue,
                Phase::Cancelled(_) => {}
                Phase::Pending | Phase::Accepted | Phase::Awaiting => sum.active_bets += 1,
                Phase::Resolved(winner) if winner == user => {
                    sum.wins += 1;
                    let won = bet.pot() - bet.stake_of(user);
                    sum.winnings += won;
                    sum.best_win = sum.best_win.max(won);
                }
                Phase::Resolved(_) => {
                    sum.losses += 1;
                    let lost = bet.stake_of(user);
                    sum.losings += lost;
                    sum.biggest_loss = sum.biggest_loss.max(lost);
                }
            }
            sum.total_bets += 1;
        }
        sum
    }

    fn streak(&self, user: usize) -> i64 {
        let results = self.bets.iter().rev().filter(|bet| !bet.is_deleted && bet.is_party(user));
        let won = results.filter_map(|bet| match bet.phase {
            Phase::Resolved(winner) => Some(winner == user),
            Phase::Pending | Phase::Accepted | Phase::Awaiting | Phase::Cancelled(_) => None,
        });
        won.take(LONGEST_STREAK).take_while(|won| *won).count() as i64
    }

    /// The current figure of each achievement.
    pub fn progress(&self, user: usize) -> Vec<i64> {
        let (bolts, sats) = (self.figures(user, Money::Bolts), self.figures(user, Money::Sats));
        let current = |(_, figure, _, _): &(_, Figure, _, _)| match figure {
            Figure::Bets => bolts.total_bets + sats.total_bets,
            Figure::Wins => bolts.wins + sats.wins,
            Figure::Streak => self.streak(user),
            Figure::SatsWon => sats.winnings,
        };
        TABLE.iter().map(current).collect()
    }

    /// Unlocks what the user has reached. Only a win can extend a streak.
    pub(super) fn unlock(&mut self, user: usize, is_win: bool) {
        let progress = self.progress(user);
        for (place, ((_, figure, target, _), current)) in TABLE.iter().zip(progress).enumerate() {
            let counts = is_win || !matches!(figure, Figure::Streak);
            if counts && current >= *target && self.users[user].unlocked.insert(place) {
                self.tell_alone(user, "Achievement Unlocked", Vec::new());
            }
        }
    }

    /// A claim also unlocks what is reached but not unlocked, for example because a lost bet of a streak was deleted.
    pub(super) fn claim(&mut self, user: usize, achievement: usize) -> Verdict {
        let Some((_, _, target, reward)) = TABLE.get(achievement) else {
            return refused_on("invalid_fields", "achievementId");
        };
        if !self.users[user].unlocked.contains(&achievement) {
            if self.progress(user)[achievement] < *target {
                return refused("achievement_locked");
            }
            self.unlock(user, true);
        }
        let user = &mut self.users[user];
        if user.claimed.insert(achievement) {
            user.bolts += reward;
        }
        Ok(())
    }
}
