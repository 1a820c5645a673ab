//! Frequent statements with a fixed text, which are prepared once and used many times.
//!
//! Diesel prepares its own UPDATEs and upserts again at each call, because their columns may differ from call
//! to call. Each time SQLite also compiles the triggers of the table, which costs more than the run of the
//! statement. The statements of this module avoid this cost.
//!
//! For the same reason no query uses Diesel's `first`. That method binds LIMIT as a parameter, and SQLite
//! prepares a statement again whenever a LIMIT parameter is set. `get_result` also returns the first row,
//! without LIMIT.

use std::borrow::Cow;
use std::marker::PhantomData;

use bolts_kernel::{Currency, UserId};
use bolts_ports::{IdempotencyKey, Result, StoreError};
use diesel::QueryResult;
use diesel::connection::Connection;
use diesel::expression::{
    AppearsOnTable, Expression, SelectableExpression, TypedExpressionType, ValidGrouping, is_aggregate,
};
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::{LoadQuery, RunQueryDsl};
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::Conn;
use super::failure::failure;

pub(super) type Backend = <Conn as Connection>::Backend;

/// The value of one parameter (`?`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bind<'a> {
    Text(Option<Cow<'a, str>>),
    Number(Option<i64>),
    Truth(bool),
}

impl Bind<'_> {
    pub(super) fn into_owned(self) -> Bind<'static> {
        match self {
            Self::Text(text) => Bind::Text(text.map(|text| Cow::Owned(text.into_owned()))),
            Self::Number(number) => Bind::Number(number),
            Self::Truth(truth) => Bind::Truth(truth),
        }
    }

    /// About the length of the stored value in bytes.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.as_deref().map_or(0, str::len),
            Self::Number(number) => number.map_or(0, |_| size_of::<i64>()),
            Self::Truth(_) => 0,
        }
    }
}

impl<'a> From<&'a str> for Bind<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(Cow::Borrowed(text)))
    }
}

impl<'a> From<&'a String> for Bind<'a> {
    fn from(text: &'a String) -> Self {
        text.as_str().into()
    }
}

impl<'a> From<&'a Option<String>> for Bind<'a> {
    fn from(text: &'a Option<String>) -> Self {
        Self::Text(text.as_deref().map(Cow::Borrowed))
    }
}

impl From<String> for Bind<'_> {
    fn from(text: String) -> Self {
        Self::Text(Some(Cow::Owned(text)))
    }
}

impl From<Option<String>> for Bind<'_> {
    fn from(text: Option<String>) -> Self {
        Self::Text(text.map(Cow::Owned))
    }
}

impl From<i64> for Bind<'_> {
    fn from(number: i64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<&i64> for Bind<'_> {
    fn from(number: &i64) -> Self {
        Self::Number(Some(*number))
    }
}

impl From<&Option<i64>> for Bind<'_> {
    fn from(number: &Option<i64>) -> Self {
        Self::Number(*number)
    }
}

impl From<&bool> for Bind<'_> {
    fn from(truth: &bool) -> Self {
        Self::Truth(*truth)
    }
}

/// A statement that changes rows and whose result the job does not need.
pub(super) struct Write {
    pub(super) sql: Cow<'static, str>,
    pub(super) binds: Vec<Bind<'static>>,
    #[allow(dead_code, reason = "SQLite runs each statement at once")]
    pub(super) place: Place,
    /// The number of rows that the statement must change.
    pub(super) rows: usize,
    /// The error if the statement changes another number of rows. Without it, the error is `Broken`.
    pub(super) otherwise: Option<StoreError>,
}

impl Write {
    /// A statement that must change one row.
    pub(super) fn one(sql: &'static str, place: Place, binds: impl Into<Vec<Bind<'static>>>) -> Self {
        Self { sql: sql.into(), binds: binds.into(), place, rows: 1, otherwise: None }
    }

    /// The same statement with this error if it changes another number of rows than it must.
    pub(super) fn or(self, otherwise: StoreError) -> Self {
        Self { otherwise: Some(otherwise), ..self }
    }

    /// Runs the statement, and checks the number of rows that it changed.
    pub(super) fn run(&self, conn: &mut Conn) -> Result<()> {
        self.check(execute(conn, &self.sql, &self.binds).map_err(failure)?)
    }

    /// Checks the number of rows that the statement changed.
    pub(super) fn check(&self, touched: usize) -> Result<()> {
        self.check_against(touched, self.rows)
    }

    /// Checks the number of rows that this statement or several such statements changed.
    pub(super) fn check_against(&self, touched: usize, rows: usize) -> Result<()> {
        if touched == rows {
            return Ok(());
        }
        let broken = || StoreError::Broken(format!("{touched} rows instead of {rows}: {}", self.sql));
        Err(self.otherwise.clone().unwrap_or_else(broken))
    }
}

/// The rows that a [`Write`] touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// New rows that no other statement of the job reads or changes.
    New,
    /// The same, and other new rows refer to them (foreign key).
    Parent,
    /// The row of the bet with this `seq`.
    Bet(i64),
    /// The positions of the bet with this `seq`, which belong to these users.
    Positions(i64, [Option<UserId>; 2]),
    Figures(UserId, Currency),
    Tiles,
    /// A new transfer, with the ids of the accounts whose balances it moves.
    Transfer([i64; 2]),
    Key(IdempotencyKey),
    /// The row of the rate limit with this bucket.
    Throttle(String),
}

impl Place {
    /// Whether two statements touch the same rows, so that they must not be parts of one statement.
    #[allow(dead_code, reason = "SQLite runs each statement at once")]
    pub(super) fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Positions(one, _), Self::Positions(other, _)) => one == other,
            // One statement may insert many transfers. A trigger adds up what they move.
            (Self::New | Self::Parent | Self::Transfer(_), _) => false,
            _ => self == other,
        }
    }

    /// Whether the statement changes statistics of this user.
    pub(super) fn is_of(&self, user: UserId) -> bool {
        matches!(self, Self::Figures(of, _) if *of == user)
    }

    /// Whether the statement moves the balance of this account.
    pub(super) fn moves(&self, account: i64) -> bool {
        matches!(self, Self::Transfer(accounts) if accounts.contains(&account))
    }
}

/// A part of a statement, with the values of its `?`.
#[derive(Clone, Debug, Default)]
pub(super) struct Sql {
    pub(super) text: String,
    pub(super) binds: Vec<Bind<'static>>,
}

impl Sql {
    pub(super) fn new(text: impl Into<String>, binds: impl Into<Vec<Bind<'static>>>) -> Self {
        Self { text: text.into(), binds: binds.into() }
    }

    /// The parts one after the other, with a separator between them.
    pub(super) fn join(parts: Vec<Self>, separator: &str) -> Self {
        let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
        Self { text: texts.join(separator), binds: parts.into_iter().flat_map(|part| part.binds).collect() }
    }
}

/// A query whose columns are Diesel's and whose other parts are text.
pub(super) struct Select<C> {
    pub(super) columns: C,
    /// All parts after the columns.
    pub(super) from: Sql,
    /// Whether the statement stays prepared. There must be few texts of such statements, because each connection
    /// keeps all of them.
    pub(super) is_kept: bool,
}

impl<C: Expression> Query for Select<C> {
    type SqlType = C::SqlType;
}

impl<C: QueryFragment<Backend>> QueryFragment<Backend> for Select<C> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        if !self.is_kept {
            out.unsafe_to_cache_prepared();
        }
        push_select(&self.columns, &self.from.text, &self.from.binds, out)
    }
}

impl<C> QueryId for Select<C> {
    type QueryId = ();
    // Diesel caches the statement by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<C> RunQueryDsl<Conn> for Select<C> {}

/// The text of a [`Column`]. It belongs to a type, so that Diesel finds a prepared statement by the type of its query.
pub(super) trait Fixed: Copy + 'static {
    type SqlType: TypedExpressionType + 'static;
    const SQL: &'static str;
}

/// A column of a query whose SQL is fixed text.
#[derive(Clone, Copy)]
pub(super) struct Column<T>(pub(super) T);

impl<T: Fixed> Expression for Column<T> {
    type SqlType = T::SqlType;
}

impl<T: Fixed> QueryFragment<Backend> for Column<T> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        out.push_sql(T::SQL);
        Ok(())
    }
}

impl<T: Fixed> QueryId for Column<T> {
    type QueryId = Self;
}

impl<T> ValidGrouping<()> for Column<T> {
    type IsAggregate = is_aggregate::No;
}

impl<T: Fixed, Tables> AppearsOnTable<Tables> for Column<T> {}
impl<T: Fixed, Tables> SelectableExpression<Tables> for Column<T> {}

/// Defines the type of a column's text.
macro_rules! column {
    ($(#[$meta:meta])* $text:ident: $type:ty = $sql:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub(super) struct $text;

        impl super::prepared::Fixed for $text {
            type SqlType = $type;
            const SQL: &'static str = $sql;
        }
    };
}

pub(super) use column;

/// A prepared statement whose result has the SQL type `S`.
pub(super) struct Prepared<'a, S = BigInt> {
    result: PhantomData<S>,
    /// The text between the `?`. Diesel walks through a statement three times for each run.
    parts: Vec<&'a str>,
    binds: &'a [Bind<'a>],
}

impl<'a, S> Prepared<'a, S> {
    fn new(sql: &'a str, binds: &'a [Bind<'a>]) -> Self {
        Self { result: PhantomData, parts: sql.split('?').collect(), binds }
    }
}

/// Runs a statement that has `?` for each parameter. Each `?` becomes a parameter in the syntax of the
/// database. The text must not contain any other question mark.
pub(super) fn execute<'a>(conn: &mut Conn, sql: &str, binds: impl AsRef<[Bind<'a>]>) -> QueryResult<usize> {
    Prepared::<BigInt>::new(sql, binds.as_ref()).execute(conn)
}

/// The number that such a statement returns.
pub(super) fn number<'a>(conn: &mut Conn, sql: &str, binds: impl AsRef<[Bind<'a>]>) -> QueryResult<i64> {
    Prepared::<BigInt>::new(sql, binds.as_ref()).get_result(conn)
}

/// The row of the SQL type `S` that such a statement returns.
pub(super) fn row<'a, 'q, S, R>(conn: &mut Conn, sql: &'q str, binds: &'q [Bind<'a>]) -> QueryResult<R>
where
    Prepared<'q, S>: LoadQuery<'q, Conn, R>,
    'a: 'q,
{
    Prepared::new(sql, binds).get_result(conn)
}

/// The numbers in the single column that such a statement returns. Diesel's `sql_query` would prepare the
/// statement again each time.
pub(super) fn numbers<'a>(
    conn: &mut Conn,
    sql: &str,
    binds: impl AsRef<[Bind<'a>]>,
) -> QueryResult<Vec<i64>> {
    Prepared::<BigInt>::new(sql, binds.as_ref()).load(conn)
}

impl<S> Query for Prepared<'_, S> {
    type SqlType = S;
}

impl<S> QueryFragment<Backend> for Prepared<'_, S> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        push(self.parts.iter().copied(), self.binds, out)
    }
}

/// Adds a query: its columns, and the text after them with its parameters.
pub(super) fn push_select<'b>(
    columns: &'b impl QueryFragment<Backend>,
    text: &'b str,
    binds: &'b [Bind<'_>],
    mut out: AstPass<'_, 'b, Backend>,
) -> QueryResult<()> {
    out.push_sql("SELECT ");
    columns.walk_ast(out.reborrow())?;
    out.push_sql(" ");
    push(text.split('?'), binds, out)
}

/// Adds the parts of a text with the parameters between them.
fn push<'b>(
    mut parts: impl Iterator<Item = &'b str>,
    binds: &'b [Bind<'_>],
    mut out: AstPass<'_, 'b, Backend>,
) -> QueryResult<()> {
    out.push_sql(parts.next().unwrap_or_default());
    for (part, bind) in parts.zip(binds) {
        match bind {
            Bind::Text(text) => out.push_bind_param::<Nullable<Text>, _>(text)?,
            Bind::Number(number) => out.push_bind_param::<Nullable<BigInt>, _>(number)?,
            Bind::Truth(truth) => out.push_bind_param::<Bool, _>(truth)?,
        }
        out.push_sql(part);
    }
    Ok(())
}

impl<S> QueryId for Prepared<'_, S> {
    type QueryId = ();
    // Diesel caches the statement by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<S> RunQueryDsl<Conn> for Prepared<'_, S> {}
