//! Opens SQLite files and migrates their schema.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::time::Duration;

use diesel::connection::{AnsiTransactionManager, TransactionManager};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::failure::failure;
use super::versions::{refuse_newer, text};
use super::{Conn, connections, versions};
use crate::{Inspection, OpenError};

pub(super) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");

/// Returns a row if the database has a table of migrations.
pub(super) const HAS_VERSIONS: &str =
    "SELECT name AS value FROM sqlite_schema WHERE name = '__diesel_schema_migrations'";

/// Settings of the file, as lines `name=value`.
pub(super) const FACTS: &str = "
    SELECT 'journal_mode=' || journal_mode AS value FROM pragma_journal_mode
    UNION ALL SELECT 'bytes=' || (page_count * page_size) FROM pragma_page_count, pragma_page_size
    UNION ALL SELECT 'version=' || sqlite_version()";

/// The oldest supported version of SQLite. In older versions, a checkpoint at the wrong moment could damage a
/// file in WAL mode.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];

/// Options of a SQLite database.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// The number of read-only connections.
    pub readers: u32,
    /// The maximum number of jobs in one commit.
    pub batch: usize,
    /// The number of pages in the log at which the writer itself makes a checkpoint. While the log is shorter, another thread
    /// makes the checkpoints. A page that many commits have changed is then written to the database file only once.
    pub longest_log: i32,
    /// The maximum number of waiting jobs. Further jobs get the answer 'not available' at once.
    pub queue: usize,
    /// The maximum time that a connection waits for a lock of another process.
    pub busy_timeout: Duration,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        let busy_timeout = Duration::from_secs(5);
        // 64,000 pages are 250 MB.
        Self { readers: 8, batch: 32, longest_log: 64_000, queue: 4_096, busy_timeout }
    }
}

/// Opens the first connection to a file and migrates the schema.
pub(super) fn migrated(path: &Path, options: &SqliteOptions) -> Result<Conn, OpenError> {
    create(path).map_err(|source| OpenError::Create { path: path.to_owned(), source })?;
    let mut conn = connections::writing(path, options.busy_timeout)?;
    check_library(&mut conn)?;
    let mode = text(&mut conn, "SELECT journal_mode AS value FROM pragma_journal_mode")?;
    if mode.first().map(String::as_str) != Some("wal") {
        return Err(OpenError::NoWal);
    }
    // Another process may migrate at the same time, so the list of applied migrations is read under the write
    // lock.
    AnsiTransactionManager::begin_transaction_sql(&mut conn, "BEGIN IMMEDIATE").map_err(failure)?;
    refuse_newer(&mut conn)?;
    conn.run_pending_migrations(MIGRATIONS).map_err(|error| OpenError::Migration(error.to_string()))?;
    AnsiTransactionManager::commit_transaction(&mut conn).map_err(failure)?;
    Ok(conn)
}

/// Creates the folder and an empty file. Only the owner can read the file, because the database will contain
/// password hashes and a cookie key.
fn create(path: &Path) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Fails if the file is missing. Without this check SQLite would create the file.
pub(super) fn check_existing(path: &Path) -> Result<(), OpenError> {
    if path.is_file() { Ok(()) } else { Err(OpenError::Missing(path.to_owned())) }
}

/// Looks at a file. A missing file is a database without migrations.
pub(crate) fn inspect(path: &Path) -> Result<Inspection, OpenError> {
    if !path.exists() {
        return Ok(Inspection { pending: versions::names()?, ..Inspection::default() });
    }
    let mut conn = connections::auditing(path, SqliteOptions::default().busy_timeout)?;
    check_library(&mut conn)?;
    versions::inspection(&mut conn)
}

/// Fails if the schema is older or newer than this program's.
pub(super) fn check_current(conn: &mut Conn) -> Result<(), OpenError> {
    check_library(conn)?;
    versions::check_current(conn)
}

fn check_library(conn: &mut Conn) -> Result<(), OpenError> {
    let version = text(conn, "SELECT sqlite_version() AS value")?.pop().unwrap_or_default();
    if is_recent(&version) { Ok(()) } else { Err(OpenError::SqliteTooOld(version)) }
}

fn is_recent(version: &str) -> bool {
    let parts: Vec<u32> = version.split('.').map_while(|part| part.parse().ok()).collect();
    parts.as_slice() >= OLDEST_SQLITE.as_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_library_is_recognised() {
        for old in ["3.51.2", "3.46.0", "3.9.99", "2.99.99", "", "3.51"] {
            assert!(!is_recent(old), "{old}");
        }
        for recent in ["3.51.3", "3.52.0", "3.100.0", "4.0.0", "3.51.3.1"] {
            assert!(is_recent(recent), "{recent}");
        }
    }
}
