use std::collections::HashMap;

use bolts_ledger::Account;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment};
use diesel::sql_types::{Array, BigInt, Text};

use super::Conn;
use crate::schema::accounts;

/// Locks accounts in the given order and returns id and balance of each row, or `None` for an account that
/// was never opened. If the call does not wait, an account that another transaction has locked is `None` too. One
/// statement locks all accounts, because each statement costs a round trip.
pub(super) fn lock(conn: &mut Conn, wanted: &[Account], waits: bool) -> QueryResult<Vec<Option<(i64, i64)>>> {
    if let [account] = wanted {
        let row = accounts::table
            .filter(accounts::kind.eq(account.kind()))
            .filter(accounts::owner.eq(account.owner()))
            .filter(accounts::currency.eq(account.currency().as_str()))
            .select((accounts::id, accounts::balance));
        return Ok(vec![locked_of!(row, "accounts", waits).get_result(conn).optional()?]);
    }
    let found = locked_of!(Lock::of(wanted), "accounts", waits).load::<(i64, i64, i64)>(conn)?;
    let mut rows: HashMap<i64, (i64, i64)> =
        found.into_iter().map(|(place, id, balance)| (place, (id, balance))).collect();
    Ok((1..).take(wanted.len()).map(|place| rows.remove(&place)).collect())
}

/// The parts of the statement that locks several accounts. PostgreSQL locks the rows in the order of `ORDER
/// BY`.
const LOCK: [&str; 4] = [
    "SELECT wanted.place, accounts.id, accounts.balance FROM unnest(CAST(",
    " AS TEXT[]), CAST(",
    " AS TEXT[]), CAST(",
    " AS TEXT[])) WITH ORDINALITY AS wanted (kind, owner, currency, place) \
     JOIN accounts USING (kind, owner, currency) ORDER BY wanted.place",
];

struct Lock {
    columns: [Vec<String>; 3],
}

impl Lock {
    fn of(wanted: &[Account]) -> Self {
        let column = |cell: fn(&Account) -> String| wanted.iter().map(cell).collect();
        Self {
            columns: [
                column(|account| account.kind().to_owned()),
                column(|account| account.owner()),
                column(|account| account.currency().as_str().to_owned()),
            ],
        }
    }
}

impl QueryFragment<Pg> for Lock {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        for (part, column) in LOCK.iter().zip(&self.columns) {
            out.push_sql(part);
            out.push_bind_param::<Array<Text>, _>(column)?;
        }
        out.push_sql(LOCK[3]);
        Ok(())
    }
}

impl Query for Lock {
    type SqlType = (BigInt, BigInt, BigInt);
}

/// The accounts whose balance is not the sum of their transfers. The statement reads each table once, so its plan does not
/// depend on statistics of the accounts' transfers.
pub(super) const UNBALANCED: &str = "
    SELECT kind || ' account ' || CAST(id AS TEXT) || ' of ' || owner || ' in ' || currency || ' holds '
        || CAST(balance AS TEXT) || ', its transfers make ' || CAST(balance - surplus AS TEXT) AS violation
    FROM (
        SELECT account, SUM(amount) AS surplus
        FROM (
            SELECT id AS account, balance AS amount FROM accounts
            UNION ALL SELECT to_account, -amount FROM transfers
            UNION ALL SELECT from_account, amount FROM transfers
        ) AS amounts
        GROUP BY account HAVING SUM(amount) <> 0
    ) AS sums JOIN accounts ON accounts.id = sums.account";
