/// Under which tab of the page it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Betting at all.
    Betting,
    /// Winning again and again.
    Streak,
    /// Winning much.
    Milestone,
}

impl Category {
    /// The name that the API uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Betting => "betting",
            Self::Streak => "streak",
            Self::Milestone => "milestone",
        }
    }
}

/// How hard it is to get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rarity {
    /// Almost everybody has it.
    Common,
    /// Some have it.
    Rare,
    /// Few have it.
    Epic,
    /// Hardly anybody has it.
    Legendary,
}

impl Rarity {
    /// The name that the API uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Rare => "rare",
            Self::Epic => "epic",
            Self::Legendary => "legendary",
        }
    }
}

/// What it takes: the figure that counts, and its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// So many bets made or accepted.
    TotalBets(i64),
    /// So many bets won.
    Wins(i64),
    /// So many won in a row.
    WinStreak(i64),
    /// So many sats won from opponents.
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

    /// The figure to be reached.
    pub const fn target(self) -> i64 {
        match self {
            Self::TotalBets(n) | Self::Wins(n) | Self::WinStreak(n) | Self::TotalWinnings(n) => n,
        }
    }
}

/// What is given for it, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reward {
    /// So many Bolts.
    pub bolts: i64,
    /// And this title, if any.
    pub title: Option<&'static str>,
}

/// Something to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Achievement {
    /// Its name in the API and the database.
    pub id: &'static str,
    /// Its name on the page.
    pub name: &'static str,
    /// What it takes, in words.
    pub description: &'static str,
    /// A character that stands for it.
    pub icon: &'static str,
    /// Its tab.
    pub category: Category,
    /// How hard it is to get.
    pub rarity: Rarity,
    /// What it takes.
    pub condition: Condition,
    /// What is given for it.
    pub reward: Reward,
}

const fn bolts(bolts: i64) -> Reward {
    Reward { bolts, title: None }
}

const fn titled(bolts: i64, title: &'static str) -> Reward {
    Reward { bolts, title: Some(title) }
}

/// Every achievement, in the order of the page (specification, section 9).
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

/// The achievement of that id, if there is one.
pub fn find(id: &str) -> Option<&'static Achievement> {
    CATALOGUE.iter().find(|achievement| achievement.id == id)
}
