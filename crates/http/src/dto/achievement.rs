use bolts_achievements::Achievement;
use bolts_ports::AchievementsView;
use serde::Serialize;
use utoipa::ToSchema;

/// The condition of an achievement.
#[derive(Serialize, ToSchema)]
#[schema(as = AchievementCondition)]
pub(crate) struct ConditionJson {
    /// `total_bets`, `wins`, `win_streak` or `total_winnings`.
    #[serde(rename = "type")]
    #[schema(rename = "type")]
    kind: &'static str,
    value: i64,
}

/// The reward of an achievement.
#[derive(Serialize, ToSchema)]
#[schema(as = AchievementReward)]
pub(crate) struct RewardJson {
    #[schema(required)]
    bolts: Option<i64>,
    #[schema(required)]
    sats: Option<i64>,
    #[schema(required)]
    title: Option<&'static str>,
}

/// An achievement of the catalogue.
#[derive(Serialize, ToSchema)]
#[schema(as = AchievementDefinition)]
pub(crate) struct DefinitionJson {
    id: &'static str,
    name: &'static str,
    description: &'static str,
    icon: &'static str,
    /// `betting`, `streak` or `milestone`.
    category: &'static str,
    /// `common`, `rare`, `epic` or `legendary`.
    rarity: &'static str,
    condition: ConditionJson,
    reward: RewardJson,
}

/// An achievement with the user's progress.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Achievement)]
pub(crate) struct AchievementJson {
    definition: DefinitionJson,
    current: i64,
    target: i64,
    /// From 0 to 100.
    percentage: f64,
    #[schema(required, format = DateTime)]
    unlocked_at: Option<String>,
    #[schema(required, format = DateTime)]
    claimed_at: Option<String>,
}

impl AchievementJson {
    /// The achievement with the progress of a user. An unlocked achievement stays unlocked, even if the
    /// figures go down.
    pub(crate) fn of(achievement: &Achievement, view: &AchievementsView) -> Self {
        let progress = achievement.progress(&view.figures);
        let unlocked = view.unlocked.iter().find(|unlocked| unlocked.achievement == achievement.id);
        Self {
            definition: DefinitionJson::from(achievement),
            current: progress.current,
            target: progress.target,
            percentage: if unlocked.is_some() { 100.0 } else { progress.percentage },
            unlocked_at: unlocked.map(|unlocked| unlocked.unlocked_at.to_string()),
            claimed_at: unlocked.and_then(|unlocked| unlocked.claimed_at).map(|at| at.to_string()),
        }
    }
}

impl From<&Achievement> for DefinitionJson {
    fn from(achievement: &Achievement) -> Self {
        let (condition, reward) = (achievement.condition, achievement.reward);
        Self {
            id: achievement.id,
            name: achievement.name,
            description: achievement.description,
            icon: achievement.icon,
            category: achievement.category.as_str(),
            rarity: achievement.rarity.as_str(),
            condition: ConditionJson { kind: condition.as_str(), value: condition.target() },
            reward: RewardJson { bolts: Some(reward.bolts), sats: None, title: reward.title },
        }
    }
}
