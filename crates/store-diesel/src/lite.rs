//! SQLite: a writer thread that commits in groups, a thread that syncs the log and answers jobs, a thread that makes checkpoints,
//! and a pool of read-only connections.

use diesel::sqlite::SqliteConnection as Conn;
use diesel::{Connection, QueryResult};

/// Locks the rows of a query until the transaction ends. SQLite needs no locks, because it has one writer at
/// a time. PostgreSQL uses `FOR NO KEY UPDATE` here.
macro_rules! locked {
    ($query:expr) => {
        $query
    };
}

/// Keeps the rows of a query from being deleted until the transaction ends. SQLite has one writer at a time.
macro_rules! kept {
    ($query:expr) => {
        $query
    };
}

/// Locks the rows of a query for this transaction alone. SQLite has one writer at a time.
macro_rules! owned {
    ($query:expr) => {
        $query
    };
}

/// A join of which only the rows of some tables stay locked until the transaction ends. PostgreSQL uses
/// `FOR NO KEY UPDATE OF` here.
macro_rules! locked_of {
    ($query:expr, $tables:expr, $waits:expr) => {{
        let _: (&str, bool) = ($tables, $waits);
        $query
    }};
}

/// Skips rows that another transaction has locked. SQLite has no such rows, because it has one writer at a
/// time. PostgreSQL uses `FOR UPDATE SKIP LOCKED` here.
macro_rules! unclaimed {
    ($query:expr) => {
        $query
    };
}

mod accounts;
mod ahead;
mod backup;
mod checkpoints;
mod connections;
mod durable;
mod failure;
mod log;
mod open;
#[cfg(test)]
mod plans;
mod read_lock;
mod search;
mod sessions;
mod store;
mod writer;
mod writes;

#[path = "shared/achievements.rs"]
mod achievements;
#[path = "shared/admin_actions.rs"]
mod admin_actions;
#[path = "shared/audit.rs"]
mod audit;
#[path = "shared/audit_rules.rs"]
mod audit_rules;
#[path = "shared/bet_rows.rs"]
mod bet_rows;
#[path = "shared/bets.rs"]
mod bets;
#[path = "shared/columns.rs"]
mod columns;
#[path = "shared/contacts.rs"]
mod contacts;
#[path = "shared/deliveries.rs"]
mod deliveries;
#[path = "shared/departures.rs"]
mod departures;
#[path = "shared/deposits.rs"]
mod deposits;
#[path = "shared/exports.rs"]
mod exports;
#[path = "shared/factors.rs"]
mod factors;
#[path = "shared/full_text.rs"]
mod full_text;
#[path = "shared/history.rs"]
mod history;
#[path = "shared/idempotency.rs"]
mod idempotency;
#[path = "shared/keys.rs"]
mod keys;
#[path = "shared/ledger.rs"]
mod ledger;
#[path = "shared/lists.rs"]
mod lists;
#[path = "shared/messages.rs"]
mod messages;
#[path = "shared/notifications.rs"]
mod notifications;
#[path = "shared/outbox.rs"]
mod outbox;
#[path = "shared/passkeys.rs"]
mod passkeys;
#[path = "shared/prepared.rs"]
mod prepared;
#[path = "shared/queries.rs"]
mod queries;
#[path = "shared/rows.rs"]
mod rows;
#[path = "shared/settings.rs"]
mod settings;
#[path = "shared/sitemap.rs"]
mod sitemap;
#[path = "shared/throttles.rs"]
mod throttles;
#[path = "shared/transaction.rs"]
mod transaction;
#[path = "shared/user_figures.rs"]
mod user_figures;
#[path = "shared/user_views.rs"]
mod user_views;
#[path = "shared/users.rs"]
mod users;
#[path = "shared/versions.rs"]
mod versions;
#[path = "shared/wallet.rs"]
mod wallet;
#[path = "shared/wallet_rules.rs"]
mod wallet_rules;
#[path = "shared/withdrawals.rs"]
mod withdrawals;

pub use backup::BackupError;
pub use open::SqliteOptions;
pub(crate) use open::inspect;
#[cfg(feature = "postgres")]
pub(crate) use search::refresh;
pub use store::SqliteStore;

/// The store type for which the shared modules implement the ports.
use store::SqliteStore as Handle;

/// Joins the bets of a page and the names of their users to the keys in `page`. After `CROSS JOIN`, SQLite keeps the order
/// of the tables. For other joins it chooses the order by its statistics.
const PAGE_JOINS: &str = "CROSS JOIN bets ON bets.seq = page.seq \
    CROSS JOIN users AS creators ON creators.id = bets.creator_id \
    LEFT JOIN users AS acceptors ON acceptors.id = bets.acceptor_id \
    LEFT JOIN users AS arbiters ON arbiters.id = bets.arbiter_id";

/// The length in bytes of the state of an open bet together with its `room`. An accept and a proposal make the state
/// longer. A row that becomes longer in a full page splits the page, so SQLite writes three pages instead of one.
const STATE_LENGTH: Option<usize> = Some(192);

/// The slot of a counter that the writer uses. SQLite has one writer, so one slot is enough.
fn tile_slot() -> i64 {
    0
}

/// Locks a name until the transaction ends, even if no row has this name yet. SQLite has one writer, so no
/// other transaction can use the name at the same time.
#[expect(clippy::unnecessary_wraps, reason = "PostgreSQL's can fail")]
fn reserve(_: &mut Conn, _: &str, _: &str) -> QueryResult<()> {
    Ok(())
}

/// Deletes at most `limit` rows that meet a condition on times. `table` is the name of the table and its key. Returns the number
/// of deleted rows.
fn remove_some(
    conn: &mut Conn,
    (table, key): (&str, &str),
    condition: &str,
    times: &[i64],
    limit: u32,
) -> QueryResult<u64> {
    let old = format!("SELECT {key} FROM {table} WHERE {condition} LIMIT {limit}");
    let sql = format!("DELETE FROM {table} WHERE ({key}) IN ({old})");
    let times: Vec<_> = times.iter().map(prepared::Bind::from).collect();
    prepared::execute(conn, &sql, times).map(|removed| removed as u64)
}

/// Runs statements that all read the same state. On SQLite a transaction is enough. PostgreSQL uses
/// REPEATABLE READ here.
fn snapshot<T>(conn: &mut Conn, read: impl FnOnce(&mut Conn) -> QueryResult<T>) -> QueryResult<T> {
    conn.transaction(read)
}
