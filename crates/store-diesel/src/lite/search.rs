//! Full-text search on SQLite with FTS5. The rowid of an entry is the bet's `seq`, so FTS5 returns hits in
//! the order in which the bets were created.

use bolts_ports::{Cursor, ListFilter, Sort};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use super::Conn;
use super::full_text;
use super::lists::{Order, PUBLIC, in_currency};
use super::prepared::Sql;

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
/// inside the transaction of the batch but outside of its jobs
/// (`docs/ledger.md#writing-on-sqlite`).
pub(crate) fn refresh(conn: &mut Conn) -> QueryResult<()> {
    let due = bets_fts_due::table.count().get_result::<i64>(conn)?;
    if due == 0 { Ok(()) } else { conn.batch_execute(REFRESH) }
}

/// The query for the positions (`seq`) of the bets that contain all words.
pub(super) fn sql(filter: &ListFilter, after: Option<Cursor>, limit: i64) -> Sql {
    let order = Order::of(filter.sort);
    let by = order.by();
    let sought = expression(filter);
    let is_hit = format!("bets_fts MATCH {}{}", sought.text, full_text::has_status(filter, "bets_fts.rowid"));
    let Sql { text, binds } = match filter.sort {
        Sort::Newest | Sort::Oldest if filter.currency.is_none() => {
            let (behind, by) = (behind(filter, after), by.replace("seq", "rowid"));
            let text = format!(
                "SELECT seq FROM (SELECT rowid AS seq FROM bets_fts \
                 WHERE {is_hit} AND ({}) ORDER BY {by} LIMIT {limit}) AS hits",
                behind.text
            );
            Sql::new(text, behind.binds)
        }
        Sort::Newest | Sort::Oldest | Sort::StakeDesc | Sort::StakeAsc | Sort::EndingSoon | Sort::PotDesc => {
            let behind = Sql::join(order.ranges(after), " OR ");
            let text = format!(
                "SELECT seq FROM (SELECT rowid AS hit FROM bets_fts WHERE {is_hit} \
                 ORDER BY rowid DESC LIMIT {SORTED_HITS}) AS hits CROSS JOIN {} ON seq = hit \
                 WHERE {PUBLIC}{} AND ({}) ORDER BY {by} LIMIT {limit}",
                bets_by("bets_public"),
                in_currency(filter),
                behind.text
            );
            Sql::new(text, behind.binds)
        }
    };
    Sql::new(text, [sought.binds, binds].concat())
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

/// The query in the syntax of FTS5, as an expression of SQL. The words are searched in title and description, not in the
/// tags. The only tag is the category. The last word may be the beginning of a word.
fn expression(filter: &ListFilter) -> Sql {
    let words: Vec<&str> = filter.words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    let (last, whole) = words.split_last().unwrap_or((&"", &[]));
    let whole: String = whole.iter().map(|word| format!("{} AND ", quoted(word))).collect();
    let mut after = "))".to_owned();
    if let Some(category) = filter.category {
        after += &format!(" AND tags : \"xc{}\"", category.as_str().to_lowercase());
    }
    let before = Sql::new("?", [format!("{{title description}} : ({whole}(").into()]);
    Sql::join(vec![before, beginning(last), Sql::new("?", [after.into()])], " || ")
}

/// A word in quotes, so that FTS5 does not read a part of it as an operator.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

/// The part of the query for the beginning of a word. It contains the words that start with the beginning, because FTS5 reads
/// all hits of a beginning before it returns the first one. In two cases it contains the beginning itself:
///
/// - The beginning has at most three letters. The full text has an index of these, so FTS5 returns each hit at once.
/// - The beginning has letters beyond ASCII. The words of the full text have no accents, and only FTS5 knows how it
///   removes them.
fn beginning(word: &str) -> Sql {
    if word.len() <= 3 || !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Sql::new("?", [format!("{} *", quoted(word)).into()]);
    }
    Sql::new(format!("({WORDS_THAT_START})"), [word.to_owned().into()])
}

/// The words that start with `?`, with OR between them. If there are more than 64 words, the result is the beginning itself,
/// because so many lists of hits are not faster.
const WORDS_THAT_START: &str = "
    WITH RECURSIVE sought (beginning) AS (SELECT ?),
    words (word, number) AS (
        SELECT beginning, 0 FROM sought
        UNION ALL
        SELECT (
            SELECT term FROM bets_fts_words
            WHERE term >= iif(number = 0, word, word || char(1)) AND term < beginning || char(0x10FFFF) LIMIT 1
        ), number + 1
        FROM words, sought WHERE word IS NOT NULL AND number <= 64
    )
    SELECT iif(
        count(word) BETWEEN 1 AND 64,
        group_concat('\"' || word || '\"', ' OR '),
        '\"' || (SELECT beginning FROM sought) || '\" *'
    )
    FROM words WHERE number > 0";
