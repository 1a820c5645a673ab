//! Full-text search on SQLite with FTS5. The rowid of an entry is the bet's `seq`, so FTS5 returns hits in
//! the order in which the bets were created.

use bolts_ports::{Cursor, ListFilter, Sort};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use super::Conn;
use super::full_text;
use super::lists::{Order, PUBLIC, in_currency};
use super::prepared::{Bind, Sql};

/// A search that is sorted by a property of the bets, or filtered by currency, would read every hit. It therefore
/// covers only this number of the newest hits.
const SORTED_HITS: i64 = 10_000;

/// The table of bets for a FROM clause, with the only index that SQLite may use. The database has no
/// statistics (no ANALYZE), so SQLite could choose a slower index.
pub(super) fn bets_by(index: &str) -> String {
    format!("bets INDEXED BY {index}")
}

diesel::table! {
    bets_fts_due (seq) {
        seq -> BigInt,
    }
}

const REFRESH: &str = "
    DELETE FROM bets_fts WHERE rowid IN (SELECT seq FROM bets_fts_due);
    INSERT INTO bets_fts (rowid, title, description, tags)
        SELECT seq, title, description, 'xc' || lower(category)
        FROM bets WHERE seq IN (SELECT seq FROM bets_fts_due) AND deleted_at IS NULL;
    DELETE FROM bets_fts_due;";

/// Updates the full-text index with the bets that changed. The writer calls this function once per batch,
/// inside the transaction of the batch but outside the savepoints of its jobs
/// (`docs/ledger.md#writing-on-sqlite`).
pub(crate) fn refresh(conn: &mut Conn) -> QueryResult<()> {
    let due = bets_fts_due::table.count().get_result::<i64>(conn)?;
    if due == 0 { Ok(()) } else { conn.batch_execute(REFRESH) }
}

/// The query for the positions (`seq`) of the bets that contain all words.
pub(super) fn sql(filter: &ListFilter, after: Option<Cursor>, limit: i64) -> Sql {
    let order = Order::of(filter.sort);
    let by = order.by();
    let words: Bind<'static> = expression(filter).into();
    let has_status = full_text::has_status(filter, "bets_fts.rowid");
    let Sql { text, binds } = match filter.sort {
        Sort::Newest | Sort::Oldest if filter.currency.is_none() => {
            let (behind, by) = (behind(filter, after), by.replace("seq", "rowid"));
            let text = format!(
                "SELECT seq FROM (SELECT rowid AS seq FROM bets_fts \
                 WHERE bets_fts MATCH ?{has_status} AND ({}) ORDER BY {by} LIMIT {limit}) AS hits",
                behind.text
            );
            Sql::new(text, behind.binds)
        }
        Sort::Newest | Sort::Oldest | Sort::StakeDesc | Sort::StakeAsc | Sort::EndingSoon | Sort::PotDesc => {
            let behind = Sql::join(order.ranges(after), " OR ");
            let text = format!(
                "SELECT seq FROM (SELECT rowid AS hit FROM bets_fts WHERE bets_fts MATCH ?{has_status} \
                 ORDER BY rowid DESC LIMIT {SORTED_HITS}) AS hits CROSS JOIN {} ON seq = hit \
                 WHERE {PUBLIC}{} AND ({}) ORDER BY {by} LIMIT {limit}",
                bets_by("bets_public"),
                in_currency(filter),
                behind.text
            );
            Sql::new(text, behind.binds)
        }
    };
    Sql::new(text, [vec![words], binds].concat())
}

/// The condition for the hits after a cursor, in the orders by `seq`. FTS5 calls this column `rowid`.
fn behind(filter: &ListFilter, after: Option<Cursor>) -> Sql {
    if let Some(first) = full_text::first(filter, after) {
        let text = format!("rowid {} ({})", full_text::from_first(filter.sort), first.text);
        return Sql::new(text, first.binds);
    }
    let behind = Sql::join(Order::of(filter.sort).ranges(after), " OR ");
    Sql::new(behind.text.replace("seq", "rowid"), behind.binds)
}

/// The query in the syntax of FTS5. Each word is in quotes, so that FTS5 does not read a part of a word as an
/// operator. The words are searched in title and description, not in the tags. The
/// only tag is the category.
pub(super) fn expression(filter: &ListFilter) -> String {
    let quoted = |word: &String| format!("\"{}\"", word.replace('"', "\"\""));
    let words: Vec<_> = filter.words.iter().filter(|word| !word.is_empty()).map(quoted).collect();
    let mut all = vec![format!("{{title description}} : ({} *)", words.join(" AND "))];
    if let Some(category) = filter.category {
        all.push(format!("tags : \"xc{}\"", category.as_str().to_lowercase()));
    }
    all.join(" AND ")
}
