use bolts_achievements::{LONGEST_STREAK, win_streak};
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Achievements, AchievementsView, Result, Standing, Stats, Unlocked, figures_of};
use diesel::prelude::*;

use super::prepared::Place;
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
        let is_new = self.change_ahead(|conn| {
            let added = diesel::insert_into(achievements::table).values(row);
            added.on_conflict_do_nothing().execute(conn).map(|added| added == 1)
        })?;
        self.unlocked.push((user, achievement.to_owned()));
        Ok(is_new)
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
        let of_user =
            |place: &Place| matches!(place, Place::Positions(_, users) if users.contains(&Some(user)));
        let mut found = match self.ahead.results(user) {
            Some(found) if count <= LONGEST_STREAK => found,
            _ => {
                if self.writes.touched_before(of_user) {
                    self.flush()?;
                }
                self.read_ahead(|conn| results(conn, user, count))?
            }
        };
        // The positions that this job pays out may not be written yet.
        for (_, seq, won) in self.results.iter().filter(|(of, ..)| *of == user) {
            add(&mut found, (*seq, *won));
        }
        Ok(found.into_iter().take(usize::try_from(count).unwrap_or(usize::MAX)).map(|(_, won)| won).collect())
    }
}

/// A user's latest resolved bets, newest bet first: `seq` if the user won, `-seq` if the user lost. A cancelled bet pays
/// the stake. The conditions are written as in the index `positions_results`. The parameters are the SQL of the user's id and
/// the number of bets.
macro_rules! results_of {
    ($user:literal) => {
        concat!(
            "SELECT CASE WHEN positions.payout > positions.stake THEN positions.bet_seq ELSE -positions.bet_seq END AS result
            FROM positions JOIN bets ON bets.seq = positions.bet_seq
            WHERE positions.payout <> positions.stake
              AND CASE WHEN positions.payout <> positions.stake THEN positions.user_id END = ",
            $user,
            " AND bets.deleted_at IS NULL ORDER BY positions.bet_seq DESC LIMIT ?"
        )
    };
}

const RESULTS: &str = results_of!("?");

/// The latest results as one text, in a query with rows `wanted` for which `wanted.results` is `1` if the query needs them.
#[allow(dead_code, reason = "SQLite reads the results of one user")]
pub(super) const LATEST_OF_WANTED: &str = concat!(
    "LEFT JOIN LATERAL (SELECT string_agg(CAST(result AS TEXT), ',') AS results FROM (",
    results_of!("wanted.id"),
    ") AS results WHERE wanted.results = '1') AS latest ON TRUE"
);

/// The `seq` of a bet and whether the user won, from a row of [`RESULTS`].
pub(super) fn result(row: i64) -> (i64, bool) {
    (row.abs(), row > 0)
}

/// The `seq` of a user's latest resolved bets, and whether the user won.
fn results(conn: &mut Conn, user: UserId, count: i64) -> QueryResult<Vec<(i64, bool)>> {
    let found = prepared::numbers(conn, RESULTS, [(&user.to_string()).into(), count.into()])?;
    Ok(found.into_iter().map(result).collect())
}

/// Adds a result to others, which have the newest bet first.
pub(super) fn add(results: &mut Vec<(i64, bool)>, (seq, won): (i64, bool)) {
    let place = results.partition_point(|(newer, _)| *newer > seq);
    if results.get(place).is_none_or(|(stored, _)| *stored != seq) {
        results.insert(place, (seq, won));
    }
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
    let results = results(conn, user, LONGEST_STREAK)?.into_iter().map(|(_, won)| won).collect();
    Ok((results, rows(user).load(conn)?))
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
