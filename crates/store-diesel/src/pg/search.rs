//! Full-text search on PostgreSQL. The table `bets_search` has the words of each public bet and a GIN index.
//! Triggers update the table.

use bolts_ports::{Cursor, ListFilter, Sort};

use super::full_text;
use super::lists::{Order, in_currency};
use super::prepared::{Bind, Sql};

/// A search that is sorted by a property of the bets, or filtered by currency, would read every hit. It therefore
/// covers only this number of the newest hits.
const SORTED_HITS: i64 = 10_000;

/// The table of bets for a FROM clause. The clause names no index, because PostgreSQL chooses the index by
/// its statistics.
pub(super) fn bets_by(_: &str) -> String {
    "bets".to_owned()
}

/// The query for the positions (`seq`) of the bets that contain all words.
pub(super) fn sql(filter: &ListFilter, after: Option<Cursor>, limit: i64) -> Sql {
    let order = Order::of(filter.sort);
    let by = order.by();
    let sought: [Bind<'static>; 2] = [filter.words.join(" ").into(), tags(filter).into()];
    let behind = Sql::join(order.ranges(after), " OR ");
    let has_status = full_text::has_status(filter, "bets_search.seq");
    let hits = format!("bets_search WHERE words @@ search_of(?, ?){has_status}");
    let text = match filter.sort {
        Sort::Newest | Sort::Oldest if filter.currency.is_none() => {
            format!("SELECT seq FROM {hits} AND ({}) ORDER BY {by} LIMIT {limit}", behind.text)
        }
        Sort::StakeDesc | Sort::StakeAsc | Sort::PotDesc if filter.currency.is_none() => {
            let newest = newest(&hits);
            format!("SELECT seq FROM {newest} WHERE {} ORDER BY {by} LIMIT {limit}", behind.text)
        }
        // OFFSET 0 keeps the planner from joining the hits with the whole table of bets.
        Sort::Newest | Sort::Oldest | Sort::StakeDesc | Sort::StakeAsc | Sort::EndingSoon | Sort::PotDesc => {
            format!(
                "SELECT seq FROM {} CROSS JOIN LATERAL \
             (SELECT expires_at, currency FROM bets WHERE bets.seq = newest.seq OFFSET 0) AS its \
             WHERE ({}){} ORDER BY {by} LIMIT {limit}",
                newest(&hits),
                behind.text,
                in_currency(filter)
            )
        }
    };
    Sql::new(text, [sought.to_vec(), behind.binds].concat())
}

/// The newest hits, for a FROM clause.
fn newest(hits: &str) -> String {
    format!("(SELECT stake, seq FROM {hits} ORDER BY seq DESC LIMIT {SORTED_HITS}) AS newest")
}

/// The category and the status of the filter as a tsquery. The index stores them in the same format.
fn tags(filter: &ListFilter) -> String {
    let tag = |name: &str| format!("':{name}'");
    let mut all = vec![tag("public")];
    all.extend(filter.category.map(|category| tag(category.as_str())));
    if let Some(statuses) = full_text::tagged(filter) {
        let either: Vec<_> = statuses.iter().map(|status| tag(status.as_str())).collect();
        all.push(format!("({})", either.join(" | ")));
    }
    all.join(" & ")
}
