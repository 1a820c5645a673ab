use std::collections::BTreeSet;

use bolts_kernel::{NotificationId, Timestamp, UserId};
use bolts_ports::{NewNotification, NoticeBody, NotificationView, Notifications, Result};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::Conn;
use super::columns::{Columns, row};
use super::prepared::{self, Place, Write};
use super::rows::Cells;
use super::transaction::Transaction;
use crate::schema::notifications;

impl Notifications for Transaction<'_> {
    fn insert(&mut self, added: &[NewNotification]) -> Result<()> {
        for notification in added {
            self.write(insert(notification))?;
        }
        // One id in 16 ends with 0. To delete old notifications after each new one would cost a statement each time.
        let sixteenth = added.iter().filter(|notification| notification.id.to_string().ends_with('0'));
        let users: BTreeSet<UserId> = sixteenth.map(|notification| notification.user).collect();
        users.into_iter().try_for_each(|user| self.change_ahead(|conn| trim(conn, user)))
    }

    fn mark_read(
        &mut self,
        user: UserId,
        id: NotificationId,
        at: Timestamp,
    ) -> Result<Option<NotificationView>> {
        let row = self.run(|conn| {
            let own = || {
                notifications::table
                    .filter(notifications::id.eq(id.to_string()))
                    .filter(notifications::user_id.eq(user.to_string()))
            };
            diesel::update(own().filter(notifications::read_at.is_null()))
                .set(notifications::read_at.eq(at.micros()))
                .execute(conn)?;
            own().select(Row::columns()).get_result::<Row>(conn).optional()
        })?;
        let view = row.map(view).transpose();
        self.remember(view)
    }

    fn mark_all_read(&mut self, user: UserId, at: Timestamp) -> Result<u64> {
        let changed = self.run(|conn| {
            let own = notifications::table.filter(notifications::user_id.eq(user.to_string()));
            diesel::update(own.filter(notifications::read_at.is_null()))
                .set(notifications::read_at.eq(at.micros()))
                .execute(conn)
        })?;
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    fn clear(&mut self, user: UserId) -> Result<u64> {
        let removed = self.run(|conn| {
            let own = notifications::table.filter(notifications::user_id.eq(user.to_string()));
            diesel::delete(own).execute(conn)
        })?;
        Ok(u64::try_from(removed).unwrap_or(u64::MAX))
    }
}

fn insert(added: &NewNotification) -> Write {
    let binds = [
        added.id.to_string().into(),
        added.user.to_string().into(),
        added.body.kind().into(),
        added.body.params().into(),
        added.bet.map(|bet| bet.to_string()).into(),
        added.at.micros().into(),
    ];
    Write::one(INSERT, Place::New, binds)
}

const INSERT: &str =
    "INSERT INTO notifications (id, user_id, kind, params, bet_id, created_at) VALUES (?, ?, ?, ?, ?, ?)";

/// The number of notifications that a user sees.
macro_rules! kept {
    () => {
        200
    };
}

/// Deletes all notifications of the user except the newest `kept!()`.
fn trim(conn: &mut Conn, user: UserId) -> QueryResult<()> {
    let user = user.to_string();
    prepared::execute(conn, TRIM, [(&user).into(), (&user).into()]).map(drop)
}

const TRIM: &str = concat!(
    "DELETE FROM notifications WHERE user_id = ? AND seq <= (
    SELECT seq FROM notifications WHERE user_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ",
    kept!(),
    ")"
);

row! {
    /// The columns of a notification that its user sees.
    Row of "notifications" {
        {
            id: String as Text,
            kind: String as Text,
            params: String as Text,
            bet_id: Option<String> as Nullable<Text>,
            read_at: Option<i64> as Nullable<BigInt>,
            created_at: i64 as BigInt,
        }
    }
}

fn view(row: Row) -> Result<NotificationView> {
    let cells = Cells { table: "notifications", id: &row.id };
    Ok(NotificationView {
        id: cells.parsed("id", &row.id)?,
        body: cells.known("kind or params", NoticeBody::parse(&row.kind, &row.params))?,
        bet: row.bet_id.map(|bet| cells.parsed("bet_id", &bet)).transpose()?,
        is_read: row.read_at.is_some(),
        created_at: cells.time("created_at", row.created_at)?,
    })
}

/// The notifications of a user, newest first.
pub(super) fn latest(conn: &mut Conn, user: UserId) -> QueryResult<Vec<Row>> {
    notifications::table
        .filter(notifications::user_id.eq(user.to_string()))
        .order(notifications::seq.desc())
        .select(Row::columns())
        .load(conn)
}

/// Converts rows to notifications. Leaves out those that another version of the program has written and that this version cannot
/// read, so that the user sees the others.
pub(super) fn views(rows: Vec<Row>) -> Vec<NotificationView> {
    let read = |row| view(row).inspect_err(|why| tracing::warn!(%why, "a notification cannot be read")).ok();
    rows.into_iter().take(kept!()).filter_map(read).collect()
}
