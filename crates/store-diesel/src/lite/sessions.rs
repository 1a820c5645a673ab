use bolts_kernel::Timestamp;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::RunQueryDsl;

use super::Conn;
use super::prepared::{Backend, Bind, push_select};
use super::user_views::{SessionRow, SessionRows, user_columns, with_balances};
use crate::schema::sessions;

const LIVE_SESSION: &str = with_balances!(
    "FROM sessions JOIN users ON users.id = sessions.user_id",
    "WHERE sessions.hash = ? AND sessions.last_seen_at >= ? AND sessions.created_at >= ?"
);

/// The query for a live session. Diesel finds its prepared statement by this type and does not build its text, which saves
/// time because most requests run this query.
struct LiveSession<'a, C> {
    columns: C,
    binds: [Bind<'a>; 3],
}

impl<C: Expression> Query for LiveSession<'_, C> {
    type SqlType = C::SqlType;
}

impl<C: QueryFragment<Backend>> QueryFragment<Backend> for LiveSession<'_, C> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        push_select(&self.columns, LIVE_SESSION, &self.binds, out)
    }
}

impl<C: 'static> QueryId for LiveSession<'_, C> {
    type QueryId = LiveSession<'static, C>;
}

impl<C> RunQueryDsl<Conn> for LiveSession<'_, C> {}

/// The rows of the live sessions with these hashes, in their order. One statement for each session is the fastest way on
/// SQLite.
pub(super) fn rows(
    conn: &mut Conn,
    hashes: &[String],
    idle_after: Timestamp,
    born_after: Timestamp,
) -> QueryResult<Vec<SessionRows>> {
    let rows = |hash: &String| {
        let binds = [hash.into(), idle_after.micros().into(), born_after.micros().into()];
        let columns = ((sessions::last_seen_at, sessions::proved_at), user_columns!());
        LiveSession { columns, binds }.load::<SessionRow>(conn)
    };
    hashes.iter().map(rows).collect()
}
