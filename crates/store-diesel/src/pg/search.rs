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

/// A search first reads the bets with this number of neighbouring numbers (`seq`).
const NEAR: i64 = 4_000;

/// The query for the positions (`seq`) of the bets that contain all words.
pub(super) fn sql(filter: &ListFilter, after: Option<Cursor>, limit: i64) -> Sql {
    let order = Order::of(filter.sort);
    let sought: [Bind<'static>; 2] = [filter.words.join(" ").into(), tags(filter).into()];
    let Sql { text, binds } = match filter.sort {
        Sort::Newest | Sort::Oldest if filter.currency.is_none() => near_or_far(filter, order, after, limit),
        // OFFSET 0 keeps the planner from joining the hits with the whole table of bets.
        Sort::Newest | Sort::Oldest | Sort::StakeDesc | Sort::StakeAsc | Sort::EndingSoon | Sort::PotDesc => {
            let behind = Sql::join(order.ranges(after), " OR ");
            let text = format!(
                "SELECT seq FROM {} CROSS JOIN LATERAL \
                 (SELECT expires_at, currency, sort_stake, pot FROM bets WHERE bets.seq = newest.seq OFFSET 0) AS its \
                 WHERE ({}){} ORDER BY {} LIMIT {limit}",
                newest(filter),
                behind.text,
                in_currency(filter),
                order.by()
            );
            Sql::new(text, behind.binds)
        }
    };
    Sql::new(text, [sought.to_vec(), binds].concat())
}

/// The query for a page in the order of creation. A common word fills the page from the first bets of the list, whose
/// numbers (`seq`) are next to each other. If it does not, the word is rare, and its hits come from the index of words.
/// PostgreSQL alone would choose between the two by its statistics. It then reads the whole list for a word that it takes
/// for a common one.
fn near_or_far(filter: &ListFilter, order: Order, after: Option<Cursor>, limit: i64) -> Sql {
    let by = order.by();
    let is_hit = |table: &str| {
        let has_status = full_text::has_status(filter, &format!("{table}.seq"));
        format!("words @@ (SELECT query FROM sought){has_status}")
    };
    let begin = full_text::first(filter, after).unwrap_or_else(|| {
        let behind = Sql::join(order.ranges(after), " OR ");
        Sql::new(
            format!("SELECT seq FROM bets_search WHERE {} ORDER BY {by} LIMIT 1", behind.text),
            behind.binds,
        )
    });
    let first = "(SELECT seq FROM first)";
    let range = if filter.sort == Sort::Oldest {
        format!("{first} AND {first} + {NEAR}")
    } else {
        format!("{first} - {NEAR} AND {first}")
    };
    // OFFSET 0 keeps the planner from looking for these bets in the index of words.
    let neighbours =
        format!("SELECT seq, words FROM bets_search WHERE seq BETWEEN {range} ORDER BY {by} OFFSET 0");
    let text = format!(
        "WITH sought AS MATERIALIZED (SELECT search_of(?, ?) AS query), \
         first AS MATERIALIZED ({}), \
         near AS MATERIALIZED (SELECT seq FROM ({neighbours}) AS next WHERE {} ORDER BY {by} LIMIT {limit}), \
         counted AS MATERIALIZED (SELECT count(*) = {limit} AS is_full FROM near), \
         far AS (SELECT seq FROM (SELECT seq FROM bets_search WHERE {} OFFSET 0) AS hits \
             WHERE seq {} {first} AND NOT (SELECT is_full FROM counted) ORDER BY {by} LIMIT {limit}) \
         SELECT seq FROM near WHERE (SELECT is_full FROM counted) UNION ALL SELECT seq FROM far",
        begin.text,
        is_hit("next"),
        is_hit("bets_search"),
        full_text::from_first(filter.sort)
    );
    Sql::new(text, begin.binds)
}

/// The newest hits, for a FROM clause.
fn newest(filter: &ListFilter) -> String {
    let has_status = full_text::has_status(filter, "bets_search.seq");
    format!(
        "(SELECT seq FROM bets_search WHERE words @@ search_of(?, ?){has_status} \
         ORDER BY seq DESC LIMIT {SORTED_HITS}) AS newest"
    )
}

/// The category of the filter as a tsquery. The index stores it in the same format.
fn tags(filter: &ListFilter) -> String {
    let tag = |name: &str| format!("':{name}'");
    let mut all = vec![tag("public")];
    all.extend(filter.category.map(|category| tag(category.as_str())));
    all.join(" & ")
}
