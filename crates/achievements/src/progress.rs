//! The progress of a user towards an achievement, and the achievements that a user unlocks.

use crate::catalogue::{Achievement, CATALOGUE, Condition};

/// The figures of a user that achievements depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The number of bets that the user created or accepted. Deleted bets and bets that were cancelled before
    /// acceptance do not count.
    pub total_bets: i64,
    /// The number of bets that the user won, in both currencies.
    pub wins: i64,
    /// The number of wins since the last loss, among resolved bets in the order of their creation.
    pub win_streak: i64,
    /// The number of sats that the user won from opponents.
    pub total_winnings_sats: i64,
}

/// The longest streak that an achievement asks for. A caller may stop counting wins there.
pub const LONGEST_STREAK: i64 = longest_streak();

const fn longest_streak() -> i64 {
    let (mut longest, mut next) = (0, 0);
    while next < CATALOGUE.len() {
        if let Condition::WinStreak(target) = CATALOGUE[next].condition
            && target > longest
        {
            longest = target;
        }
        next += 1;
    }
    longest
}

impl Figures {
    /// The figure that this condition depends on.
    pub const fn of(&self, condition: Condition) -> i64 {
        match condition {
            Condition::TotalBets(_) => self.total_bets,
            Condition::Wins(_) => self.wins,
            Condition::WinStreak(_) => self.win_streak,
            Condition::TotalWinnings(_) => self.total_winnings_sats,
        }
    }
}

/// The progress of a user towards an achievement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The current value of the figure.
    pub current: i64,
    /// The target of the figure, at least 1.
    pub target: i64,
    /// `current / target × 100`, from 0 to 100.
    pub percentage: f64,
}

impl Achievement {
    /// The progress of a user with these figures.
    pub fn progress(&self, figures: &Figures) -> Progress {
        let (current, target) = (figures.of(self.condition), self.condition.target().max(1));
        // Both numbers are far below 2^53, so the conversion to `f64` is exact.
        let percentage = (current as f64 / target as f64 * 100.0).clamp(0.0, 100.0);
        Progress { current, target, percentage }
    }

    /// Whether a user with these figures has reached the target.
    pub fn is_reached(&self, figures: &Figures) -> bool {
        figures.of(self.condition) >= self.condition.target().max(1)
    }
}

/// The achievements that are not in `unlocked`, in the order of the catalogue. `unlocked` may name achievements
/// that are no longer in the catalogue.
pub fn locked(unlocked: &[String]) -> impl Iterator<Item = &'static Achievement> {
    CATALOGUE.iter().filter(|achievement| !unlocked.iter().any(|id| id == achievement.id))
}

/// The achievements that a user with these figures has reached and that are not in `unlocked`, in the order of the
/// catalogue.
pub fn newly_unlocked(figures: &Figures, unlocked: &[String]) -> Vec<&'static Achievement> {
    locked(unlocked).filter(|achievement| achievement.is_reached(figures)).collect()
}

/// The number of wins before the first loss in `results`. `results` has one value for each resolved bet of a user,
/// newest bet first: `true` if the user won.
pub fn win_streak(results: impl IntoIterator<Item = bool>) -> i64 {
    results.into_iter().take_while(|won| *won).fold(0, |streak, _| streak + 1)
}
