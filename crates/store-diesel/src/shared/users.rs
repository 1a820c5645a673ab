use bolts_kernel::{SessionId, Timestamp, UserId};
use bolts_ports::{Credentials, NamedUser, NewSession, NewUser, Profile, Result, Sessions, UserView, Users};
use diesel::prelude::*;

use super::prepared::{Select, Sql};
use super::rows::Cells;
use super::transaction::Transaction;
use super::user_views::{self, UserRow, user_columns, with_balances};
use super::{Conn, remove_some, reserve, user_figures};
use crate::schema::{credentials, destinations, sessions, users};

/// The columns of a [`CredentialsRow`].
macro_rules! credentials_columns {
    () => {
        (
            credentials::user_id,
            credentials::password_hash,
            credentials::changed_at,
            credentials::one_time_until,
        )
    };
}

impl Users for Transaction<'_> {
    fn insert(&mut self, user: &NewUser) -> Result<bool> {
        let id = user.id.to_string();
        let row = (users::id.eq(&id), users::email.eq(&user.email), users::created_at.eq(user.at.micros()));
        // If the e-mail address exists already, the result is `false`. An id that exists already is an error,
        // because new ids must be unique.
        let added = self.run(|conn| {
            // A job that changes another user's address to this one waits, and then sees this user.
            reserve(conn, "email", &user.email)?;
            diesel::insert_into(users::table).values(row).on_conflict(users::email).do_nothing().execute(conn)
        })?;
        if added == 0 {
            return Ok(false);
        }
        let row = (
            credentials::user_id.eq(&id),
            credentials::password_hash.eq(&user.password_hash),
            credentials::changed_at.eq(user.at.micros()),
        );
        self.run(|conn| diesel::insert_into(credentials::table).values(row).execute(conn))?;
        self.run(|conn| user_figures::open(conn, &id))?;
        Ok(true)
    }

    fn view(&mut self, id: UserId) -> Result<Option<UserView>> {
        let rows = self.run(|conn| user_rows(conn, id))?;
        self.remember(user_views::users(rows).map(|mut users| users.pop()))
    }

    fn credentials(&mut self, email: &str) -> Result<Option<Credentials>> {
        let row = self.run(|conn| credentials_row(conn, email))?;
        self.remember(row.map(credentials_of).transpose())
    }

    fn lock_credentials(&mut self, user: UserId) -> Result<Option<Credentials>> {
        let row = self.run(|conn| {
            let row = credentials::table.find(user.to_string()).select(credentials_columns!());
            locked!(row).get_result::<CredentialsRow>(conn).optional()
        })?;
        self.remember(row.map(credentials_of).transpose())
    }

    fn begin_cooldown(&mut self, user: UserId, until: Timestamp) -> Result<()> {
        let touched = self.run(|conn| {
            let row = users::table.find(user.to_string());
            diesel::update(row).set(users::withdrawals_rest_until.eq(until.micros())).execute(conn)
        })?;
        self.expect_rows(touched, 1, "beginning a cooldown")
    }

    fn shorten_cooldowns(&mut self, latest: Timestamp) -> Result<()> {
        let latest = latest.micros();
        self.run(|conn| {
            diesel::update(users::table.filter(users::withdrawals_rest_until.gt(latest)))
                .set(users::withdrawals_rest_until.eq(latest))
                .execute(conn)
        })
        .map(drop)
    }

    fn lock_cooldown(&mut self, user: UserId) -> Result<Option<Timestamp>> {
        let id = user.to_string();
        let statement = |conn: &mut Conn, waits| {
            let row = users::table.find(&id).select(users::withdrawals_rest_until);
            locked_of!(row, "users", waits).get_result::<Option<i64>>(conn).optional()
        };
        let until = self.lock_ahead(statement, |_, _| false)?;
        let cells = Cells { table: "users", id: &id };
        self.remember(cells.maybe_time("withdrawals_rest_until", until.flatten()))
    }

    fn set_admin(&mut self, email: &str, is_admin: bool) -> Result<Option<UserId>> {
        let id = self.run(|conn| {
            let here = users::table.filter(users::email.eq(email)).filter(users::deleted_at.is_null());
            diesel::update(here)
                .set(users::is_admin.eq(is_admin))
                .returning(users::id)
                .get_result::<String>(conn)
                .optional()
        })?;
        self.remember(id.map(user_id).transpose())
    }

    fn admins(&mut self) -> Result<Vec<UserId>> {
        let ids = self.run(|conn| {
            let admins = users::table.filter(users::is_admin.eq(true));
            admins.order((users::created_at, users::id)).select(users::id).load::<String>(conn)
        })?;
        self.remember(ids.into_iter().map(user_id).collect())
    }

    fn by_username(&mut self, username: &str) -> Result<Option<UserId>> {
        let id = self.run(|conn| {
            let same = users::table.filter(lower(users::username).eq(username.to_lowercase()));
            let here = same.filter(users::deleted_at.is_null()).select(users::id);
            kept!(here).get_result::<String>(conn).optional()
        })?;
        self.remember(id.map(user_id).transpose())
    }

    fn set_profile(&mut self, id: UserId, profile: &Profile) -> Result<bool> {
        let id = id.to_string();
        let taken = self.run(|conn| {
            reserve(conn, "username", &profile.username.to_lowercase())?;
            let same = users::table.filter(lower(users::username).eq(profile.username.to_lowercase()));
            diesel::select(diesel::dsl::exists(same.filter(users::id.ne(&id)))).get_result::<bool>(conn)
        })?;
        if taken {
            return Ok(false);
        }
        let touched = self.run(|conn| {
            diesel::update(users::table.find(&id))
                .set((
                    users::username.eq(&profile.username),
                    users::first_name.eq(profile.first_name.as_deref()),
                    users::last_name.eq(profile.last_name.as_deref()),
                ))
                .execute(conn)
        })?;
        self.expect_rows(touched, 1, "setting a profile").map(|()| true)
    }

    fn set_password(
        &mut self,
        id: UserId,
        hash: &str,
        one_time_until: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<()> {
        let touched = self.run(|conn| {
            diesel::update(credentials::table.find(id.to_string()))
                .set((
                    credentials::password_hash.eq(hash),
                    credentials::one_time_until.eq(one_time_until.map(Timestamp::micros)),
                    credentials::changed_at.eq(at.micros()),
                ))
                .execute(conn)
        })?;
        self.expect_rows(touched, 1, "setting a password")
    }
}

diesel::define_sql_function! {
    /// The SQL function `lower`. The index on usernames uses the same expression.
    fn lower(text: diesel::sql_types::Nullable<diesel::sql_types::Text>) -> diesel::sql_types::Nullable<diesel::sql_types::Text>;
}

impl Sessions for Transaction<'_> {
    fn insert(&mut self, session: &NewSession) -> Result<()> {
        let row = (
            sessions::id.eq(session.id.to_string()),
            sessions::hash.eq(&session.hash),
            sessions::user_id.eq(session.user.to_string()),
            sessions::created_at.eq(session.at.micros()),
            sessions::last_seen_at.eq(session.at.micros()),
            sessions::device.eq(session.origin.device.as_deref()),
            sessions::network.eq(session.origin.network.as_deref()),
            sessions::proved_at.eq(session.proved_at.map(Timestamp::micros)),
        );
        self.run(|conn| diesel::insert_into(sessions::table).values(row).execute(conn)).map(drop)
    }

    fn lock_live(
        &mut self,
        hash: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Option<UserId>> {
        let owner = self.run(|conn| {
            let live = sessions::table
                .filter(sessions::hash.eq(hash))
                .filter(sessions::last_seen_at.ge(idle_after.micros()))
                .filter(sessions::created_at.ge(born_after.micros()))
                .select(sessions::user_id);
            locked!(live).get_result::<String>(conn).optional()
        })?;
        self.remember(owner.map(user_id).transpose())
    }

    fn touch(&mut self, hash: &str, at: Timestamp) -> Result<()> {
        self.run(|conn| {
            diesel::update(sessions::table.filter(sessions::hash.eq(hash)))
                .set(sessions::last_seen_at.eq(at.micros()))
                .execute(conn)
        })
        .map(drop)
    }

    // The session comes first in this function and the next ones: a browser that subscribes at this moment holds the
    // session's lock until its subscription is stored, so the second statement sees the subscription.
    fn renew(&mut self, hash: &str, new: &str) -> Result<()> {
        let renewed = self.run(|conn| {
            let session = sessions::table.filter(sessions::hash.eq(hash));
            let renewed = diesel::update(session).set(sessions::hash.eq(new)).execute(conn)?;
            let browsers = destinations::table.filter(destinations::session_hash.eq(hash));
            diesel::update(browsers).set(destinations::session_hash.eq(new)).execute(conn)?;
            Ok(renewed)
        })?;
        self.expect_rows(renewed, 1, "renewing a session")
    }

    fn end(&mut self, hash: &str) -> Result<Option<UserId>> {
        let owner = self.run(|conn| {
            let ended = diesel::delete(sessions::table.filter(sessions::hash.eq(hash)));
            let owner = ended.returning(sessions::user_id).get_result::<String>(conn).optional()?;
            diesel::delete(destinations::table.filter(destinations::session_hash.eq(hash))).execute(conn)?;
            Ok(owner)
        })?;
        self.remember(owner.map(user_id).transpose())
    }

    fn end_one(&mut self, user: UserId, id: SessionId) -> Result<bool> {
        let ended = self.run(|conn| {
            let own = sessions::table.filter(sessions::user_id.eq(user.to_string()));
            let ended = own.filter(sessions::id.eq(id.to_string()));
            let hash =
                diesel::delete(ended).returning(sessions::hash).get_result::<String>(conn).optional()?;
            let browsers = destinations::table.filter(destinations::session_hash.eq(hash.as_deref()));
            diesel::delete(browsers).execute(conn)?;
            Ok(hash.is_some())
        })?;
        Ok(ended)
    }

    fn end_others(&mut self, user: UserId, keep: Option<&str>) -> Result<u64> {
        let keep = keep.unwrap_or_default();
        let ended = self.run(|conn| {
            let own = sessions::table.filter(sessions::user_id.eq(user.to_string()));
            let ended = diesel::delete(own.filter(sessions::hash.ne(keep))).execute(conn)?;
            let browsers = destinations::table.filter(destinations::user_id.eq(user.to_string()));
            diesel::delete(browsers.filter(destinations::session_hash.ne(keep))).execute(conn)?;
            Ok(ended)
        })?;
        Ok(ended as u64)
    }

    fn end_unused(&mut self, user: UserId, keep: u32) -> Result<u64> {
        let ended = self.run(|conn| {
            let own = sessions::table.filter(sessions::user_id.eq(user.to_string()));
            let by_use = own.order((sessions::last_seen_at.desc(), sessions::id.desc()));
            // A statement has a limited number of parameters.
            let unused = by_use.offset(keep.into()).limit(1_000).select(sessions::hash);
            let unused = unused.load::<String>(conn)?;
            if unused.is_empty() {
                return Ok(0);
            }
            let ended =
                diesel::delete(sessions::table.filter(sessions::hash.eq_any(&unused))).execute(conn)?;
            let browsers = destinations::table.filter(destinations::session_hash.eq_any(&unused));
            diesel::delete(browsers).execute(conn)?;
            Ok(ended)
        })?;
        Ok(ended as u64)
    }

    fn remove_dead(&mut self, idle_after: Timestamp, born_after: Timestamp, limit: u32) -> Result<u64> {
        let times = [idle_after.micros(), born_after.micros()];
        let is_dead = "last_seen_at < ? OR created_at < ?";
        self.run(|conn| remove_some(conn, ("sessions", "id"), is_dead, &times, limit))
    }
}

fn user_id(id: String) -> Result<UserId> {
    Cells { table: "users", id: &id }.parsed("id", &id)
}

/// The rows of a user, one for each balance.
pub(super) fn user_rows(conn: &mut Conn, id: UserId) -> QueryResult<Vec<UserRow>> {
    let from = Sql::new(with_balances!("FROM users", "WHERE users.id = ?"), [id.to_string().into()]);
    Select { columns: user_columns!(), from, is_kept: true }.load(conn)
}

/// The users whose usernames begin with this text. The condition is a range of the index on usernames. No letter of a
/// username comes after `~`.
pub(super) fn named_users(
    conn: &mut Conn,
    beginning: &str,
    limit: u32,
) -> QueryResult<Vec<(String, Option<String>)>> {
    let beginning = beginning.to_lowercase();
    let end = format!("{beginning}~");
    let range = lower(users::username).ge(beginning).and(lower(users::username).lt(end));
    let here = users::table.filter(range).filter(users::deleted_at.is_null());
    let found = here.order(lower(users::username)).limit(i64::from(limit));
    found.select((users::id, users::username)).load(conn)
}

/// Converts rows to users with their names.
pub(super) fn named_users_of(rows: Vec<(String, Option<String>)>) -> Result<Vec<NamedUser>> {
    let named = |(id, username): (String, Option<String>)| {
        let username = Cells { table: "users", id: &id }.known("username", username)?;
        Ok(NamedUser { id: user_id(id)?, username })
    };
    rows.into_iter().map(named).collect()
}

/// Whether at least one user exists.
pub(super) fn has_users(conn: &mut Conn) -> QueryResult<bool> {
    diesel::select(diesel::dsl::exists(users::table.select(users::id))).get_result(conn)
}

/// The rows of all admins. The oldest account comes first.
pub(super) fn admin_rows(conn: &mut Conn) -> QueryResult<Vec<UserRow>> {
    let text = with_balances!("FROM users", "WHERE users.is_admin = ? ORDER BY users.created_at, users.id");
    Select { columns: user_columns!(), from: Sql::new(text, [(&true).into()]), is_kept: true }.load(conn)
}

/// The credentials of the user with this e-mail address.
pub(super) fn credentials_row(conn: &mut Conn, email: &str) -> QueryResult<Option<CredentialsRow>> {
    credentials::table
        .inner_join(users::table)
        .filter(users::email.eq(email))
        .select(credentials_columns!())
        .get_result(conn)
        .optional()
}

type CredentialsRow = (String, String, i64, Option<i64>);

/// Converts a row to credentials.
pub(super) fn credentials_of(
    (user, password_hash, changed, one_time): CredentialsRow,
) -> Result<Credentials> {
    let cells = Cells { table: "credentials", id: &user };
    let changed_at = cells.time("changed_at", changed)?;
    let one_time_until = cells.maybe_time("one_time_until", one_time)?;
    Ok(Credentials { user: user_id(user)?, password_hash, changed_at, one_time_until })
}
