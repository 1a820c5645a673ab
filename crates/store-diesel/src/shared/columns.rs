//! Rows with more columns than Diesel supports in one tuple.

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

    /// The values, in the order of the names.
    fn values(&self) -> Vec<Bind<'_>>;
}

/// The columns of a row of this type.
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

/// The statement that inserts a row, with `?` for each value.
pub(super) fn insert_into(table: &str, names: &[&str]) -> String {
    let places = vec!["?"; names.len()].join(", ");
    format!("INSERT INTO {table} ({}) VALUES ({places})", names.join(", "))
}

/// Inserts the row of a table whose columns are those of two types. Returns the number of new rows.
pub(super) fn insert<A: Columns, B: Columns>(
    conn: &mut Conn,
    (one, other): (&A, &B),
    on_conflict: &str,
) -> QueryResult<usize> {
    let sql = insert_into(A::TABLE, &[A::NAMES, B::NAMES].concat());
    prepared::execute(conn, &format!("{sql} {on_conflict}"), [one.values(), other.values()].concat())
}

/// Writes all columns of a row in the table's row with this id. Returns the number of changed rows.
pub(super) fn update<R: Columns>(conn: &mut Conn, row: &R, id: &str) -> QueryResult<usize> {
    let changes: Vec<_> = R::NAMES.iter().map(|name| format!("{name} = ?")).collect();
    let sql = format!("UPDATE {} SET {} WHERE id = ?", R::TABLE, changes.join(", "));
    prepared::execute(conn, &sql, [row.values(), vec![id.into()]].concat())
}

/// Defines a row with columns of a table. The columns stand in groups of at most 16, because Diesel takes twice as long to
/// compile if it supports longer tuples. `table!` declares only the columns that Diesel's queries name.
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
