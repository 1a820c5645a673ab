use bolts_kernel::UserId;
use bolts_ports::{AdminAction, AdminActionView, AdminActions, Page, PageRequest, Result};
use diesel::prelude::*;

use super::Conn;
use super::rows::{Cells, cut};
use super::transaction::Transaction;
use crate::schema::{ADMINS, admin_actions, users};

impl AdminActions for Transaction<'_> {
    fn record(&mut self, action: &AdminAction) -> Result<()> {
        let row = (
            admin_actions::admin_id.eq(action.admin.map(|id| id.to_string())),
            admin_actions::action.eq(action.action),
            admin_actions::user_id.eq(action.user.map(|id| id.to_string())),
            admin_actions::bet_id.eq(action.bet.map(|id| id.to_string())),
            admin_actions::detail.eq(action.detail.as_deref()),
            admin_actions::at.eq(action.at.micros()),
        );
        self.run(|conn| diesel::insert_into(admin_actions::table).values(row).execute(conn)).map(drop)
    }
}

type ActionRow = (i64, Option<String>, String, Option<String>, Option<String>, Option<String>, i64);

/// A query for a page of admin actions, newest first. An additional row shows whether there is a next page.
macro_rules! action_rows {
    ($page:expr) => {
        admin_actions::table
            .left_join(ADMINS.on(ADMINS.field(users::id).nullable().eq(admin_actions::admin_id)))
            .left_join(users::table.on(users::id.nullable().eq(admin_actions::user_id)))
            .filter(admin_actions::seq.lt($page.after.map_or(i64::MAX, |cursor| cursor.seq)))
            .order(admin_actions::seq.desc())
            .limit(i64::from($page.limit) + 1)
            .select((
                admin_actions::seq,
                ADMINS.field(users::email).nullable(),
                admin_actions::action,
                users::email.nullable(),
                admin_actions::bet_id,
                admin_actions::detail,
                admin_actions::at,
            ))
    };
}

/// The rows of a page of all admin actions.
pub(super) fn rows(conn: &mut Conn, page: PageRequest) -> QueryResult<Vec<ActionRow>> {
    action_rows!(page).load(conn)
}

/// The rows of a page of the actions that affected this user.
pub(super) fn rows_on(conn: &mut Conn, user: UserId, page: PageRequest) -> QueryResult<Vec<ActionRow>> {
    action_rows!(page).filter(admin_actions::user_id.eq(user.to_string())).load(conn)
}

/// Converts the result of [`rows`] to a page.
pub(super) fn page(rows: Vec<ActionRow>, page: PageRequest) -> Result<Page<AdminActionView>> {
    cut(rows, page, |row| row.0, action)
}

fn action((seq, admin, action, user, bet, detail, at): ActionRow) -> Result<AdminActionView> {
    let id = seq.to_string();
    let cells = Cells { table: "admin_actions", id: &id };
    let bet = bet.map(|bet| cells.parsed("bet_id", &bet)).transpose()?;
    Ok(AdminActionView { seq, admin, action, user, bet, detail, at: cells.time("at", at)? })
}
