//! The statistics of users, with one row for each user and currency. The transaction that changes a bet also
//! changes the statistics of its parties. So no page and no achievement must read all bets of a user.

use std::collections::BTreeMap;

use bolts_bets::{Bet, Contribution, Party};
use bolts_kernel::{Currency, UserId};
use bolts_ports::{CurrencyStats, Result, Standing, Stats};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};

use super::prepared::{Column, Place, Write};
use super::rows::Cells;
use super::transaction::Transaction;
use super::{Conn, prepared};
use crate::schema::{user_figures, users};

/// The contributions of a bet to the statistics of its creator and its acceptor, in this order.
pub(super) type Contributions = [Contribution; 2];

const PARTIES: [Party; 2] = [Party::Creator, Party::Acceptor];

pub(super) fn contributions(bet: &Bet) -> Contributions {
    PARTIES.map(|party| bet.contribution_of(party))
}

/// The changes of statistics that are not written yet.
pub(super) type Changes = BTreeMap<(UserId, Currency), Change>;

/// The change of the statistics of one user in one currency.
#[derive(Default)]
pub(super) struct Change {
    /// The amounts that are added to the stored statistics. Two fields are different: the best win and the
    /// biggest loss replace the stored values if they are greater.
    by: CurrencyStats,
    /// A bet that the user won or lost no longer counts. This bet may have been the best win or the biggest
    /// loss, so both must be computed again.
    needs_extremes: bool,
}

impl Change {
    fn add(&mut self, contribution: Contribution, times: i64) {
        let one = CurrencyStats::of(contribution);
        add_to(&mut self.by, &one, times);
        self.needs_extremes |= times < 0 && one.wins + one.losses > 0;
    }

    /// Adds the change to the statistics before it.
    pub(super) fn add_to(&self, stats: &mut CurrencyStats) {
        add_to(stats, &self.by, 1);
    }

    fn write(&self, user: UserId, currency: Currency) -> Write {
        let by = &self.by;
        let binds = [
            by.total_bets.into(),
            by.active_bets.into(),
            by.wins.into(),
            by.losses.into(),
            by.winnings.into(),
            by.losings.into(),
            by.best_win.into(),
            by.best_win.into(),
            by.biggest_loss.into(),
            by.biggest_loss.into(),
            user.to_string().into(),
            currency.as_str().into(),
        ];
        Write::one(ADD, Place::Figures(user, currency), binds)
    }
}

/// Adds statistics to others, or takes them away if `times` is -1. The extremes can only grow.
fn add_to(stats: &mut CurrencyStats, by: &CurrencyStats, times: i64) {
    stats.total_bets += times * by.total_bets;
    stats.active_bets += times * by.active_bets;
    stats.wins += times * by.wins;
    stats.losses += times * by.losses;
    stats.winnings += times * by.winnings;
    stats.losings += times * by.losings;
    if times > 0 {
        stats.best_win = stats.best_win.max(by.best_win);
        stats.biggest_loss = stats.biggest_loss.max(by.biggest_loss);
    }
}

impl Transaction<'_> {
    /// Collects the changes of the parties' statistics that a change of a bet causes.
    pub(super) fn note_figures(&mut self, bet: &Bet, before: Contributions, after: Contributions) {
        for (party, (before, after)) in PARTIES.into_iter().zip(before.into_iter().zip(after)) {
            let Some(user) = bet.user(party).filter(|_| before != after) else { continue };
            let change = self.figures.entry((user, bet.terms.stake.currency)).or_default();
            change.add(before, -1);
            change.add(after, 1);
        }
    }

    /// The statistics and the unlocked achievements of a user, with the collected changes.
    pub(super) fn standing(&mut self, user: UserId) -> Result<Standing> {
        if self.figures.values().any(|change| change.needs_extremes) {
            self.write_figures()?;
            self.flush()?;
        }
        let mut standing = match (self.standings.remove(&user), self.ahead.standing(user)) {
            (Some(row), _) => self.remember(standing_of(user, row))?,
            (None, Some(standing)) => standing,
            (None, None) => {
                if self.figures_wait(user) {
                    self.flush()?;
                }
                let row = self.read_ahead(|conn| standing_row(conn, user))?;
                self.remember(standing_of(user, row))?
            }
        };
        for ((_, currency), change) in self.figures.iter().filter(|((of, _), _)| *of == user) {
            change.add_to(&mut standing.stats[*currency]);
        }
        Ok(standing)
    }

    /// Keeps the standing of a user that came with another row, for the next call of [`standing`](Self::standing).
    pub(super) fn keep_standing(&mut self, user: UserId, row: StandingRow) {
        if !self.figures_wait(user) {
            self.standings.insert(user, row);
        }
    }

    /// Whether a change of the user's statistics is not stored yet.
    pub(super) fn figures_wait(&self, user: UserId) -> bool {
        self.writes.touches(|place| place.is_of(user))
    }

    /// Writes the collected changes, sorted by user and currency. A job calls this method after it has locked
    /// the accounts of the users. So two jobs cannot block each other (deadlock).
    pub(super) fn write_figures(&mut self) -> Result<()> {
        self.standings.clear();
        for ((user, currency), change) in std::mem::take(&mut self.figures) {
            self.write(change.write(user, currency))?;
            self.ahead.note_figures(user, currency, &change);
            if change.needs_extremes {
                let id = || user.to_string().into();
                let binds = [id(), id(), id(), currency.as_str().into()];
                self.run(|conn| prepared::execute(conn, FIND_EXTREMES, binds))?;
            }
        }
        Ok(())
    }
}

const ADD: &str = "
    UPDATE user_figures SET total_bets = total_bets + ?, active_bets = active_bets + ?, wins = wins + ?,
        losses = losses + ?, winnings = winnings + ?, losings = losings + ?,
        best_win = CASE WHEN best_win < ? THEN ? ELSE best_win END,
        biggest_loss = CASE WHEN biggest_loss < ? THEN ? ELSE biggest_loss END
    WHERE user_id = ? AND currency = ?";

/// The user's bets with this result that are not deleted. The conditions are written as in the index `positions_results`, which
/// SQLite does not use for the column `user_figures.user_id`.
macro_rules! results {
    ($result:literal) => {
        concat!(
            " FROM positions p JOIN bets b ON b.seq = p.bet_seq
            WHERE p.payout <> p.stake AND CASE WHEN p.payout <> p.stake THEN p.user_id END = ?
                AND b.currency = user_figures.currency AND b.deleted_at IS NULL AND ",
            $result
        )
    };
}

/// Computes the best win and the biggest loss from all bets of a user. This is necessary only after an admin
/// has deleted a settled bet.
pub(super) const FIND_EXTREMES: &str = concat!(
    "UPDATE user_figures SET best_win = (SELECT COALESCE(MAX(p.payout - p.stake), 0)",
    results!("p.payout > p.stake"),
    "), biggest_loss = (SELECT COALESCE(MAX(p.stake), 0)",
    results!("p.payout < p.stake"),
    ") WHERE user_id = ? AND currency = ?"
);

/// Inserts the rows of a new user, one for each currency.
pub(super) fn open(conn: &mut Conn, user: &str) -> QueryResult<()> {
    let row =
        |currency: Currency| (user_figures::user_id.eq(user), user_figures::currency.eq(currency.as_str()));
    diesel::insert_into(user_figures::table).values(Currency::ALL.map(row).to_vec()).execute(conn).map(drop)
}

type Row = (String, i64, i64, i64, i64, i64, i64, i64, i64);

macro_rules! columns {
    () => {
        (
            user_figures::currency,
            user_figures::total_bets,
            user_figures::active_bets,
            user_figures::wins,
            user_figures::losses,
            user_figures::winnings,
            user_figures::losings,
            user_figures::best_win,
            user_figures::biggest_loss,
        )
    };
}

/// The rows of a user, one for each currency.
pub(super) fn rows(conn: &mut Conn, user: UserId) -> QueryResult<Vec<Row>> {
    let own = user_figures::table.filter(user_figures::user_id.eq(user.to_string()));
    own.select(columns!()).load(conn)
}

/// Defines two columns: the statistics of a user, and the achievements that the user has unlocked. `$user` is the SQL of the
/// user's id. A part of another query costs less than a statement.
macro_rules! standing_columns {
    ($figures:ident, $unlocked:ident: $user:literal) => {
        prepared::column! {
            $figures: Nullable<Text> = concat!(
                "(SELECT string_agg(currency || ' ' || total_bets || ' ' || active_bets || ' ' || wins || ' ' || losses || ' ' \
                || winnings || ' ' || losings || ' ' || best_win || ' ' || biggest_loss, ',') \
                FROM user_figures WHERE user_figures.user_id = ",
                $user,
                ")"
            )
        }
        prepared::column! {
            $unlocked: Nullable<Text> = concat!(
                "(SELECT string_agg(achievement, ',') FROM achievements WHERE achievements.user_id = ",
                $user,
                ")"
            )
        }
    };
}

standing_columns!(FiguresOfStaker, UnlockedByStaker: "stakers.id");
standing_columns!(FiguresOfCreator, UnlockedByCreator: "bets.creator_id");
standing_columns!(FiguresOfUser, UnlockedByUser: "users.id");

pub(super) type StandingRow = (Option<String>, Option<String>);

/// The columns in a query with an alias `stakers` of users.
pub(super) const OF_STAKER: (Column<FiguresOfStaker>, Column<UnlockedByStaker>) =
    (Column(FiguresOfStaker), Column(UnlockedByStaker));

/// The columns in a query of users.
pub(super) const OF_USER: (Column<FiguresOfUser>, Column<UnlockedByUser>) =
    (Column(FiguresOfUser), Column(UnlockedByUser));

fn standing_row(conn: &mut Conn, user: UserId) -> QueryResult<StandingRow> {
    users::table.find(user.to_string()).select(OF_USER).get_result(conn)
}

/// Converts the columns to a standing.
pub(super) fn standing_of(user: UserId, (figures, unlocked): StandingRow) -> Result<Standing> {
    let unlocked = unlocked.unwrap_or_default();
    let mut unlocked: Vec<String> = unlocked.split_terminator(',').map(str::to_owned).collect();
    unlocked.sort_unstable();
    let id = user.to_string();
    let cells = Cells { table: "user_figures", id: &id };
    let rows = cells.known("user_id", read_figures(&figures.unwrap_or_default()))?;
    Ok(Standing { stats: stats(rows)?, unlocked })
}

/// The rows in the text of the first column.
fn read_figures(text: &str) -> Option<Vec<Row>> {
    let row = |line: &str| {
        let mut words = line.split(' ');
        let currency = words.next()?.to_owned();
        let mut number = || words.next()?.parse::<i64>().ok();
        Some((
            currency,
            number()?,
            number()?,
            number()?,
            number()?,
            number()?,
            number()?,
            number()?,
            number()?,
        ))
    };
    text.split_terminator(',').map(row).collect()
}

/// Converts the rows of a user to statistics.
pub(super) fn stats(rows: impl IntoIterator<Item = Row>) -> Result<Stats> {
    let mut stats = Stats::default();
    for row in rows {
        let (currency, total_bets, active_bets, wins, losses, winnings, losings, best_win, biggest_loss) =
            row;
        let cells = Cells { table: "user_figures", id: &currency };
        let currency: Currency = cells.parsed("currency", &currency)?;
        stats[currency] = CurrencyStats {
            wins,
            losses,
            winnings,
            losings,
            best_win,
            biggest_loss,
            total_bets,
            active_bets,
        };
    }
    Ok(stats)
}
