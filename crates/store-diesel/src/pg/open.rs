//! Opens PostgreSQL databases and migrates their schema.

use std::thread;
use std::time::Duration;

use bolts_ports::StoreError;
use diesel::connection::SimpleConnection;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::connections::{Purpose, reach};
use super::failure::failure;
use super::versions::{self, refuse_newer, text};
use super::{Conn, PostgresOptions as Options};
use crate::{Inspection, OpenError};

pub(super) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgresql");

/// Returns a row if the database has a table of migrations.
pub(super) const HAS_VERSIONS: &str = "
    SELECT CAST(found AS TEXT) AS value FROM to_regclass('__diesel_schema_migrations') AS found
    WHERE found IS NOT NULL";

/// Settings of the server and facts about this connection, as lines `name=value`. `now` is in microseconds.
pub(super) const FACTS: &str = "
    SELECT CAST(name || '=' || setting AS TEXT) AS value FROM pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'max_connections', 'server_version')
    UNION ALL SELECT 'now=' || CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)
    UNION ALL SELECT 'superuser=' || current_setting('is_superuser')
    UNION ALL SELECT 'connections=' || count(*) FROM pg_stat_activity
    UNION ALL SELECT 'bytes=' || pg_database_size(current_database())
    UNION ALL SELECT 'local=' || (inet_client_addr() IS NULL OR host(inet_client_addr()) IN ('127.0.0.1', '::1'))
    UNION ALL SELECT 'tls=' || ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

/// The oldest supported server version, PostgreSQL 13, in the format of `server_version_num`.
const OLDEST_SERVER: u32 = 130_000;

/// The number of the advisory lock for migrations: 'bolts' in ASCII.
const MIGRATING: i64 = 0x62_6f_6c_74_73;

/// The maximum time that a statement of a migration waits for a lock. Later statements on the table wait behind it, also those of
/// the old version, which still serves.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// The pause before a migration whose lock was not free runs again.
const LOCK_PAUSE: Duration = Duration::from_secs(5);

/// Options of a PostgreSQL database.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// The number of read-only connections.
    pub readers: u32,
    /// The number of threads that write, each with its own connection.
    pub writers: usize,
    /// The maximum number of jobs that share a transaction. Jobs share one only if all writers are busy when they arrive.
    pub batch: usize,
    /// The maximum number of waiting jobs. Further jobs get the answer 'not available' at once.
    pub queue: usize,
    /// The maximum time that a job waits for a lock. After this time the job starts again.
    pub lock_timeout: Duration,
    /// The maximum run time of one statement.
    pub statement_timeout: Duration,
}

impl PostgresOptions {
    /// The maximum number of connections of one process: those of the readers and writers, two for hints, one for an audit
    /// and one for migrations.
    const fn connections(&self) -> usize {
        self.readers as usize + self.writers + 4
    }
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            readers: 16,
            writers: 8,
            batch: 32,
            queue: 4_096,
            lock_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
        }
    }
}

/// Migrates the schema. If several processes start at once, one process migrates and the others wait. If a long read, such as an
/// audit or `pg_dump`, uses a table, a migration of this table waits without a limit.
pub(super) fn migrate(url: &str, options: &Options) -> Result<(), OpenError> {
    let mut conn = reach(url, options, Purpose::Migrating)?;
    check_server(&mut conn)?;
    refuse_standby(&mut conn)?;
    loop {
        // The server releases this lock when the connection closes.
        let lock = format!("SET lock_timeout = 0; SELECT pg_advisory_lock({MIGRATING})");
        conn.batch_execute(&lock).map_err(failure)?;
        refuse_newer(&mut conn)?;
        conn.batch_execute(&format!("SET lock_timeout = {}", LOCK_WAIT.as_millis())).map_err(failure)?;
        // Each migration has its own transaction, so the next turn begins with the one that failed.
        let Err(error) = conn.run_pending_migrations(MIGRATIONS).map(drop) else { return Ok(()) };
        let why = error.to_string();
        if !is_about_a_lock(&why, url, options) {
            return Err(OpenError::Migration(why));
        }
        tracing::warn!(why, "a migration needs a table that is in use, and is tried again");
        // Commands of other processes wait for this lock too.
        conn.batch_execute(&format!("SELECT pg_advisory_unlock({MIGRATING})")).map_err(failure)?;
        thread::sleep(LOCK_PAUSE);
    }
}

/// Whether this is the message about a lock that was not free in time. Diesel does not tell the code of the error (55P03), and a
/// server may write its messages in any language. So another connection waits for the lock of [`migrate`], and gets the same message.
fn is_about_a_lock(why: &str, url: &str, options: &Options) -> bool {
    let Ok(mut other) = reach(url, options, Purpose::Migrating) else { return false };
    let refused = other.batch_execute(&format!("SET lock_timeout = 1; SELECT pg_advisory_lock({MIGRATING})"));
    refused.is_err_and(|error| why.ends_with(&error.to_string()))
}

/// Looks at a database. An empty database has no migrations.
pub(crate) fn inspect(url: &str, options: &Options) -> Result<Inspection, OpenError> {
    let mut conn = reach(url, options, Purpose::Auditing)?;
    check_server(&mut conn)?;
    let mut inspection = versions::inspection(&mut conn)?;
    let needed = options.connections().to_string();
    inspection.facts.insert("connections_needed".to_owned(), needed);
    Ok(inspection)
}

/// Fails if the schema is older or newer than this program's.
pub(super) fn check_current(url: &str, options: &Options) -> Result<(), OpenError> {
    let mut conn = reach(url, options, Purpose::Auditing)?;
    check_server(&mut conn)?;
    versions::check_current(&mut conn)
}

/// A standby becomes the primary, or the URL names the primary too, when a failover is over.
fn refuse_standby(conn: &mut Conn) -> Result<(), OpenError> {
    let recovering = text(conn, "SELECT 'yes' AS value WHERE pg_is_in_recovery()")?;
    if recovering.is_empty() {
        return Ok(());
    }
    let why = "the server is a standby, which takes no changes".to_owned();
    Err(OpenError::Away(StoreError::Unavailable(why)))
}

fn check_server(conn: &mut Conn) -> Result<(), OpenError> {
    let mut setting = |name: &str| {
        text(conn, &format!("SELECT current_setting('{name}') AS value"))
            .map(|mut found| found.pop().unwrap_or_default())
    };
    let number: u32 = setting("server_version_num")?.parse().unwrap_or_default();
    if number < OLDEST_SERVER {
        return Err(OpenError::PostgresTooOld(setting("server_version")?));
    }
    let encoding = setting("server_encoding")?;
    if encoding == "UTF8" { Ok(()) } else { Err(OpenError::Encoding(encoding)) }
}
