//! The status in a search for words. The full text of a bet does not know the status, because each change would write all
//! words of the bet again. So a search reads the status of each hit from `bets`.

use bolts_ports::{Cursor, ListFilter, Sort};

use super::lists::{public_sql, statuses};
use super::prepared::Sql;

/// The condition that a hit has a status of the filter, with ` AND ` in front. Empty if the filter allows every status.
/// `hit` is the column with the `seq` of the hit.
pub(super) fn has_status(filter: &ListFilter, hit: &str) -> String {
    if filter.status.is_none() {
        return String::new();
    }
    let names: Vec<_> = statuses(filter.status).iter().map(|status| format!("'{status}'")).collect();
    // A join would let PostgreSQL read the whole table of bets.
    format!(" AND (SELECT status FROM bets WHERE bets.seq = {hit}) IN ({})", names.join(", "))
}

/// The query for the `seq` of the first bet after a cursor that has a status of the filter, with any words, for the orders by
/// `seq`. A search that begins there does not read the status of all the bets before, for example of all the open bets if
/// it looks for a resolved one. `None` if the filter allows every status.
pub(super) fn first(filter: &ListFilter, after: Option<Cursor>) -> Option<Sql> {
    filter.status.map(|_| public_sql(filter, after, 1))
}

/// The comparison that holds for the first hit and all later ones.
pub(super) const fn from_first(sort: Sort) -> &'static str {
    if matches!(sort, Sort::Oldest) { ">=" } else { "<=" }
}
