use bolts_usecases::accounts::Obstacle;
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::obstacle_schema;

/// An obstacle to the deletion of an account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Obstacle)]
pub(crate) struct ObstacleJson {
    #[schema(schema_with = obstacle_schema)]
    kind: &'static str,
    /// How many bets, tasks, withdrawals, deposits or sats there are; the hours until the end of a cooldown.
    count: i64,
    /// The obstacle in words.
    text: String,
}

impl From<&Obstacle> for ObstacleJson {
    fn from(obstacle: &Obstacle) -> Self {
        Self { kind: obstacle.kind.as_str(), count: obstacle.count, text: obstacle.words() }
    }
}

/// Whether the user can delete the account.
#[derive(Serialize, ToSchema)]
#[schema(as = AccountDeletion)]
pub(crate) struct DeletionJson {
    /// Empty if the account can be deleted.
    pub(crate) obstacles: Vec<ObstacleJson>,
}
