use crate::catalogue::{Achievement, CATALOGUE, Condition};

/// The longest streak that anything asks for: older bets need not be looked at.
pub const MAX_STREAK: i64 = 10;

/// What a user has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Bets made or accepted; deleted ones and those cancelled before acceptance left out.
    pub total_bets: i64,
    /// Bets won, in both currencies.
    pub wins: i64,
    /// Consecutive wins among resolved bets, newest first by creation; may be cut at [`MAX_STREAK`].
    pub win_streak: i64,
    /// Sats won from opponents.
    pub total_winnings_sats: i64,
}

impl Figures {
    /// The figure that a condition counts.
    pub const fn of(&self, condition: Condition) -> i64 {
        match condition {
            Condition::TotalBets(_) => self.total_bets,
            Condition::Wins(_) => self.wins,
            Condition::WinStreak(_) => self.win_streak,
            Condition::TotalWinnings(_) => self.total_winnings_sats,
        }
    }
}

/// How far a user has come with an achievement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The figure so far.
    pub current: i64,
    /// The figure to be reached; at least 1.
    pub target: i64,
    /// `current / target × 100`, from 0 to 100.
    pub percentage: f64,
}

impl Achievement {
    /// How far these figures have come.
    pub fn progress(&self, figures: &Figures) -> Progress {
        let (current, target) = (figures.of(self.condition), self.condition.target().max(1));
        // Both are far below 2^53, so the conversion is exact.
        let percentage = (current as f64 / target as f64 * 100.0).clamp(0.0, 100.0);
        Progress { current, target, percentage }
    }

    /// Whether these figures reach it.
    pub fn is_reached(&self, figures: &Figures) -> bool {
        figures.of(self.condition) >= self.condition.target().max(1)
    }
}

/// What these figures unlock beyond what is unlocked already, in the order of the catalogue.
pub fn newly_unlocked(figures: &Figures, unlocked: &[String]) -> Vec<&'static Achievement> {
    let is_new = |achievement: &&Achievement| !unlocked.iter().any(|id| id == achievement.id);
    CATALOGUE.iter().filter(|achievement| achievement.is_reached(figures)).filter(is_new).collect()
}

/// Consecutive wins from the start of `results`, which are the user's resolved bets, newest first by creation.
pub fn win_streak(results: impl IntoIterator<Item = bool>) -> i64 {
    results.into_iter().take_while(|won| *won).fold(0, |streak, _| streak + 1)
}
