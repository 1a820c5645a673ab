//! Full text on SQLite: FTS5, whose rowid is the bet's place, so that hits come in the list's order.

use bolts_bets::Status;
use bolts_ports::{Cursor, ListFilter, ListStatus, Sort};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::Conn;
use super::bets::active;
use super::lists::{Key, Order, PUBLIC};

/// A sort by stake has to see every hit; past these newest ones it does not look.
const SORTED_HITS: i64 = 10_000;

/// The bets, read through an index and no other way. SQLite has no statistics here to choose well by itself.
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
        SELECT seq, title, description, 'xc' || lower(category) || ' xs' || replace(status, '_', '')
        FROM bets WHERE seq IN (SELECT seq FROM bets_fts_due) AND deleted_at IS NULL;
    DELETE FROM bets_fts_due;";

/// Brings the full text up to date with the bets that changed: in the transaction that changed them, but once for all
/// of its jobs, outside their savepoints.
pub(crate) fn refresh(conn: &mut Conn) -> QueryResult<()> {
    let due = bets_fts_due::table.count().get_result::<i64>(conn)?;
    if due == 0 { Ok(()) } else { conn.batch_execute(REFRESH) }
}

/// The places of the bets in which all words are.
pub(super) fn keys(
    conn: &mut Conn,
    filter: &ListFilter,
    after: Option<Cursor>,
    limit: i64,
) -> QueryResult<Vec<Key>> {
    diesel::sql_query(sql(filter.sort, after, limit)).bind::<Text, _>(expression(filter)).load(conn)
}

/// The statement; `$1` is what [`expression`] gives.
pub(super) fn sql(sort: Sort, after: Option<Cursor>, limit: i64) -> String {
    let Order { key, by, ranges } = Order::of(sort, after);
    let behind = ranges.iter().map(|range| format!("({range})")).collect::<Vec<_>>().join(" OR ");
    match sort {
        Sort::Newest | Sort::Oldest => {
            // FTS5 knows the place by the name `rowid` alone.
            let (behind, by) = (behind.replace("seq", "rowid"), by.replace("seq", "rowid"));
            format!(
                "SELECT {key} AS key, rowid AS seq FROM bets_fts \
                 WHERE bets_fts MATCH $1 AND {behind} ORDER BY {by} LIMIT {limit}"
            )
        }
        Sort::StakeDesc | Sort::StakeAsc => format!(
            "SELECT {key} AS key, seq FROM (SELECT rowid AS hit FROM bets_fts WHERE bets_fts MATCH $1 \
             ORDER BY rowid DESC LIMIT {SORTED_HITS}) AS hits CROSS JOIN {} ON seq = hit \
             WHERE {PUBLIC} AND ({behind}) ORDER BY {by} LIMIT {limit}",
            bets_by("bets_public")
        ),
    }
}

/// Words and tags as FTS5 reads them. Each word is quoted, so that nothing in it is syntax, and is looked for in the
/// texts alone, so that nobody finds a tag by its name.
pub(super) fn expression(filter: &ListFilter) -> String {
    let quoted = |word: &String| format!("\"{}\"", word.replace('"', "\"\""));
    let words: Vec<_> = filter.words.iter().filter(|word| !word.is_empty()).map(quoted).collect();
    let mut all = vec![format!("{{title description}} : ({} *)", words.join(" AND "))];
    if let Some(category) = filter.category {
        all.push(format!("tags : \"xc{}\"", category.as_str().to_lowercase()));
    }
    let tag = |status: Status| format!("\"xs{}\"", status.as_str().replace('_', ""));
    match filter.status {
        None => {}
        Some(ListStatus::Active) => all.push(format!("tags : ({})", active().map(tag).join(" OR "))),
        Some(ListStatus::Only(status)) => all.push(format!("tags : {}", tag(status))),
    }
    all.join(" AND ")
}
