//! Connections to a SQLite file.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use bolts_ports::{Result, StoreError};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::{ConnectionManager, CustomizeConnection, Error as PoolError, Pool};

use super::Conn;
use super::failure::failure;
use crate::traces;

/// The maximum time that a query waits for a free connection. After this time the answer is 'not available'.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause before a connection tries again to switch a new file to WAL.
const RETRY_AFTER: Duration = Duration::from_millis(10);

/// The size in bytes to which SQLite cuts the log when it begins again. The log becomes a little longer than
/// `SqliteOptions::longest_log`, and a log that grows again takes longer to sync.
const KEPT_LOG: u32 = 288 << 20;

/// The name of this kind of database in traces.
const SYSTEM: &str = "sqlite";

/// The settings of every connection. The time-out comes first, because the switch to WAL may have to wait for
/// another connection. `synchronous` is FULL, because confirmed changes must survive a power failure and not
/// only a crash. [`leave_sync_to_log`] changes this for the writer. The cache of 16 MB has room for the upper pages of a large
/// database's indexes.
fn pragmas(busy_timeout: Duration) -> String {
    format!(
        "PRAGMA busy_timeout = {}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
         PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA temp_store = MEMORY; \
         PRAGMA journal_size_limit = {KEPT_LOG}; \
         PRAGMA cache_size = -16384;",
        busy_timeout.as_millis()
    )
}

/// The absolute path of the file, as text for SQLite. SQLite could read a relative path as special syntax
/// (`file:`, `:memory:`).
pub(super) fn name(path: &Path) -> Result<String> {
    let path = std::path::absolute(path).map_err(|error| StoreError::Unavailable(error.to_string()))?;
    let not_text = || StoreError::Unavailable(format!("{} is not readable as text", path.display()));
    Ok(path.to_str().ok_or_else(not_text)?.to_owned())
}

/// A connection that may write.
pub(super) fn writing(path: &Path, busy_timeout: Duration) -> Result<Conn> {
    if !bolts_sqlite_log::install() {
        return Err(StoreError::Unavailable("SQLite refused the file layer of its log".to_owned()));
    }
    let mut conn =
        Conn::establish(&name(path)?).map_err(|error| StoreError::Unavailable(error.to_string()))?;
    traces::watch(&mut conn, SYSTEM);
    // If two connections switch a new file to WAL at the same time, SQLite may fail without waiting for the
    // time-out. Then the loop tries again.
    let until = Instant::now() + busy_timeout;
    loop {
        match conn.batch_execute(&pragmas(busy_timeout)).map_err(failure) {
            Err(StoreError::Contention) if Instant::now() < until => thread::sleep(RETRY_AFTER),
            done => return done.map(|()| conn),
        }
    }
}

/// From now on, the commits of this connection are on the disk only after a sync of the log ([`super::log::Log`]). The
/// connection makes a checkpoint only when it is told to.
pub(super) fn leave_sync_to_log(conn: &mut Conn) -> Result<()> {
    conn.batch_execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0").map_err(failure)
}

/// A read-only connection that does not belong to the pool. It reads most pages once, so a small cache is enough: the
/// allocator would keep the memory of a large one after the audit.
pub(super) fn auditing(path: &Path, busy_timeout: Duration) -> Result<Conn> {
    let mut conn = writing(path, busy_timeout)?;
    conn.batch_execute("PRAGMA query_only = ON; PRAGMA cache_size = -2048").map_err(failure)?;
    Ok(conn)
}

#[derive(Debug)]
struct Readers {
    busy_timeout: Duration,
}

impl CustomizeConnection<Conn, PoolError> for Readers {
    fn on_acquire(&self, conn: &mut Conn) -> std::result::Result<(), PoolError> {
        traces::watch(conn, SYSTEM);
        conn.batch_execute(&pragmas(self.busy_timeout)).map_err(PoolError::QueryError)?;
        conn.batch_execute("PRAGMA query_only = ON").map_err(PoolError::QueryError)
    }
}

/// A pool of read-only connections.
pub(super) fn reading(
    path: &Path,
    size: u32,
    busy_timeout: Duration,
) -> Result<Pool<ConnectionManager<Conn>>> {
    Pool::builder()
        .max_size(size)
        // Further connections are opened when they are needed. Each of them parses the schema and keeps it in memory.
        .min_idle(Some(1))
        .connection_timeout(CHECKOUT_TIMEOUT)
        // A connection to a file does not break. A test before each use would only double the number of
        // statements.
        .test_on_check_out(false)
        .connection_customizer(Box::new(Readers { busy_timeout }))
        .build(ConnectionManager::new(name(path)?))
        .map_err(|error| StoreError::Unavailable(error.to_string()))
}
