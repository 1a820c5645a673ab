use bolts_ledger::Account;
use diesel::prelude::*;

use super::Conn;
use crate::schema::accounts;

/// Locks accounts in the given order and returns id and balance of each row, or `None` for an account that
/// was never opened. One prepared statement for each account is the fastest way on SQLite.
pub(super) fn lock(conn: &mut Conn, wanted: &[Account]) -> QueryResult<Vec<Option<(i64, i64)>>> {
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
