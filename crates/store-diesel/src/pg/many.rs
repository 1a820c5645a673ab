//! One statement in place of many with the same text: each parameter becomes an array.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

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
    let (rows, expected) = match uses(&first.place) {
        Some(uses) => {
            let rows = added_up(rows, uses);
            let count = rows.len();
            (rows, count)
        }
        None => (rows.collect(), group.iter().map(|write| write.rows).sum()),
    };
    let columns: Vec<_> = (0..width).map(|place| Column::of(rows.iter().map(|row| &row[place]))).collect();
    let types: Vec<_> = columns.iter().map(Column::sql_type).collect();
    let changed = Many { text: text(&first.sql, &types), columns }.execute(conn)?;
    Ok((changed, expected))
}

/// What becomes of a parameter if statements of several jobs change the same row.
#[derive(Clone, Copy)]
enum Use {
    /// The parameter names the row.
    Key,
    Sum,
    Greatest,
}

/// The uses of the parameters of a statement, if changes of the same row can become one.
const fn uses(place: &Place) -> Option<&'static [Use]> {
    use Use::{Greatest, Key, Sum};
    match place {
        Place::Tiles => Some(&[Key, Key, Sum]),
        Place::Throttle(_) => Some(&[Key, Sum, Greatest, Greatest]),
        Place::Figures(..) => {
            Some(&[Sum, Sum, Sum, Sum, Sum, Sum, Greatest, Greatest, Greatest, Greatest, Key, Key])
        }
        Place::New
        | Place::Parent
        | Place::Bet(_)
        | Place::Positions(..)
        | Place::Transfer(_)
        | Place::Key(_) => None,
    }
}

/// Whether changes of the same row can become one.
pub(super) const fn adds_up(place: &Place) -> bool {
    uses(place).is_some()
}

/// The changes of each row as one, because a statement may change a row only once. The rows are in the order of their keys, so two
/// batches that change the same rows cannot block each other (deadlock).
fn added_up(rows: impl Iterator<Item = Vec<Bind<'static>>>, uses: &[Use]) -> Vec<Vec<Bind<'static>>> {
    let mut by_key = BTreeMap::<Vec<String>, Vec<Bind<'static>>>::new();
    for row in rows {
        let keys = row.iter().zip(uses).filter(|(_, usage)| matches!(usage, Use::Key));
        let key = keys.map(|(bind, _)| format!("{bind:?}")).collect();
        match by_key.entry(key) {
            Entry::Vacant(entry) => drop(entry.insert(row)),
            Entry::Occupied(mut entry) => {
                for ((sum, bind), usage) in entry.get_mut().iter_mut().zip(row).zip(uses) {
                    add(sum, &bind, *usage);
                }
            }
        }
    }
    by_key.into_values().collect()
}

fn add(sum: &mut Bind<'static>, bind: &Bind<'static>, usage: Use) {
    if let (Bind::Number(Some(sum)), Bind::Number(Some(number))) = (sum, bind) {
        match usage {
            Use::Key => {}
            Use::Sum => *sum += number,
            Use::Greatest => *sum = (*sum).max(*number),
        }
    }
}

/// The text of the statement for arrays of these types, with `?` for each array. `sql` is `INSERT … VALUES (?, ?) …` or
/// `UPDATE … SET … WHERE …`.
fn text(sql: &str, types: &[&str]) -> String {
    let arrays: Vec<String> = types.iter().map(|sql_type| format!("CAST(? AS {sql_type}[])")).collect();
    let names: Vec<String> = (0..types.len()).map(|place| format!("v{place}")).collect();
    let from = format!("FROM unnest({}) AS v ({})", arrays.join(", "), names.join(", "));
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

impl Column {
    const fn sql_type(&self) -> &'static str {
        match self {
            Self::Texts(_) => "TEXT",
            Self::Numbers(_) => "BIGINT",
            Self::Truths(_) => "BOOLEAN",
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
    use bolts_kernel::{Currency, UserId};

    use super::*;

    #[test]
    fn an_insert_takes_its_rows_from_arrays() {
        let types = ["TEXT", "BIGINT"];
        let rows = "SELECT * FROM unnest(CAST(? AS TEXT[]), CAST(? AS BIGINT[])) AS v (v0, v1)";
        let sql = "INSERT INTO a (b, c) VALUES (?, ?)";
        assert_eq!(text(sql, &types), format!("INSERT INTO a (b, c) {rows} "));
        let sql = "INSERT INTO a (b, c)\n VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING";
        assert_eq!(text(sql, &types), format!("INSERT INTO a (b, c)\n {rows} ON CONFLICT DO NOTHING"));
    }

    #[test]
    fn an_update_takes_its_values_from_arrays() {
        let sql = "UPDATE a SET b = b + ?, c = CASE WHEN c THEN ? END WHERE d = ? AND e IS NULL";
        assert_eq!(
            text(sql, &["BIGINT", "BOOLEAN", "TEXT"]),
            "UPDATE a SET b = b + v.v0, c = CASE WHEN c THEN v.v1 END \
             FROM unnest(CAST(? AS BIGINT[]), CAST(? AS BOOLEAN[]), CAST(? AS TEXT[])) AS v (v0, v1, v2) \
             WHERE d = v.v2 AND e IS NULL"
        );
    }

    #[test]
    fn the_changes_of_a_counter_add_up() {
        let row = |metric: &'static str, delta: i64| vec![metric.into(), 3.into(), delta.into()];
        let rows = [row("b", 1), row("a", 10), row("b", -4)];
        let uses = uses(&Place::Tiles).unwrap();
        assert_eq!(added_up(rows.into_iter(), uses), [row("a", 10), row("b", -3)]);
    }

    #[test]
    fn the_greatest_win_of_several_changes_counts() {
        let row = |wins: i64, best: i64, user: &'static str| -> Vec<Bind<'static>> {
            let mut numbers = vec![0; 10];
            (numbers[2], numbers[6], numbers[7]) = (wins, best, best);
            numbers.into_iter().map(Bind::from).chain([user.into(), "bolts".into()]).collect()
        };
        let user = UserId::from(1);
        let uses = uses(&Place::Figures(user, Currency::Bolts)).unwrap();
        let rows = [row(1, 50, "b"), row(1, 90, "a"), row(1, 40, "b")];
        assert_eq!(added_up(rows.into_iter(), uses), [row(1, 90, "a"), row(2, 50, "b")]);
    }

    #[test]
    fn a_column_has_the_type_of_its_values() {
        let texts = [Bind::Text(None), "a".into()];
        assert_eq!(Column::of(texts.iter()), Column::Texts(vec![None, Some("a".to_owned())]));
        assert_eq!(Column::of([Bind::Number(None)].iter()), Column::Numbers(vec![None]));
        assert_eq!(Column::of([Bind::Truth(true)].iter()), Column::Truths(vec![true]));
    }
}
