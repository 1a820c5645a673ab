use bolts_bets::Event;
use bolts_kernel::{BetId, Currency, Timestamp, UserId};
use bolts_ports::{
    AchievementsView, AdminActionView, BetKey, BetView, CurrencyStats, ListFilter, ListStatus, MarketStats,
    NotificationView, Page, PageRequest, Queries, Result, SessionView, Stats, UserView,
};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use super::rows::{self, Cells, StateRow, TermsRow, ViewRow, bet_views};
use super::users::{admin_rows, has_users, session_rows, user_rows};
use super::{Handle, achievements, admin_actions, bets as bet_tables, lists, notifications, outbox};
use crate::schema::bets;

impl Queries for Handle {
    fn ready(&self) -> Result<()> {
        self.read(|conn| diesel::sql_query("SELECT 1").execute(conn).map(drop))
    }

    fn session(
        &self,
        hash: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Option<SessionView>> {
        let rows = self.read(|conn| session_rows(conn, hash, idle_after, born_after))?;
        let (last_seen_at, rows): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let (Some(user), Some(&last_seen_at)) = (rows::users(rows)?.pop(), last_seen_at.first()) else {
            return Ok(None);
        };
        let id = user.id.to_string();
        let cells = Cells { table: "sessions", id: &id };
        Ok(Some(SessionView { user, last_seen_at: cells.time("last_seen_at", last_seen_at)? }))
    }

    fn user(&self, id: UserId) -> Result<Option<UserView>> {
        Ok(rows::users(self.read(|conn| user_rows(conn, id))?)?.pop())
    }

    fn has_users(&self) -> Result<bool> {
        self.read(has_users)
    }

    fn admins(&self) -> Result<Vec<UserView>> {
        rows::users(self.read(admin_rows)?)
    }

    fn bet(&self, key: &BetKey) -> Result<Option<BetView>> {
        let row = self.read(|conn| match key {
            BetKey::Id(id) => {
                bet_views!().filter(bets::id.eq(id.to_string())).get_result::<ViewRow>(conn).optional()
            }
            BetKey::Token(token) => bet_views!()
                .filter(bets::share_token.eq(token.as_str()))
                .get_result::<ViewRow>(conn)
                .optional(),
        })?;
        Ok(row.map(rows::view).transpose()?.map(|(_, view)| view))
    }

    fn public_bets(&self, filter: &ListFilter, page: PageRequest) -> Result<Page<BetView>> {
        lists::public(&mut *self.reader()?, filter, page)
    }

    fn bets_of(&self, user: UserId, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>> {
        lists::own(&mut *self.reader()?, user, status, page)
    }

    fn disputes(&self, page: PageRequest) -> Result<Page<BetView>> {
        lists::disputes(&mut *self.reader()?, page)
    }

    fn market_stats(&self) -> Result<MarketStats> {
        self.read(bet_tables::market_stats)
    }

    fn stats(&self, user: UserId) -> Result<Stats> {
        let rows = self
            .read(|conn| diesel::sql_query(STATS).bind::<Text, _>(user.to_string()).load::<StatsRow>(conn))?;
        let mut stats = Stats::default();
        for row in rows {
            let cells = Cells { table: "bets", id: "a user's own" };
            let currency: Currency = cells.parsed("currency", &row.currency)?;
            stats[currency] = row.into();
        }
        Ok(stats)
    }

    fn events(&self, bet: BetId) -> Result<Vec<Event>> {
        self.read(|conn| bet_tables::events(conn, bet))?.into_iter().map(bet_tables::event).collect()
    }

    fn notifications(&self, user: UserId) -> Result<Vec<NotificationView>> {
        notifications::views(self.read(|conn| notifications::latest(conn, user))?)
    }

    fn overdue(&self, now: Timestamp, limit: u32) -> Result<Vec<BetId>> {
        let ids = self.read(|conn| {
            bets::table
                .filter(bets::next_deadline_at.le(now.micros()))
                .order(bets::next_deadline_at)
                .limit(i64::from(limit))
                .select(bets::id)
                .load::<String>(conn)
        })?;
        ids.iter().map(|id| Cells { table: "bets", id }.parsed("id", id)).collect()
    }

    fn achievements(&self, user: UserId) -> Result<AchievementsView> {
        let stats = self.stats(user)?;
        let (results, rows) = self.read(|conn| achievements::read(conn, user))?;
        achievements::view(user, &stats, results, rows)
    }

    fn all_bets(&self, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>> {
        lists::all(&mut *self.reader()?, status, page)
    }

    fn admin_actions(&self, page: PageRequest) -> Result<Page<AdminActionView>> {
        let rows = self.read(|conn| admin_actions::rows(conn, page))?;
        admin_actions::page(rows, page)
    }

    fn is_owed(&self) -> Result<bool> {
        self.read(outbox::is_owed)
    }
}

/// The statistics of a user, one row for each currency. The payout above the own stake is the opponent's
/// stake.
const STATS: &str = "
    SELECT currency,
        COALESCE(SUM(won), 0) AS wins,
        COALESCE(SUM(lost), 0) AS losses,
        CAST(COALESCE(SUM(won * (payout - stake)), 0) AS BIGINT) AS winnings,
        CAST(COALESCE(SUM(lost * stake), 0) AS BIGINT) AS losings,
        COALESCE(MAX(won * (payout - stake)), 0) AS best_win,
        COALESCE(MAX(lost * stake), 0) AS biggest_loss,
        COALESCE(SUM(counts), 0) AS total_bets,
        COALESCE(SUM(open), 0) AS active_bets
    FROM (
        SELECT bets.currency, positions.stake, COALESCE(positions.payout, 0) AS payout,
            CASE WHEN bets.winning_side = positions.side THEN 1 ELSE 0 END AS won,
            CASE WHEN bets.winning_side <> positions.side THEN 1 ELSE 0 END AS lost,
            CASE WHEN bets.status = 'cancelled' AND bets.acceptor_id IS NULL THEN 0 ELSE 1 END AS counts,
            CASE WHEN bets.status IN ('pending', 'accepted', 'awaiting_resolution') THEN 1 ELSE 0 END AS open
        FROM positions JOIN bets ON bets.seq = positions.bet_seq
        WHERE positions.user_id = $1 AND bets.deleted_at IS NULL
    ) AS own
    GROUP BY currency";

#[derive(QueryableByName)]
struct StatsRow {
    #[diesel(sql_type = Text)]
    currency: String,
    #[diesel(sql_type = BigInt)]
    wins: i64,
    #[diesel(sql_type = BigInt)]
    losses: i64,
    #[diesel(sql_type = BigInt)]
    winnings: i64,
    #[diesel(sql_type = BigInt)]
    losings: i64,
    #[diesel(sql_type = BigInt)]
    best_win: i64,
    #[diesel(sql_type = BigInt)]
    biggest_loss: i64,
    #[diesel(sql_type = BigInt)]
    total_bets: i64,
    #[diesel(sql_type = BigInt)]
    active_bets: i64,
}

impl From<StatsRow> for CurrencyStats {
    fn from(row: StatsRow) -> Self {
        Self {
            wins: row.wins,
            losses: row.losses,
            winnings: row.winnings,
            losings: row.losings,
            best_win: row.best_win,
            biggest_loss: row.biggest_loss,
            total_bets: row.total_bets,
            active_bets: row.active_bets,
        }
    }
}
