use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::connections::{Purpose, connect};
use super::failure::failure;
use super::versions::{self, refuse_newer, text};
use super::{Conn, PostgresOptions as Options};
use crate::OpenError;

pub(super) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgresql");

/// Gives a row where the database notes its migrations.
pub(super) const HAS_VERSIONS: &str = "
    SELECT CAST(found AS TEXT) AS value FROM to_regclass('__diesel_schema_migrations') AS found
    WHERE found IS NOT NULL";

/// The oldest server that has what the schema uses and is still looked after by its makers.
const OLDEST_SERVER: u32 = 130_000;

/// The number under which processes wait for each other to migrate: 'bolts' in ASCII.
const MIGRATING: i64 = 0x62_6f_6c_74_73;

/// How a PostgreSQL database is used.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// Connections that read.
    pub readers: u32,
    /// Threads that write, each on a connection of its own.
    pub writers: usize,
    /// The most jobs that wait; more are answered 'not available' at once.
    pub queue: usize,
    /// How long a job waits for a row that another has, before it is run again.
    pub lock_timeout: Duration,
    /// How long a statement may take.
    pub statement_timeout: Duration,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            readers: 16,
            writers: 8,
            queue: 4_096,
            lock_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
        }
    }
}

/// Brings the schema up to date. Of several processes that start at once, one does, and the others wait.
pub(super) fn migrate(url: &str, options: &Options) -> Result<(), OpenError> {
    let mut conn = connect(url, options, Purpose::Migrating)?;
    check_server(&mut conn)?;
    // Held by the connection, and so let go of with it.
    conn.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATING})")).map_err(failure)?;
    refuse_newer(&mut conn)?;
    conn.run_pending_migrations(MIGRATIONS).map_err(|error| OpenError::Migration(error.to_string()))?;
    Ok(())
}

/// Refuses a schema that is not this program's.
pub(super) fn check_current(url: &str, options: &Options) -> Result<(), OpenError> {
    let mut conn = connect(url, options, Purpose::Auditing)?;
    check_server(&mut conn)?;
    versions::check_current(&mut conn)
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
