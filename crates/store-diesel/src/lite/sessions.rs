use bolts_kernel::Timestamp;
use diesel::prelude::*;

use super::Conn;
use super::user_views::{SessionRows, UserRow, user_columns, with_balances};
use crate::schema::{credentials, sessions, users};

/// The rows of the live sessions with these hashes, in their order. One statement for each session is the fastest way on
/// SQLite.
pub(super) fn rows(
    conn: &mut Conn,
    hashes: &[String],
    idle_after: Timestamp,
    born_after: Timestamp,
) -> QueryResult<Vec<SessionRows>> {
    let rows = |hash: &String| {
        let joined = sessions::table
            .inner_join(users::table)
            .inner_join(credentials::table.on(credentials::user_id.eq(users::id)));
        with_balances!(joined)
            .select((sessions::last_seen_at, user_columns!()))
            .filter(sessions::hash.eq(hash))
            .filter(sessions::last_seen_at.ge(idle_after.micros()))
            .filter(sessions::created_at.ge(born_after.micros()))
            .load::<(i64, UserRow)>(conn)
    };
    hashes.iter().map(rows).collect()
}
