use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bolts_ports::StoreError;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::{Conn, connections};
use crate::failure::failure;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");

/// Before this one, a checkpoint at the wrong moment could spoil a file in WAL mode.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];

/// How a SQLite file is used.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// Connections that read.
    pub readers: u32,
    /// The most jobs that share one commit.
    pub batch: usize,
    /// The most jobs that wait; more are answered 'not available' at once.
    pub queue: usize,
    /// How long a connection waits for another process's lock.
    pub busy_timeout: Duration,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { readers: 8, batch: 256, queue: 4_096, busy_timeout: Duration::from_secs(5) }
    }
}

/// Why a SQLite file cannot be opened, in one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Its folder or itself cannot be made.
    #[error("cannot make the database {path}: {source}")]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Reading only needs something to read.
    #[error("there is no database {0}")]
    Missing(PathBuf),
    /// The library that was linked may spoil the file.
    #[error("SQLite {0} is too old; 3.51.3 or later is needed")]
    SqliteTooOld(String),
    /// Its schema has what this program does not know.
    #[error("the database is newer than this program (it has the migration {0}); use the newer program")]
    Newer(String),
    /// Its schema lacks what this program needs, and it was opened for reading only.
    #[error("the database is older than this program (it lacks the migration {0}); start the server once")]
    Older(String),
    /// A step of bringing its schema up to date failed; nothing was changed.
    #[error("cannot bring the database's schema up to date: {0}")]
    Migration(String),
    /// The file system cannot share memory between processes, as one over a network.
    #[error("the database cannot be kept in WAL mode; it has to be on a local disk")]
    NoWal,
    /// The database itself failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The writer's thread could not be started.
    #[error("cannot start the database's writer: {0}")]
    Thread(std::io::Error),
}

/// The first connection to a file that is then up to date.
pub(super) fn migrated(path: &Path, options: &SqliteOptions) -> Result<Conn, OpenError> {
    create(path).map_err(|source| OpenError::Create { path: path.to_owned(), source })?;
    let mut conn = connections::writing(path, options.busy_timeout)?;
    check_library(&mut conn)?;
    let mode = text(&mut conn, "SELECT journal_mode AS value FROM pragma_journal_mode")?;
    if mode.first().map(String::as_str) != Some("wal") {
        return Err(OpenError::NoWal);
    }
    // Another process may be doing the same, so what is missing is asked with the write lock held.
    AnsiTransactionManager::begin_transaction_sql(&mut conn, "BEGIN IMMEDIATE").map_err(failure)?;
    refuse_newer(&mut conn)?;
    conn.run_pending_migrations(MIGRATIONS).map_err(|error| OpenError::Migration(error.to_string()))?;
    AnsiTransactionManager::commit_transaction(&mut conn).map_err(failure)?;
    Ok(conn)
}

/// Makes the folder and an empty file that only its owner may read: it will hold password hashes and a cookie key.
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

/// SQLite would make a missing file.
pub(super) fn check_existing(path: &Path) -> Result<(), OpenError> {
    if path.is_file() { Ok(()) } else { Err(OpenError::Missing(path.to_owned())) }
}

/// Refuses a schema that is not this program's.
pub(super) fn check_current(conn: &mut Conn) -> Result<(), OpenError> {
    check_library(conn)?;
    let applied = refuse_newer(conn)?;
    match known()?.into_iter().find(|version| !applied.contains(version)) {
        Some(missing) => Err(OpenError::Older(missing)),
        None => Ok(()),
    }
}

/// The migrations that the file has; all of them have to be known.
fn refuse_newer(conn: &mut Conn) -> Result<Vec<String>, OpenError> {
    let tables = "SELECT name AS value FROM sqlite_schema WHERE name = '__diesel_schema_migrations'";
    if text(conn, tables)?.is_empty() {
        return Ok(Vec::new());
    }
    let applied = text(conn, "SELECT version AS value FROM __diesel_schema_migrations ORDER BY version")?;
    let known = known()?;
    match applied.iter().find(|version| !known.contains(version)) {
        Some(unknown) => Err(OpenError::Newer(unknown.clone())),
        None => Ok(applied),
    }
}

fn known() -> Result<Vec<String>, OpenError> {
    let migrations: Vec<Box<dyn Migration<Sqlite>>> =
        MIGRATIONS.migrations().map_err(|error| OpenError::Migration(error.to_string()))?;
    Ok(migrations.iter().map(|migration| migration.name().version().to_string()).collect())
}

fn check_library(conn: &mut Conn) -> Result<(), OpenError> {
    let version = text(conn, "SELECT sqlite_version() AS value")?.pop().unwrap_or_default();
    if is_recent(&version) { Ok(()) } else { Err(OpenError::SqliteTooOld(version)) }
}

fn is_recent(version: &str) -> bool {
    let parts: Vec<u32> = version.split('.').map_while(|part| part.parse().ok()).collect();
    parts.as_slice() >= OLDEST_SQLITE.as_slice()
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    value: String,
}

fn text(conn: &mut Conn, sql: &str) -> Result<Vec<String>, StoreError> {
    let lines: Vec<Line> = diesel::sql_query(sql).load(conn).map_err(failure)?;
    Ok(lines.into_iter().map(|line| line.value).collect())
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
