use bolts_ledger::Account;
use diesel::prelude::*;

use super::Conn;
use crate::schema::accounts;

/// Locks accounts in the given order and returns id and balance of each row, or `None` for an account that
/// was never opened. One prepared statement for each account is the fastest way on SQLite.
pub(super) fn lock(
    conn: &mut Conn,
    wanted: &[Account],
    _waits: bool,
) -> QueryResult<Vec<Option<(i64, i64)>>> {
    let row = |account: &Account| {
        accounts::table
            .filter(accounts::kind.eq(account.kind()))
            .filter(accounts::owner.eq(account.owner()))
            .filter(accounts::currency.eq(account.currency().as_str()))
            .select((accounts::id, accounts::balance))
            .get_result(conn)
            .optional()
    };
    wanted.iter().map(row).collect()
}

/// The accounts whose balance is not the sum of their transfers. Each sum is a range of an index. A `GROUP BY` over all
/// transfers would sort them in memory.
pub(super) const UNBALANCED: &str = "
    SELECT kind || ' account ' || CAST(id AS TEXT) || ' of ' || owner || ' in ' || currency || ' holds '
        || CAST(balance AS TEXT) || ', its transfers make ' || CAST(moved AS TEXT) AS violation
    FROM (
        SELECT accounts.*,
            COALESCE((SELECT SUM(amount) FROM transfers WHERE to_account = accounts.id), 0)
            - COALESCE((SELECT SUM(amount) FROM transfers WHERE from_account = accounts.id), 0) AS moved
        FROM accounts
    ) AS sums
    WHERE balance <> moved";
