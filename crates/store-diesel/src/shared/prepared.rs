//! Frequent write statements, kept prepared.
//!
//! Diesel prepares every UPDATE and every upsert again, because their columns may differ from call to call.
//! SQLite also compiles the triggers of the table then, which costs more than the statement itself. Here the
//! text of a statement is fixed.
//!
//! For the same reason no look-up uses Diesel's `first`. It binds LIMIT as a parameter, and SQLite prepares a
//! statement again whenever a bound LIMIT is set. `get_result` also reads the first row.

use diesel::QueryResult;
use diesel::connection::Connection;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::RunQueryDsl;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::Conn;

type Backend = <Conn as Connection>::Backend;

/// The value of one `?`.
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

/// Runs a statement with `?` for its parameters, which each database numbers in its own way. The text must
/// not contain any other question mark.
pub(super) fn execute<const N: usize>(
    conn: &mut Conn,
    sql: &'static str,
    binds: [Bind<'_>; N],
) -> QueryResult<usize> {
    Prepared { sql, binds }.execute(conn)
}

/// The numbers in the single column that such a statement returns. Diesel's `sql_query` would prepare the
/// statement again each time.
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
    // Diesel caches the statement by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<const N: usize> RunQueryDsl<Conn> for Prepared<'_, N> {}
