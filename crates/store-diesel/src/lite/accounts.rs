use bolts_ledger::Account;
use diesel::prelude::*;

use super::Conn;
use crate::schema::accounts;

/// The rows (id and balance) of accounts, given and locked in order; `None` for one that was never opened. A statement
/// for each is the fastest here, as each stays prepared.
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
