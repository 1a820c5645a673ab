use bolts_kernel::Timestamp;
use diesel::prelude::*;

use super::Conn;
use super::prepared::{Select, Sql};
use super::user_views::{SessionRow, SessionRows, user_columns};
use crate::schema::sessions;

diesel::table! {
    wanted (place) {
        place -> BigInt,
    }
}

/// The FROM clause for the live sessions whose hashes are in a list with commas. `OFFSET 0` makes PostgreSQL look up each
/// row by its key, whatever the statistics say. The inner `SELECT` hides the number of hashes from the planner. If
/// PostgreSQL knew that a list has only one hash, it would plan the statement again at each call, which takes four times as
/// long as the statement.
const FROM_SESSIONS: &str = "FROM unnest((SELECT string_to_array(?, ','))) WITH ORDINALITY AS wanted (wanted_hash, place) \
    CROSS JOIN LATERAL (SELECT * FROM sessions WHERE hash = wanted_hash OFFSET 0) AS sessions \
    CROSS JOIN LATERAL (SELECT * FROM users WHERE id = sessions.user_id OFFSET 0) AS users \
    CROSS JOIN LATERAL (SELECT * FROM credentials WHERE user_id = users.id OFFSET 0) AS credentials \
    LEFT JOIN LATERAL (SELECT * FROM accounts WHERE kind = 'available' AND owner = users.id OFFSET 0) AS accounts \
        ON TRUE \
    WHERE sessions.last_seen_at >= ? AND sessions.created_at >= ?";

/// The rows of the live sessions with these hashes, in their order. One statement reads all of them, because each
/// statement costs a round trip.
pub(super) fn rows(
    conn: &mut Conn,
    hashes: &[String],
    idle_after: Timestamp,
    born_after: Timestamp,
) -> QueryResult<Vec<SessionRows>> {
    let binds = [hashes.join(",").into(), idle_after.micros().into(), born_after.micros().into()];
    let from = Sql::new(FROM_SESSIONS, binds);
    let columns = (wanted::place, ((sessions::last_seen_at, sessions::proved_at), user_columns!()));
    let query = Select { columns, from, is_kept: true };
    let mut found = vec![SessionRows::new(); hashes.len()];
    for (place, row) in query.load::<(i64, SessionRow)>(conn)? {
        // Places count from 1.
        if let Some(rows) = usize::try_from(place - 1).ok().and_then(|place| found.get_mut(place)) {
            rows.push(row);
        }
    }
    Ok(found)
}
