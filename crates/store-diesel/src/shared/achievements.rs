use bolts_achievements::{LONGEST_STREAK, win_streak};
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Achievements, AchievementsView, Result, Standing, Stats, Unlocked, figures_of};
use diesel::prelude::*;

use super::rows::Cells;
use super::transaction::Transaction;
use super::{Conn, prepared};
use crate::schema::achievements;

impl Achievements for Transaction<'_> {
    fn unlocked(&mut self, user: UserId) -> Result<Vec<Unlocked>> {
        let rows = self.run(|conn| locked!(rows(user)).load::<Row>(conn))?;
        self.remember(unlocks(user, rows))
    }

    fn unlock(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool> {
        let row = (
            achievements::user_id.eq(user.to_string()),
            achievements::achievement.eq(achievement),
            achievements::unlocked_at.eq(at.micros()),
        );
        self.run(|conn| {
            let added = diesel::insert_into(achievements::table).values(row);
            added.on_conflict_do_nothing().execute(conn).map(|added| added == 1)
        })
    }

    fn claim(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool> {
        self.run(|conn| {
            let own = achievements::table.find((user.to_string(), achievement));
            diesel::update(own.filter(achievements::claimed_at.is_null()))
                .set(achievements::claimed_at.eq(at.micros()))
                .execute(conn)
                .map(|touched| touched == 1)
        })
    }

    fn standing(&mut self, user: UserId) -> Result<Standing> {
        Transaction::standing(self, user)
    }

    fn latest_results(&mut self, user: UserId, count: i64) -> Result<Vec<bool>> {
        self.run(|conn| results(conn, user, count))
    }
}

/// The results of a user's latest resolved bets, newest bet first: 1 if the user won, 0 if the user lost. A cancelled bet pays
/// the stake. The conditions are written as in the index `positions_results`.
const RESULTS: &str = "
    SELECT CAST(CASE WHEN positions.payout > positions.stake THEN 1 ELSE 0 END AS BIGINT)
    FROM positions JOIN bets ON bets.seq = positions.bet_seq
    WHERE positions.payout <> positions.stake
      AND CASE WHEN positions.payout <> positions.stake THEN positions.user_id END = ?
      AND bets.deleted_at IS NULL
    ORDER BY positions.bet_seq DESC LIMIT ?";

fn results(conn: &mut Conn, user: UserId, count: i64) -> QueryResult<Vec<bool>> {
    let found = prepared::numbers(conn, RESULTS, [(&user.to_string()).into(), count.into()])?;
    Ok(found.into_iter().map(|won| won == 1).collect())
}

type Row = (String, i64, Option<i64>);

#[diesel::dsl::auto_type(no_type_alias)]
fn rows(user: UserId) -> _ {
    let id: String = user.to_string();
    let own = achievements::table.filter(achievements::user_id.eq(id));
    let columns = (achievements::achievement, achievements::unlocked_at, achievements::claimed_at);
    own.order((achievements::unlocked_at, achievements::achievement)).select(columns)
}

fn unlocks(user: UserId, rows: Vec<Row>) -> Result<Vec<Unlocked>> {
    let id = user.to_string();
    let cells = Cells { table: "achievements", id: &id };
    let unlock = |(achievement, unlocked_at, claimed_at): Row| {
        Ok(Unlocked {
            achievement,
            unlocked_at: cells.time("unlocked_at", unlocked_at)?,
            claimed_at: cells.maybe_time("claimed_at", claimed_at)?,
        })
    };
    rows.into_iter().map(unlock).collect()
}

/// The data for a user's progress that the statistics do not contain: the latest results and the unlocked
/// achievements.
pub(super) fn read(conn: &mut Conn, user: UserId) -> QueryResult<(Vec<bool>, Vec<Row>)> {
    Ok((results(conn, user, LONGEST_STREAK)?, rows(user).load(conn)?))
}

/// The progress of a user and their unlocked achievements.
pub(super) fn view(
    user: UserId,
    stats: &Stats,
    results: Vec<bool>,
    rows: Vec<Row>,
) -> Result<AchievementsView> {
    let figures = figures_of(stats, win_streak(results));
    Ok(AchievementsView { figures, unlocked: unlocks(user, rows)? })
}
