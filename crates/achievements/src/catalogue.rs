//! All achievements with their conditions and rewards.

use bolts_kernel::named;

/// The tab of the achievements page on which an achievement is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Achievements for the number of bets, and for the first win.
    Betting,
    /// Achievements for wins in a row.
    Streak,
    /// Achievements for the total of winnings.
    Milestone,
}

named!(Category { Betting = "betting", Streak = "streak", Milestone = "milestone" });

/// The rarity of an achievement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rarity {
    /// Almost every user unlocks the achievement.
    Common,
    /// Some users unlock the achievement.
    Rare,
    /// Few users unlock the achievement.
    Epic,
    /// Very few users unlock the achievement.
    Legendary,
}

named!(Rarity { Common = "common", Rare = "rare", Epic = "epic", Legendary = "legendary" });

/// The condition of an achievement: a figure of the user and its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The number of bets that the user created or accepted.
    TotalBets(i64),
    /// The number of bets that the user won.
    Wins(i64),
    /// The number of bets that the user won in a row.
    WinStreak(i64),
    /// The number of sats that the user won from opponents.
    TotalWinnings(i64),
}

impl Condition {
    /// The name that the API uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TotalBets(_) => "total_bets",
            Self::Wins(_) => "wins",
            Self::WinStreak(_) => "win_streak",
            Self::TotalWinnings(_) => "total_winnings",
        }
    }

    /// The target of the figure.
    pub const fn target(self) -> i64 {
        match self {
            Self::TotalBets(n) | Self::Wins(n) | Self::WinStreak(n) | Self::TotalWinnings(n) => n,
        }
    }
}

/// The reward of an achievement. A user can claim the reward once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reward {
    /// The number of Bolts that the user gets.
    pub bolts: i64,
    /// The title that the user gets, if any.
    pub title: Option<&'static str>,
}

/// An achievement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Achievement {
    /// The id of the achievement in the API and the database.
    pub id: &'static str,
    /// The name of the achievement on the page.
    pub name: &'static str,
    /// The condition of the achievement, in words.
    pub description: &'static str,
    /// The icon of the achievement on the page, an emoji.
    pub icon: &'static str,
    /// The tab of the page that shows the achievement.
    pub category: Category,
    /// The rarity of the achievement.
    pub rarity: Rarity,
    /// The condition of the achievement.
    pub condition: Condition,
    /// The reward of the achievement.
    pub reward: Reward,
}

const fn bolts(bolts: i64) -> Reward {
    Reward { bolts, title: None }
}

const fn titled(bolts: i64, title: &'static str) -> Reward {
    Reward { bolts, title: Some(title) }
}

/// All achievements, in the order of the page (`docs/product.md#statistics-and-achievements`).
pub const CATALOGUE: [Achievement; 9] = [
    Achievement {
        id: "first_bet",
        name: "First Steps",
        description: "Create or accept your first bet",
        icon: "🎯",
        category: Category::Betting,
        rarity: Rarity::Common,
        condition: Condition::TotalBets(1),
        reward: bolts(100),
    },
    Achievement {
        id: "high_roller",
        name: "High Roller",
        description: "Create or accept 10 bets",
        icon: "🎲",
        category: Category::Betting,
        rarity: Rarity::Rare,
        condition: Condition::TotalBets(10),
        reward: bolts(500),
    },
    Achievement {
        id: "betting_master",
        name: "Betting Master",
        description: "Create or accept 50 bets",
        icon: "👑",
        category: Category::Betting,
        rarity: Rarity::Epic,
        condition: Condition::TotalBets(50),
        reward: titled(2_000, "Master Bettor"),
    },
    Achievement {
        id: "first_win",
        name: "Beginner's Luck",
        description: "Win your first bet",
        icon: "🍀",
        category: Category::Betting,
        rarity: Rarity::Common,
        condition: Condition::Wins(1),
        reward: bolts(200),
    },
    Achievement {
        id: "win_streak_3",
        name: "Hot Streak",
        description: "Win 3 bets in a row",
        icon: "🔥",
        category: Category::Streak,
        rarity: Rarity::Rare,
        condition: Condition::WinStreak(3),
        reward: bolts(750),
    },
    Achievement {
        id: "win_streak_5",
        name: "Unstoppable",
        description: "Win 5 bets in a row",
        icon: "⚡",
        category: Category::Streak,
        rarity: Rarity::Epic,
        condition: Condition::WinStreak(5),
        reward: bolts(1_500),
    },
    Achievement {
        id: "win_streak_10",
        name: "Legendary Streak",
        description: "Win 10 bets in a row",
        icon: "🌟",
        category: Category::Streak,
        rarity: Rarity::Legendary,
        condition: Condition::WinStreak(10),
        reward: titled(5_000, "Streak Legend"),
    },
    Achievement {
        id: "big_win",
        name: "Big Winner",
        description: "Win 10,000 sats in total",
        icon: "💰",
        category: Category::Milestone,
        rarity: Rarity::Epic,
        condition: Condition::TotalWinnings(10_000),
        reward: bolts(1_000),
    },
    Achievement {
        id: "whale",
        name: "Whale Status",
        description: "Win 100,000 sats in total",
        icon: "🐋",
        category: Category::Milestone,
        rarity: Rarity::Legendary,
        condition: Condition::TotalWinnings(100_000),
        reward: titled(10_000, "Whale"),
    },
];

/// The achievement with this id, or `None` for an unknown id.
pub fn find(id: &str) -> Option<&'static Achievement> {
    CATALOGUE.iter().find(|achievement| achievement.id == id)
}
