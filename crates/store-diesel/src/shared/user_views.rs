//! Rows of users with their balances, and their conversion to types of the domain.

use bolts_kernel::{Currency, PerCurrency};
use bolts_ports::{Result, SessionView, UserView};

use super::rows::Cells;

/// A row of a query for users: the columns of the user, the expiry of the one-time password, and one balance
/// (currency and amount). The query returns one row for each account of a user. If a user has no account, it
/// returns one row without a balance.
pub(super) type UserRow = (UserColumns, Option<i64>, Option<(String, i64)>);

/// The columns of a user: id, e-mail address, username, first name, last name, whether the user is an admin,
/// whether the user has a second factor, time of registration.
pub(super) type UserColumns =
    (String, String, Option<String>, Option<String>, Option<String>, bool, bool, i64);

/// Converts rows to users. The rows of one user must follow each other.
pub(super) fn users(rows: Vec<UserRow>) -> Result<Vec<UserView>> {
    let mut users: Vec<UserView> = Vec::new();
    for (columns, one_time, balance) in rows {
        let (id, email, username, first_name, last_name, is_admin, has_second_factor, created_at) = columns;
        let cells = Cells { table: "users", id: &id };
        let parsed = cells.parsed("id", &id)?;
        if users.last().is_none_or(|last| last.id != parsed) {
            users.push(UserView {
                id: parsed,
                email,
                username,
                first_name,
                last_name,
                created_at: cells.time("created_at", created_at)?,
                balances: PerCurrency::default(),
                is_admin,
                has_second_factor,
                must_change_password: one_time.is_some(),
            });
        }
        if let (Some(user), Some((currency, units))) = (users.last_mut(), balance) {
            let currency: Currency = cells.parsed("currency", &currency)?;
            user.balances[currency] = cells.amount("balance", units)?;
        }
    }
    Ok(users)
}

/// A row of a session and its user. The columns of the session are the time of its last use and the time of its last proof.
pub(super) type SessionRow = ((i64, Option<i64>), UserRow);

/// The rows of a session, one for each balance of its user. Empty if there is no such session.
pub(super) type SessionRows = Vec<SessionRow>;

/// Converts the rows of a session.
pub(super) fn session(rows: SessionRows) -> Result<Option<SessionView>> {
    let (times, rows): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let (Some(user), Some(&(last_seen_at, proved_at))) = (users(rows)?.pop(), times.first()) else {
        return Ok(None);
    };
    let id = user.id.to_string();
    let cells = Cells { table: "sessions", id: &id };
    let last_seen_at = cells.time("last_seen_at", last_seen_at)?;
    Ok(Some(SessionView { user, last_seen_at, proved_at: cells.maybe_time("proved_at", proved_at)? }))
}

/// The text of a query after its columns: `$from`, which contains `users`, then joins with the users' credentials and available
/// balances, then `$rest`. It is text because rustc takes 10 s to compile the same join with Diesel.
macro_rules! with_balances {
    ($from:literal, $rest:literal) => {
        concat!(
            $from,
            " JOIN credentials ON credentials.user_id = users.id \
             LEFT JOIN accounts ON accounts.kind = 'available' AND accounts.owner = users.id ",
            $rest
        )
    };
}
pub(super) use with_balances;

/// The columns that [`users`] converts. The query must use [`with_balances`].
macro_rules! user_columns {
    () => {{
        use $crate::schema::{accounts, credentials, users};
        (
            (
                users::id,
                users::email,
                users::username,
                users::first_name,
                users::last_name,
                users::is_admin,
                users::has_second_factor,
                users::created_at,
            ),
            credentials::one_time_until,
            (accounts::currency, accounts::balance).nullable(),
        )
    }};
}
pub(super) use user_columns;
