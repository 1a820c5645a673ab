//! The deletion of accounts.

use bolts_kernel::{Amount, BetId, DepositId, Timestamp, UserId};
use bolts_ports::{DepartureQueries, Departures, LateDeposit, Result, Ties, name_of_deleted};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::prepared;
use super::rows::Cells;
use super::transaction::Transaction;
use super::{Conn, Handle, reserve};
use crate::schema::{pictures, users};

/// The condition for bets that have not ended, as in the indexes of the parties' open bets.
macro_rules! open {
    () => {
        "bets.settled_at IS NULL"
    };
}

/// The condition for bets that have not ended, as in the index `bets_arbitrated`.
macro_rules! open_of_arbiter {
    () => {
        "bets.status IN ('pending', 'accepted', 'awaiting_resolution') AND bets.deleted_at IS NULL"
    };
}

/// The condition of the index `bets_arbitrated` for the status of the arbiter.
macro_rules! active_arbiter {
    () => {
        "(bets.arbiter_status = 'invited' OR bets.arbiter_status = 'accepted' OR bets.arbiter_status = 'out_of_time')"
    };
}

pub(super) use active_arbiter;

/// The number of open bets that fulfil a condition.
macro_rules! bets_where {
    ($condition:expr) => {
        bets_where!($condition, open!())
    };
    ($condition:expr, $open:expr) => {
        concat!("(SELECT COUNT(*) FROM bets WHERE ", $condition, " AND ", $open, ")")
    };
}

/// `$1` stands for the user's id.
pub(super) const TIES: &str = concat!(
    "SELECT ",
    bets_where!("bets.creator_id = $1 AND bets.disputed_at IS NULL"),
    " + ",
    bets_where!("bets.acceptor_id = $1 AND bets.disputed_at IS NULL"),
    " AS open_bets, ",
    bets_where!("bets.creator_id = $1 AND bets.disputed_at IS NOT NULL"),
    " + ",
    bets_where!("bets.acceptor_id = $1 AND bets.disputed_at IS NOT NULL"),
    " AS disputed_bets, ",
    bets_where!(
        concat!("bets.arbiter_id = $1 AND bets.arbiter_status = 'accepted' AND ", active_arbiter!()),
        open_of_arbiter!()
    ),
    " AS arbiter_tasks,
    (SELECT COUNT(*) FROM withdrawals WHERE user_id = $1 AND next_at IS NOT NULL) AS withdrawals,
    (SELECT COUNT(*) FROM deposits WHERE user_id = $1 AND status = 'open') AS open_deposits,
    COALESCE((SELECT balance FROM accounts WHERE kind = 'available' AND owner = $1 AND currency = 'sats'), 0) AS sats"
);

#[derive(QueryableByName)]
struct TiesRow {
    #[diesel(sql_type = BigInt)]
    open_bets: i64,
    #[diesel(sql_type = BigInt)]
    disputed_bets: i64,
    #[diesel(sql_type = BigInt)]
    arbiter_tasks: i64,
    #[diesel(sql_type = BigInt)]
    withdrawals: i64,
    #[diesel(sql_type = BigInt)]
    open_deposits: i64,
    #[diesel(sql_type = BigInt)]
    sats: i64,
}

/// The row of [`TIES`], the end of the cooldown, and whether the user is the last admin.
type Found = (TiesRow, Option<i64>, bool);

fn found(conn: &mut Conn, user: UserId) -> QueryResult<Found> {
    let id = user.to_string();
    let row = diesel::sql_query(TIES).bind::<Text, _>(&id).get_result::<TiesRow>(conn)?;
    let columns = (users::withdrawals_rest_until, users::is_admin);
    let known = users::table.find(&id).select(columns).get_result::<(Option<i64>, bool)>(conn).optional()?;
    let (until, is_admin) = known.unwrap_or_default();
    let others = users::table.filter(users::is_admin.eq(true)).filter(users::id.ne(&id));
    let is_last = is_admin && !diesel::select(diesel::dsl::exists(others)).get_result::<bool>(conn)?;
    Ok((row, until, is_last))
}

fn ties(user: UserId, (row, until, is_last_admin): Found) -> Result<Ties> {
    let id = user.to_string();
    let cells = Cells { table: "users", id: &id };
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Ties {
        open_bets: number(row.open_bets),
        disputed_bets: number(row.disputed_bets),
        arbiter_tasks: number(row.arbiter_tasks),
        withdrawals: number(row.withdrawals),
        open_deposits: number(row.open_deposits),
        sats: cells.known("balance", Amount::new(row.sats).ok())?,
        cooldown_until: cells.maybe_time("withdrawals_rest_until", until)?,
        is_last_admin,
    })
}

pub(super) const INVITATIONS: &str = concat!(
    "SELECT bets.id FROM bets WHERE bets.arbiter_id = $1 AND bets.arbiter_status = 'invited' AND ",
    active_arbiter!(),
    " AND ",
    open_of_arbiter!(),
    " ORDER BY bets.seq"
);

/// The deposits that were credited to deleted users. `late:` begins the key of their booking.
const LATE: &str = "SELECT deposits.id, deposits.user_id, deposits.credited, deposits.paid_at, booked.created_at AS booked_at
    FROM deposits JOIN users ON users.id = deposits.user_id
    LEFT JOIN transfers AS booked ON booked.key = 'late:' || deposits.id
    WHERE users.deleted_at IS NOT NULL AND deposits.status = 'paid' AND deposits.credited > 0
        AND deposits.paid_at >= users.deleted_at";

#[derive(QueryableByName)]
struct LateRow {
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = Text)]
    user_id: String,
    #[diesel(sql_type = BigInt)]
    credited: i64,
    #[diesel(sql_type = BigInt)]
    paid_at: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    booked_at: Option<i64>,
}

fn late(row: &LateRow) -> Result<LateDeposit> {
    let cells = Cells { table: "deposits", id: &row.id };
    Ok(LateDeposit {
        id: cells.parsed("id", &row.id)?,
        user: cells.parsed("user_id", &row.user_id)?,
        amount: cells.amount("credited", row.credited)?,
        paid_at: cells.time("paid_at", row.paid_at)?,
        booked_at: cells.maybe_time("booked_at", row.booked_at)?,
    })
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = Text)]
    id: String,
}

/// The tables whose rows of a user a deletion removes. The rows of all other tables stay.
const REMOVED: [&str; 12] = [
    "sessions",
    "credentials",
    "totp",
    "passkeys",
    "api_keys",
    "recovery_codes",
    "challenges",
    "notifications",
    "notification_preferences",
    "mail_tokens",
    "destinations",
    "idempotency",
];

/// Removes the deliveries of a user, and the mails to the user's address that name no user.
const REMOVE_DELIVERIES: &str =
    "DELETE FROM deliveries WHERE user_id = ? OR address = (SELECT email FROM users WHERE id = ?)";

/// Removes the texts of messages that are no part of a bet of their author.
const REMOVE_TEXTS: &str = "UPDATE messages SET body = NULL, deleted_at = ?, deleted_by = author_id
    WHERE author_id = ? AND body IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM bets WHERE bets.id = messages.bet_id AND (bets.creator_id = messages.author_id
            OR bets.acceptor_id = messages.author_id OR bets.arbiter_id = messages.author_id))";

/// The time of the last credit of a deposit to a user, or 0. Because of `+ 0`, PostgreSQL does not
/// use the index of `paid_at`, in which it would read the newest deposits of all users.
const LAST_CREDIT: &str = "SELECT COALESCE(MAX(paid_at + 0), 0) AS last FROM deposits WHERE user_id = ?";

/// The time of a deletion that begins at `at`: after the credit of every deposit to the user, even if the clock was
/// ahead at a credit.
fn time_of_deletion(conn: &mut Conn, user: &str, at: Timestamp) -> QueryResult<i64> {
    let last = prepared::number(conn, LAST_CREDIT, [user.into()])?;
    Ok(at.micros().max(last + 1))
}

impl Departures for Transaction<'_> {
    fn is_here(&mut self, user: UserId) -> Result<bool> {
        let found = self.run(|conn| {
            let here = users::table.find(user.to_string()).filter(users::deleted_at.is_null());
            kept!(here.select(users::id)).get_result::<String>(conn).optional()
        })?;
        Ok(found.is_some())
    }

    fn deleted_at(&mut self, user: UserId) -> Result<Option<Timestamp>> {
        let id = user.to_string();
        let found = self.run(|conn| {
            let row = users::table.find(&id).select(users::deleted_at);
            kept!(row).get_result::<Option<i64>>(conn).optional()
        })?;
        let cells = Cells { table: "users", id: &id };
        self.remember(cells.maybe_time("deleted_at", found.flatten()))
    }

    fn lock_user(&mut self, user: UserId) -> Result<bool> {
        let is_admin = self.run(|conn| {
            let here = users::table.find(user.to_string()).filter(users::deleted_at.is_null());
            let is_admin = owned!(here.select(users::is_admin)).get_result::<bool>(conn).optional()?;
            if is_admin == Some(true) {
                reserve(conn, "deletion of", "an admin")?;
            }
            Ok(is_admin)
        })?;
        Ok(is_admin.is_some())
    }

    fn ties(&mut self, user: UserId) -> Result<Ties> {
        let found = self.run(|conn| found(conn, user))?;
        self.remember(ties(user, found))
    }

    fn open_invitations(&mut self, user: UserId) -> Result<Vec<BetId>> {
        let rows = self.run(|conn| {
            diesel::sql_query(INVITATIONS).bind::<Text, _>(user.to_string()).load::<IdRow>(conn)
        })?;
        let id = |row: &IdRow| Cells { table: "bets", id: &row.id }.parsed("id", &row.id);
        self.remember(rows.iter().map(id).collect())
    }

    fn erase(&mut self, user: UserId, at: Timestamp) -> Result<()> {
        let (id, name) = (user.to_string(), name_of_deleted(user));
        let touched = self.run(|conn| {
            for table in REMOVED {
                let sql = format!("DELETE FROM {table} WHERE user_id = ?");
                prepared::execute(conn, &sql, [(&id).into()])?;
            }
            prepared::execute(conn, REMOVE_DELIVERIES, [(&id).into(), (&id).into()])?;
            let own = pictures::table.filter(pictures::author_id.eq(&id));
            diesel::delete(own.filter(pictures::message_id.is_null())).execute(conn)?;
            prepared::execute(conn, REMOVE_TEXTS, [at.micros().into(), (&id).into()])?;
            let deleted_at = time_of_deletion(conn, &id, at)?;
            diesel::update(users::table.find(&id))
                .set((
                    users::email.eq(&name),
                    users::username.eq(&name),
                    users::first_name.eq(None::<String>),
                    users::last_name.eq(None::<String>),
                    users::is_admin.eq(false),
                    users::has_second_factor.eq(false),
                    users::withdrawals_rest_until.eq(None::<i64>),
                    users::deleted_at.eq(deleted_at),
                ))
                .execute(conn)
        })?;
        self.people.remove(&user);
        self.expect_rows(touched, 1, "deleting a user")
    }

    fn late_deposit(&mut self, id: DepositId) -> Result<Option<LateDeposit>> {
        let row = self.run(|conn| {
            let one = diesel::sql_query(format!("{LATE} AND deposits.id = $1"));
            one.bind::<Text, _>(id.to_string()).get_result::<LateRow>(conn).optional()
        })?;
        self.remember(row.as_ref().map(late).transpose())
    }
}

impl DepartureQueries for Handle {
    fn ties_of(&self, user: UserId) -> Result<Ties> {
        ties(user, self.read(|conn| found(conn, user))?)
    }

    fn late_deposits(&self) -> Result<Vec<LateDeposit>> {
        let all = format!("{LATE} ORDER BY deposits.paid_at, deposits.seq");
        let rows = self.read(|conn| diesel::sql_query(&all).load::<LateRow>(conn))?;
        rows.iter().map(late).collect()
    }
}
