//! Rows whose columns `table!` does not declare. They may have more columns than Diesel supports in a tuple.

use std::marker::PhantomData;

use diesel::QueryResult;
use diesel::expression::{
    AppearsOnTable, Expression, SelectableExpression, TypedExpressionType, ValidGrouping, is_aggregate,
};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};

use super::Conn;
use super::prepared::{self, Backend, Bind};

/// A row with some columns of a table.
pub(super) trait Columns: Sized + 'static {
    type SqlType: TypedExpressionType + 'static;
    const TABLE: &'static str;
    const NAMES: &'static [&'static str];

    /// The columns of this row in a query of the table.
    fn columns() -> ColumnsOf<Self> {
        ColumnsOf(PhantomData)
    }

    /// The values of the row, in the order of `NAMES`.
    fn values(&self) -> Vec<Bind<'_>>;
}

/// The columns of a row of the type `R`. Diesel finds the prepared statement of a query by the type of the query, which
/// contains this type.
pub(super) struct ColumnsOf<R>(PhantomData<R>);

impl<R: Columns> Expression for ColumnsOf<R> {
    type SqlType = R::SqlType;
}

impl<R: Columns> QueryFragment<Backend> for ColumnsOf<R> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        for (place, name) in R::NAMES.iter().enumerate() {
            if place > 0 {
                out.push_sql(", ");
            }
            out.push_sql(R::TABLE);
            out.push_sql(".");
            out.push_sql(name);
        }
        Ok(())
    }
}

impl<R: Columns> QueryId for ColumnsOf<R> {
    type QueryId = Self;
}

impl<R> ValidGrouping<()> for ColumnsOf<R> {
    type IsAggregate = is_aggregate::No;
}

impl<R: Columns, Tables> AppearsOnTable<Tables> for ColumnsOf<R> {}
impl<R: Columns, Tables> SelectableExpression<Tables> for ColumnsOf<R> {}

/// The text of an INSERT into a table, with `?` for the value of each named column.
pub(super) fn insert_into(table: &str, names: &[&str]) -> String {
    let places = vec!["?"; names.len()].join(", ");
    format!("INSERT INTO {table} ({}) VALUES ({places})", names.join(", "))
}

/// Inserts one row, which has the columns of `one` and of `other`. Both belong to the same table. Returns the number of new rows.
pub(super) fn insert<A: Columns, B: Columns>(
    conn: &mut Conn,
    (one, other): (&A, &B),
    on_conflict: &str,
) -> QueryResult<usize> {
    let sql = insert_into(A::TABLE, &[A::NAMES, B::NAMES].concat());
    prepared::execute(conn, &format!("{sql} {on_conflict}"), [one.values(), other.values()].concat())
}

/// Writes the values of `row` into the table's row with this `id`. Returns the number of changed rows.
pub(super) fn update<R: Columns>(conn: &mut Conn, row: &R, id: &str) -> QueryResult<usize> {
    let changes: Vec<_> = R::NAMES.iter().map(|name| format!("{name} = ?")).collect();
    let sql = format!("UPDATE {} SET {} WHERE id = ?", R::TABLE, changes.join(", "));
    prepared::execute(conn, &sql, [row.values(), vec![id.into()]].concat())
}

/// Defines the type of a row with columns of a table. Each group in braces has at most 16 columns, because Diesel takes twice as
/// long to compile if it supports longer tuples.
macro_rules! row {
    ($(#[$meta:meta])* $row:ident of $table:literal {
        $({ $($(#[$field:meta])* $name:ident: $type:ty as $sql:ty,)+ })+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub(super) struct $row { $($($(#[$field])* $name: $type,)+)+ }

        impl super::columns::Columns for $row {
            type SqlType = ($(($($sql,)+),)+);
            const TABLE: &'static str = $table;
            const NAMES: &'static [&'static str] = &[$($(stringify!($name),)+)+];

            fn values(&self) -> Vec<super::prepared::Bind<'_>> {
                vec![$($((&self.$name).into(),)+)+]
            }
        }

        impl diesel::deserialize::Queryable<<Self as super::columns::Columns>::SqlType, super::prepared::Backend> for $row {
            type Row = ($(($($type,)+),)+);

            fn build(($(($($name,)+),)+): Self::Row) -> diesel::deserialize::Result<Self> {
                Ok(Self { $($($name,)+)+ })
            }
        }
    };
}

pub(super) use row;
