//! PostgreSQL: several writer threads with transactions of one or more jobs, a pool of read-only connections, and
//! hints between processes by NOTIFY.

#![allow(
    clippy::duplicate_mod,
    reason = "the shared modules are compiled once for each database: docs/adr/0001"
)]

use std::cell::Cell;

use diesel::QueryResult;
use diesel::pg::PgConnection as Conn;
use diesel::result::Error;

/// Locks the rows of a query until the transaction ends. `FOR NO KEY UPDATE` still lets other transactions
/// insert rows that refer to a locked row. This is safe, because no writer changes a key column.
macro_rules! locked {
    ($query:expr) => {
        $query.for_no_key_update()
    };
}

/// Keeps the rows of a query from being deleted or locked with `owned!` until the transaction ends. Rows of other tables
/// may go on referring to them.
macro_rules! kept {
    ($query:expr) => {
        $query.for_key_share()
    };
}

/// Locks the rows of a query for this transaction alone. No other transaction can add a row that refers to them.
macro_rules! owned {
    ($query:expr) => {
        $query.for_update()
    };
}

/// A query of which only the rows of some tables stay locked until the transaction ends. PostgreSQL locks them in
/// the order of the names. If the statement does not wait, it leaves out rows that another transaction has locked.
macro_rules! locked_of {
    ($query:expr, $tables:expr, $waits:expr) => {
        super::locking::LockedOf { query: $query, tables: $tables, waits: $waits }
    };
}

/// Locks the rows of a query, and skips rows that another transaction has locked.
macro_rules! unclaimed {
    ($query:expr) => {
        $query.for_update().skip_locked()
    };
}

mod accounts;
mod ahead;
mod away;
mod batches;
mod connections;
mod failure;
mod fanout;
mod locking;
mod many;
mod open;
mod outage;
mod replicas;
mod search;
mod sessions;
mod store;
mod turns;
mod writers;
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

pub use fanout::{Listener, PostgresFanout};
pub use open::PostgresOptions;
pub(crate) use open::inspect;
pub use replicas::PostgresReplicas;
pub use store::PostgresStore;

/// The store type for which the shared modules implement the ports.
use store::PostgresStore as Handle;

/// Joins the bets of a page and the names of their users to the keys in `page`. `OFFSET 0` makes PostgreSQL look up each
/// user by its id. Without it, PostgreSQL may read the whole table of users if the statistics are old.
const PAGE_JOINS: &str = "JOIN bets ON bets.seq = page.seq \
    CROSS JOIN LATERAL (SELECT username, email FROM users WHERE id = bets.creator_id OFFSET 0) AS creators \
    LEFT JOIN LATERAL (SELECT username, email FROM users WHERE id = bets.acceptor_id OFFSET 0) AS acceptors ON TRUE \
    LEFT JOIN LATERAL (SELECT username, email FROM users WHERE id = bets.arbiter_id OFFSET 0) AS arbiters ON TRUE";

/// Rows have no `room`: PostgreSQL writes a changed row to another place.
const STATE_LENGTH: Option<usize> = None;

/// The number of slots of a counter. Writers that use different slots do not wait for each other.
const TILE_SLOTS: u64 = 16;

thread_local! {
    static TILE_SLOT: Cell<i64> = const { Cell::new(0) };
}

/// The slot of this writer's thread.
fn tile_slot() -> i64 {
    TILE_SLOT.get()
}

/// Assigns a slot to the thread of this writer. `first` is the slot of the first writer.
fn take_tile_slot(first: u64, writer: usize) {
    let number = first.wrapping_add(u64::try_from(writer).unwrap_or_default());
    TILE_SLOT.set(i64::try_from(number % TILE_SLOTS).unwrap_or_default());
}

/// Locks a name until the transaction ends, even if no row has this name yet.
fn reserve(conn: &mut Conn, what: &str, name: &str) -> QueryResult<()> {
    const RESERVE: &str = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";
    prepared::execute(conn, RESERVE, [(&format!("{what} {name}")).into()]).map(drop)
}

/// Deletes at most `limit` rows that meet a condition on times. `table` is the name of the table and its key. Returns the number
/// of deleted rows. The statement finds the rows by `ctid`, so its plan does not depend on statistics. The condition is repeated,
/// because PostgreSQL checks it again if another transaction changes the row meanwhile.
fn remove_some(
    conn: &mut Conn,
    (table, _): (&str, &str),
    condition: &str,
    times: &[i64],
    limit: u32,
) -> QueryResult<u64> {
    let old = format!("SELECT ctid FROM {table} WHERE {condition} LIMIT {limit}");
    let sql = format!("DELETE FROM {table} WHERE ctid = ANY(ARRAY({old})) AND ({condition})");
    let twice: Vec<_> = times.iter().chain(times).map(prepared::Bind::from).collect();
    prepared::execute(conn, &sql, twice).map(|removed| removed as u64)
}

/// Runs statements that all read the same state.
fn snapshot<T>(conn: &mut Conn, read: impl FnOnce(&mut Conn) -> QueryResult<T>) -> QueryResult<T> {
    conn.build_transaction().repeatable_read().read_only().run::<T, Error, _>(read)
}
