//! Frequent statements with a fixed text, which are prepared once and used many times.
//!
//! Diesel prepares its own UPDATEs and upserts again at each call, because their columns may differ from call
//! to call. Each time SQLite also compiles the triggers of the table, which costs more than the run of the
//! statement. The statements of this module avoid this cost.
//!
//! For the same reason no query uses Diesel's `first`. That method binds LIMIT as a parameter, and SQLite
//! prepares a statement again whenever a LIMIT parameter is set. `get_result` also returns the first row,
//! without LIMIT.

use diesel::QueryResult;
use diesel::connection::Connection;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::RunQueryDsl;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::Conn;

type Backend = <Conn as Connection>::Backend;

/// The value of one parameter (`?`).
pub(super) enum Bind<'a> {
    Text(Option<&'a str>),
    Number(Option<i64>),
    Truth(bool),
}

impl<'a> From<&'a str> for Bind<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(text))
    }
}

impl<'a> From<&'a String> for Bind<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(Some(text))
    }
}

impl<'a> From<&'a Option<String>> for Bind<'a> {
    fn from(text: &'a Option<String>) -> Self {
        Self::Text(text.as_deref())
    }
}

impl From<i64> for Bind<'_> {
    fn from(number: i64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<Option<i64>> for Bind<'_> {
    fn from(number: Option<i64>) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Bind<'_> {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

struct Prepared<'a, const N: usize> {
    sql: &'static str,
    binds: [Bind<'a>; N],
}

/// Runs a statement that has `?` for each parameter. Each `?` becomes a parameter in the syntax of the
/// database. The text must not contain any other question mark.
pub(super) fn execute<const N: usize>(
    conn: &mut Conn,
    sql: &'static str,
    binds: [Bind<'_>; N],
) -> QueryResult<usize> {
    Prepared { sql, binds }.execute(conn)
}

/// Runs a statement like [`execute`] and returns the numbers in its only column. Diesel's `sql_query` would
/// prepare the statement again at each call.
pub(super) fn numbers<const N: usize>(
    conn: &mut Conn,
    sql: &'static str,
    binds: [Bind<'_>; N],
) -> QueryResult<Vec<i64>> {
    Prepared { sql, binds }.load(conn)
}

impl<const N: usize> Query for Prepared<'_, N> {
    type SqlType = BigInt;
}

impl<const N: usize> QueryFragment<Backend> for Prepared<'_, N> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        let mut parts = self.sql.split('?');
        out.push_sql(parts.next().unwrap_or_default());
        for (part, bind) in parts.zip(&self.binds) {
            match bind {
                Bind::Text(text) => out.push_bind_param::<Nullable<Text>, _>(text)?,
                Bind::Number(number) => out.push_bind_param::<Nullable<BigInt>, _>(number)?,
                Bind::Truth(truth) => out.push_bind_param::<Bool, _>(truth)?,
            }
            out.push_sql(part);
        }
        Ok(())
    }
}

impl<const N: usize> QueryId for Prepared<'_, N> {
    type QueryId = ();
    // Without a static id, Diesel caches the prepared statement by its SQL text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<const N: usize> RunQueryDsl<Conn> for Prepared<'_, N> {}
