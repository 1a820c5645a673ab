//! Keeps a second server away from a SQLite file. It would not hear of the changes of the first one, so its open pages would be
//! stale. And both would hold the limits that count for one process.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use bolts_store_diesel::DatabaseUrl;

use crate::Failure;

/// What the name of the locked file ends with. The database itself is not locked, because SQLite would lose its own locks when
/// this program closes the file.
const ENDING: &str = "-server";

/// The lock of the only server of a SQLite file. The system frees it when the process ends, however it ends.
pub(crate) struct OnlyServer {
    _lock: Option<File>,
}

impl OnlyServer {
    /// Locks a SQLite file for this server. PostgreSQL needs no lock, because it has several servers.
    pub(crate) fn of(url: &str) -> Result<Self, Failure> {
        let unlocked = Ok(Self { _lock: None });
        // If the URL is bad or the folder cannot be used, opening the database says so.
        let Ok(DatabaseUrl::Sqlite(database)) = DatabaseUrl::parse(url) else { return unlocked };
        let Ok(lock) = lock_of(&database) else { return unlocked };
        match lock.try_lock() {
            Ok(()) => Ok(Self { _lock: Some(lock) }),
            Err(TryLockError::WouldBlock) => Err(Failure::start_up(format!(
                "another server uses {}. A SQLite file is for one server. Stop the other one, or use PostgreSQL.",
                database.display()
            ))),
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "this file system has no locks, so a second server on the database is not noticed");
                unlocked
            }
        }
    }
}

/// The file to lock. It is the same for all links to the database.
fn lock_of(database: &Path) -> io::Result<File> {
    let database = fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    if let Some(folder) = database.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = database.into_os_string();
    name.push(ENDING);
    File::options().create(true).truncate(false).write(true).open(PathBuf::from(name))
}
