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
/// transfers would sort them in memory. The index of incoming transfers has no stakes. The stakes of an escrow are found by
/// their keys, and `strays` has those with another key or in another account.
pub(super) const UNBALANCED: &str = "
    WITH strays AS MATERIALIZED (
        SELECT t.to_account AS account, SUM(t.amount) AS amount
        FROM transfers t LEFT JOIN accounts a ON a.id = t.to_account
        WHERE t.kind = 'stake' AND (a.kind = 'escrow'
            AND t.key > 'stake:' || a.owner || ':' AND t.key < 'stake:' || a.owner || ';') IS NOT TRUE
        GROUP BY t.to_account
    )
    SELECT kind || ' account ' || CAST(id AS TEXT) || ' of ' || owner || ' in ' || currency || ' holds '
        || CAST(balance AS TEXT) || ', its transfers make ' || CAST(moved AS TEXT) AS violation
    FROM (
        SELECT accounts.*,
            COALESCE((SELECT SUM(t.amount) FROM transfers t WHERE t.to_account = accounts.id AND t.kind <> 'stake'), 0)
            + CASE accounts.kind WHEN 'escrow' THEN COALESCE((
                SELECT SUM(t.amount) FROM transfers t
                WHERE t.key > 'stake:' || accounts.owner || ':' AND t.key < 'stake:' || accounts.owner || ';'
                    AND t.to_account + 0 = accounts.id AND t.kind = 'stake'), 0) ELSE 0 END
            + COALESCE((SELECT strays.amount FROM strays WHERE strays.account = accounts.id), 0)
            - COALESCE((SELECT SUM(t.amount) FROM transfers t WHERE t.from_account = accounts.id), 0) AS moved
        FROM accounts
    ) AS sums
    WHERE balance <> moved";
