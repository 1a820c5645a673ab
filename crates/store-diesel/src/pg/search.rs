//! Full-text search on PostgreSQL. The table `bets_search` has the words of each public bet and a GIN index.
//! Triggers update the table.

use bolts_bets::Status;
use bolts_ports::{Cursor, ListFilter, ListStatus, Sort};
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::Conn;
use super::bets::active;
use super::lists::{Key, Order};

/// A search that is sorted by stake would read every hit. It therefore covers only this number of the newest
/// hits.
const SORTED_HITS: i64 = 10_000;

/// The table of bets for a FROM clause. The clause names no index, because PostgreSQL chooses the index by
/// its statistics.
pub(super) fn bets_by(_: &str) -> String {
    "bets".to_owned()
}

/// The keys of one page of the bets that contain all words of the filter.
pub(super) fn keys(
    conn: &mut Conn,
    filter: &ListFilter,
    after: Option<Cursor>,
    limit: i64,
) -> QueryResult<Vec<Key>> {
    diesel::sql_query(sql(filter.sort, after, limit))
        .bind::<Text, _>(filter.words.join(" "))
        .bind::<Text, _>(tags(filter))
        .load(conn)
}

/// The statement for a page of hits. `$1` stands for the words, `$2` for the result of [`tags`].
fn sql(sort: Sort, after: Option<Cursor>, limit: i64) -> String {
    let Order { key, by, ranges } = Order::of(sort, after);
    let behind = ranges.iter().map(|range| format!("({range})")).collect::<Vec<_>>().join(" OR ");
    let hits = "bets_search WHERE words @@ search_of($1, $2)";
    match sort {
        Sort::Newest | Sort::Oldest => format!(
            "SELECT CAST({key} AS BIGINT) AS key, seq FROM {hits} AND ({behind}) ORDER BY {by} LIMIT {limit}"
        ),
        Sort::StakeDesc | Sort::StakeAsc => format!(
            "SELECT {key} AS key, seq FROM (SELECT stake, seq FROM {hits} ORDER BY seq DESC LIMIT {SORTED_HITS}) \
             AS newest WHERE {behind} ORDER BY {by} LIMIT {limit}"
        ),
    }
}

/// The category and the status of the filter as a tsquery. The index stores them in the same format.
fn tags(filter: &ListFilter) -> String {
    let tag = |name: &str| format!("':{name}'");
    let mut all = vec![tag("public")];
    all.extend(filter.category.map(|category| tag(category.as_str())));
    match filter.status {
        None => {}
        Some(ListStatus::Active) => {
            let either: Vec<_> = active().into_iter().map(|status: Status| tag(status.as_str())).collect();
            all.push(format!("({})", either.join(" | ")));
        }
        Some(ListStatus::Only(status)) => all.push(tag(status.as_str())),
    }
    all.join(" & ")
}
