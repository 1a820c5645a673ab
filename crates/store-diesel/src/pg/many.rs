//! One statement in place of many with the same text: each parameter becomes an array.

use std::collections::BTreeMap;

use diesel::QueryResult;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::query_dsl::RunQueryDsl;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text};

use super::Conn;
use super::prepared::{Bind, Place, Write};

/// Runs the statement of `first` once, with the parameters of all statements in `group`. Returns the number of rows that
/// changed, and the number that must change.
pub(super) fn execute(conn: &mut Conn, first: &Write, group: &[Write]) -> QueryResult<(usize, usize)> {
    // The rows of an INSERT are those after VALUES.
    let rows = if first.sql.starts_with("INSERT") { first.rows } else { 1 };
    let width = first.sql.matches('?').count() / rows;
    let rows = group.iter().flat_map(|write| write.binds.chunks(width)).map(<[_]>::to_vec);
    let (rows, expected) = if first.place == Place::Tiles {
        let rows = added_up(rows);
        let count = rows.len();
        (rows, count)
    } else {
        (rows.collect(), group.iter().map(|write| write.rows).sum())
    };
    let columns = (0..width).map(|place| Column::of(rows.iter().map(|row| &row[place]))).collect();
    let changed = Many { text: text(&first.sql, width), columns }.execute(conn)?;
    Ok((changed, expected))
}

/// The changes of each counter as one. A statement may change a row only once.
fn added_up(rows: impl Iterator<Item = Vec<Bind<'static>>>) -> Vec<Vec<Bind<'static>>> {
    let mut sums = BTreeMap::<(String, i64), i64>::new();
    for row in rows {
        if let [Bind::Text(Some(metric)), Bind::Number(Some(slot)), Bind::Number(Some(delta))] =
            row.as_slice()
        {
            *sums.entry((metric.to_string(), *slot)).or_default() += delta;
        }
    }
    sums.into_iter().map(|((metric, slot), sum)| vec![metric.into(), slot.into(), sum.into()]).collect()
}

/// The text of the statement for arrays, with `?` for each array. `sql` is `INSERT … VALUES (?, ?) …` or
/// `UPDATE … SET … WHERE …`.
fn text(sql: &str, width: usize) -> String {
    let arrays = vec!["?"; width].join(", ");
    let names: Vec<String> = (0..width).map(|place| format!("v{place}")).collect();
    let from = format!("FROM unnest({arrays}) AS v ({})", names.join(", "));
    if let Some((head, rest)) = sql.split_once("VALUES ") {
        let tail = rest.trim_start_matches(['(', '?', ',', ' ', ')']);
        return format!("{head}SELECT * {from} {tail}");
    }
    let mut names = names.iter();
    let named = |part: &str| {
        let mut parts = part.split('?');
        let begin = parts.next().unwrap_or_default().to_owned();
        parts.fold(begin, |text, part| text + "v." + names.next().map_or("", String::as_str) + part)
    };
    let parts: Vec<String> = sql.splitn(2, "WHERE ").map(named).collect();
    parts.join(&format!("{from} WHERE "))
}

/// The values of one parameter.
#[derive(Debug, PartialEq, Eq)]
enum Column {
    Texts(Vec<Option<String>>),
    Numbers(Vec<Option<i64>>),
    Truths(Vec<bool>),
}

impl Column {
    fn of<'b>(cells: impl Iterator<Item = &'b Bind<'static>>) -> Self {
        let (mut texts, mut numbers, mut truths) = (Vec::new(), Vec::new(), Vec::new());
        for cell in cells {
            match cell {
                Bind::Text(text) => texts.push(text.as_deref().map(str::to_owned)),
                Bind::Number(number) => numbers.push(*number),
                Bind::Truth(truth) => truths.push(*truth),
            }
        }
        // All values of a parameter have the same type.
        match (texts.is_empty(), numbers.is_empty()) {
            (false, _) => Self::Texts(texts),
            (true, false) => Self::Numbers(numbers),
            (true, true) => Self::Truths(truths),
        }
    }
}

struct Many {
    text: String,
    columns: Vec<Column>,
}

impl QueryFragment<Pg> for Many {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut parts = self.text.split('?');
        out.push_sql(parts.next().unwrap_or_default());
        for (part, column) in parts.zip(&self.columns) {
            match column {
                Column::Texts(texts) => out.push_bind_param::<Array<Nullable<Text>>, _>(texts)?,
                Column::Numbers(numbers) => out.push_bind_param::<Array<Nullable<BigInt>>, _>(numbers)?,
                Column::Truths(truths) => out.push_bind_param::<Array<Bool>, _>(truths)?,
            }
            out.push_sql(part);
        }
        Ok(())
    }
}

impl QueryId for Many {
    type QueryId = ();
    // Diesel caches the statement by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl RunQueryDsl<Conn> for Many {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insert_takes_its_rows_from_arrays() {
        let sql = "INSERT INTO a (b, c) VALUES (?, ?)";
        assert_eq!(text(sql, 2), "INSERT INTO a (b, c) SELECT * FROM unnest(?, ?) AS v (v0, v1) ");
        let sql = "INSERT INTO a (b, c)\n VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING";
        assert_eq!(
            text(sql, 2),
            "INSERT INTO a (b, c)\n SELECT * FROM unnest(?, ?) AS v (v0, v1) ON CONFLICT DO NOTHING"
        );
    }

    #[test]
    fn an_update_takes_its_values_from_arrays() {
        assert_eq!(
            text(
                "UPDATE a SET b = b + ?, c = CASE WHEN c < ? THEN ? ELSE c END WHERE d = ? AND e IS NULL",
                4
            ),
            "UPDATE a SET b = b + v.v0, c = CASE WHEN c < v.v1 THEN v.v2 ELSE c END \
             FROM unnest(?, ?, ?, ?) AS v (v0, v1, v2, v3) WHERE d = v.v3 AND e IS NULL"
        );
    }

    #[test]
    fn the_changes_of_a_counter_add_up() {
        let row = |metric: &'static str, delta: i64| vec![metric.into(), 3.into(), delta.into()];
        let rows = [row("b", 1), row("a", 10), row("b", -4)];
        assert_eq!(added_up(rows.into_iter()), [row("a", 10), row("b", -3)]);
    }

    #[test]
    fn a_column_has_the_type_of_its_values() {
        let texts = [Bind::Text(None), "a".into()];
        assert_eq!(Column::of(texts.iter()), Column::Texts(vec![None, Some("a".to_owned())]));
        assert_eq!(Column::of([Bind::Number(None)].iter()), Column::Numbers(vec![None]));
        assert_eq!(Column::of([Bind::Truth(true)].iter()), Column::Truths(vec![true]));
    }
}
