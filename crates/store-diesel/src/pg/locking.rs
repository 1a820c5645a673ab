use diesel::QueryResult;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::RunQueryDsl;

use super::Conn;

/// A query with `FOR NO KEY UPDATE OF`, which Diesel does not have.
pub(super) struct LockedOf<Q> {
    pub(super) query: Q,
    pub(super) tables: &'static str,
    pub(super) waits: bool,
}

impl<Q> QueryId for LockedOf<Q> {
    type QueryId = ();
    // Diesel caches the statement by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for LockedOf<Q> {
    type SqlType = Q::SqlType;
}

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for LockedOf<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.query.walk_ast(out.reborrow())?;
        out.push_sql(" FOR NO KEY UPDATE OF ");
        out.push_sql(self.tables);
        if !self.waits {
            out.push_sql(" SKIP LOCKED");
        }
        Ok(())
    }
}

impl<Q> RunQueryDsl<Conn> for LockedOf<Q> {}
