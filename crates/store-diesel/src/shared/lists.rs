//! Lists of bets in pages. For each status and category, a statement reads one or two ranges of an index that
//! has the order of the list. The statement reads at most one page of rows from each range and merges these
//! rows.

use std::collections::HashMap;

use bolts_bets::{Category, Status};
use bolts_kernel::UserId;
use bolts_ports::{BetView, Cursor, ListFilter, ListStatus, Page, PageRequest, Result, Sort};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use super::bets::active;
use super::failure::failure;
use super::rows::{self, StateRow, TermsRow, ViewRow, bet_views};
use super::search;
use super::{Conn, snapshot};
use crate::schema::bets;

/// The SQL condition for bets that public lists show.
pub(super) const PUBLIC: &str = "share_token IS NULL AND deleted_at IS NULL";

/// The position of a bet in a list: the sort key, and `seq` for bets with the same key.
#[derive(QueryableByName)]
pub(super) struct Key {
    #[diesel(sql_type = BigInt)]
    key: i64,
    #[diesel(sql_type = BigInt)]
    seq: i64,
}

/// The order of a list: its sort key, its direction, and the conditions for rows after a cursor.
pub(super) struct Order {
    /// The column by which the list is sorted before `seq`. `0` if the list is sorted only by `seq`.
    pub(super) key: &'static str,
    /// The `ORDER BY` clause over `key` and `seq`.
    pub(super) by: String,
    /// The SQL conditions for rows after the cursor. A row must meet one of them. Each condition is one range
    /// of an index.
    pub(super) ranges: Vec<String>,
}

impl Order {
    pub(super) fn of(sort: Sort, after: Option<Cursor>) -> Self {
        match sort {
            Sort::Newest => Self::by_place("DESC", "<", after),
            Sort::Oldest => Self::by_place("ASC", ">", after),
            Sort::StakeDesc => Self::by_key("stake", ("DESC", "<"), ("DESC", "<"), after),
            Sort::StakeAsc => Self::by_key("stake", ("ASC", ">"), ("DESC", "<"), after),
        }
    }

    fn by_place(direction: &str, behind: &str, after: Option<Cursor>) -> Self {
        let range = after.map_or("TRUE".to_owned(), |cursor| format!("seq {behind} {}", cursor.seq));
        Self { key: "0", by: format!("seq {direction}"), ranges: vec![range] }
    }

    fn by_key(key: &'static str, first: (&str, &str), then: (&str, &str), after: Option<Cursor>) -> Self {
        let ranges = match after {
            None => vec!["TRUE".to_owned()],
            // There are two ranges, because a single condition with OR would read again all rows with the
            // cursor's key.
            Some(Cursor { key: value, seq }) => vec![
                format!("{key} = {value} AND seq {} {seq}", then.1),
                format!("{key} {} {value}", first.1),
            ],
        };
        Self { key, by: format!("{key} {}, seq {}", first.0, then.0), ranges }
    }

    /// SELECTs of the rows of one index that meet a condition, one SELECT for each range. They are the arms
    /// of a UNION.
    fn arms(&self, index: &str, condition: &str, limit: i64) -> Vec<String> {
        let Self { key, by, ranges } = self;
        let from = search::bets_by(index);
        let arm = |range: &String| {
            format!(
                "SELECT * FROM (SELECT CAST({key} AS BIGINT) AS key, seq FROM {from} \
                 WHERE {condition} AND {range} ORDER BY {by} LIMIT {limit}) AS arm"
            )
        };
        ranges.iter().map(arm).collect()
    }

    /// The statement that merges the arms and returns the first `limit` keys.
    fn merged(&self, arms: &[String], limit: i64) -> String {
        let by = if self.key == "0" { self.by.clone() } else { self.by.replacen(self.key, "key", 1) };
        format!("SELECT key, seq FROM ({}) AS arms ORDER BY {by} LIMIT {limit}", arms.join(" UNION ALL "))
    }
}

fn statuses(status: Option<ListStatus>) -> Vec<Status> {
    match status {
        None => Status::ALL.to_vec(),
        Some(ListStatus::Active) => active().to_vec(),
        Some(ListStatus::Only(status)) => vec![status],
    }
}

/// The statement for a page of public bets, if the filter has no search text.
pub(super) fn public_sql(filter: &ListFilter, after: Option<Cursor>, limit: i64) -> String {
    let order = Order::of(filter.sort, after);
    let index = match filter.sort {
        Sort::Newest | Sort::Oldest if filter.status.is_none() && filter.category.is_none() => {
            return order.merged(&order.arms("bets_public", PUBLIC, limit), limit);
        }
        Sort::Newest | Sort::Oldest => "bets_public_newest",
        Sort::StakeDesc => "bets_public_stake_desc",
        Sort::StakeAsc => "bets_public_stake_asc",
    };
    let categories = filter.category.map_or(Category::ALL.to_vec(), |category| vec![category]);
    let mut arms = Vec::new();
    for status in statuses(filter.status) {
        for category in &categories {
            let condition = format!("{PUBLIC} AND status = '{status}' AND category = '{category}'");
            arms.extend(order.arms(index, &condition, limit));
        }
    }
    order.merged(&arms, limit)
}

/// The statement for a page of a user's bets. `$1` stands for the user's id.
pub(super) fn own_sql(status: Option<ListStatus>, after: Option<Cursor>, limit: i64) -> String {
    let order = Order::of(Sort::Newest, after);
    let mut arms = Vec::new();
    for status in statuses(status) {
        for (index, column) in [("bets_created", "creator_id"), ("bets_accepted", "acceptor_id")] {
            let condition = format!("{column} = $1 AND status = '{status}' AND deleted_at IS NULL");
            arms.extend(order.arms(index, &condition, limit));
        }
    }
    order.merged(&arms, limit)
}

/// The statement for a page of all bets, public and private.
pub(super) fn all_sql(status: Option<ListStatus>, after: Option<Cursor>, limit: i64) -> String {
    let order = Order::of(Sort::Newest, after);
    let mut arms = Vec::new();
    for status in statuses(status) {
        let private = format!("share_token IS NOT NULL AND deleted_at IS NULL AND status = '{status}'");
        arms.extend(order.arms("bets_private", &private, limit));
        for category in Category::ALL {
            let public = format!("{PUBLIC} AND status = '{status}' AND category = '{category}'");
            arms.extend(order.arms("bets_public_newest", &public, limit));
        }
    }
    order.merged(&arms, limit)
}

/// The statement for a page of bets with an open dispute. The oldest dispute comes first.
pub(super) fn disputes_sql(after: Option<Cursor>, limit: i64) -> String {
    let order = Order::by_key("disputed_at", ("ASC", ">"), ("ASC", ">"), after);
    let condition = "status = 'awaiting_resolution' AND disputed_at IS NOT NULL AND deleted_at IS NULL";
    order.merged(&order.arms("bets_disputed", condition, limit), limit)
}

pub(super) fn public(conn: &mut Conn, filter: &ListFilter, page: PageRequest) -> Result<Page<BetView>> {
    snapshot(conn, |conn| {
        let limit = one_more(page);
        let keys = if filter.words.iter().all(String::is_empty) {
            diesel::sql_query(public_sql(filter, page.after, limit)).load(conn)
        } else {
            search::keys(conn, filter, page.after, limit)
        };
        Ok(load(conn, keys?, page))
    })
    .map_err(failure)?
}

pub(super) fn own(
    conn: &mut Conn,
    user: UserId,
    status: Option<ListStatus>,
    page: PageRequest,
) -> Result<Page<BetView>> {
    snapshot(conn, |conn| {
        let sql = own_sql(status, page.after, one_more(page));
        let keys = diesel::sql_query(sql).bind::<Text, _>(user.to_string()).load(conn)?;
        Ok(load(conn, keys, page))
    })
    .map_err(failure)?
}

pub(super) fn all(conn: &mut Conn, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>> {
    snapshot(conn, |conn| {
        let keys = diesel::sql_query(all_sql(status, page.after, one_more(page))).load(conn)?;
        Ok(load(conn, keys, page))
    })
    .map_err(failure)?
}

pub(super) fn disputes(conn: &mut Conn, page: PageRequest) -> Result<Page<BetView>> {
    snapshot(conn, |conn| {
        let keys = diesel::sql_query(disputes_sql(page.after, one_more(page))).load(conn)?;
        Ok(load(conn, keys, page))
    })
    .map_err(failure)?
}

/// The number of rows to read: one more than the page has. The additional row shows whether there is a next
/// page.
fn one_more(page: PageRequest) -> i64 {
    i64::from(page.limit) + 1
}

/// The page of the bets with these keys, in the order of the keys.
fn load(conn: &mut Conn, mut keys: Vec<Key>, page: PageRequest) -> Result<Page<BetView>> {
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let more = keys.len() > limit;
    keys.truncate(limit);
    let seqs: Vec<i64> = keys.iter().map(|key| key.seq).collect();
    let rows = bet_views!().filter(bets::seq.eq_any(&seqs)).load::<ViewRow>(conn).map_err(failure)?;
    let views: Result<HashMap<i64, BetView>> = rows.into_iter().map(rows::view).collect();
    let mut views = views?;
    let items = seqs.iter().filter_map(|seq| views.remove(seq)).collect();
    let last = keys.last().map(|Key { key, seq }| Cursor { key: *key, seq: *seq });
    Ok(Page { items, next: last.filter(|_| more) })
}
