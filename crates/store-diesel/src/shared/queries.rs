use bolts_bets::Event;
use bolts_kernel::{BetId, Timestamp, UserId};
use bolts_ports::{
    AchievementsView, AdminActionView, BetKey, BetView, ListFilter, ListStatus, MarketStats, NamedUser,
    NotificationView, OnDisk, Page, PageRequest, Queries, Result, SessionView, Stats, UserView,
};
use diesel::prelude::*;

use super::bet_rows::{StateRow, TermsRow};
use super::columns::Columns;
use super::rows::{self, Cells, ViewRow, bet_views};
use super::users::{admin_rows, has_users, named_users, named_users_of, user_rows};
use super::{
    Handle, achievements, admin_actions, bets as bet_tables, lists, notifications, outbox, sessions,
    user_figures, user_views,
};
use crate::schema::bets;

impl Queries for Handle {
    fn ready(&self) -> Result<()> {
        self.check()
    }

    fn on_disk(&self) -> Option<OnDisk> {
        self.pending()
    }

    fn sessions(
        &self,
        hashes: &[String],
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Vec<Option<SessionView>>> {
        let rows = self.read(|conn| sessions::rows(conn, hashes, idle_after, born_after))?;
        rows.into_iter().map(user_views::session).collect()
    }

    fn user(&self, id: UserId) -> Result<Option<UserView>> {
        Ok(user_views::users(self.read(|conn| user_rows(conn, id))?)?.pop())
    }

    fn users_named(&self, beginning: &str, limit: u32) -> Result<Vec<NamedUser>> {
        named_users_of(self.read(|conn| named_users(conn, beginning, limit))?)
    }

    fn has_users(&self) -> Result<bool> {
        self.read(has_users)
    }

    fn admins(&self) -> Result<Vec<UserView>> {
        user_views::users(self.read(admin_rows)?)
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

    fn bets_arbitrated_by(
        &self,
        user: UserId,
        status: Option<ListStatus>,
        page: PageRequest,
    ) -> Result<Page<BetView>> {
        lists::arbitrated(&mut *self.reader()?, user, status, page)
    }

    fn unsettled_of(&self, user: UserId, limit: u32, invitations: u32) -> Result<Vec<BetView>> {
        lists::unsettled(&mut *self.reader()?, user, limit, invitations)
    }

    fn disputes(&self, page: PageRequest) -> Result<Page<BetView>> {
        lists::disputes(&mut *self.reader()?, page)
    }

    fn market_stats(&self) -> Result<MarketStats> {
        self.read(bet_tables::market_stats)
    }

    fn stats(&self, user: UserId) -> Result<Stats> {
        user_figures::stats(self.read(|conn| user_figures::rows(conn, user))?)
    }

    fn events(&self, bet: BetId) -> Result<Vec<Event>> {
        self.read(|conn| bet_tables::events(conn, bet))?.into_iter().map(bet_tables::event).collect()
    }

    fn notifications(&self, user: UserId) -> Result<Vec<NotificationView>> {
        Ok(notifications::views(self.read(|conn| notifications::latest(conn, user))?))
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
