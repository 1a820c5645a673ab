//! Keeps a second server away from a SQLite file. A second server would not hear of the changes of the first one, so its open
//! pages would be stale. The limits that count for one process would be doubled.

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
    /// Locks a SQLite file for this server, or for a command that changes its schema. PostgreSQL needs no lock, because a PostgreSQL
    /// database may have several servers.
    pub(crate) fn of(url: &str) -> Result<Self, Failure> {
        let unlocked = Ok(Self { _lock: None });
        // If the URL is bad or the folder cannot be made, opening the database says so.
        let Ok(DatabaseUrl::Sqlite(database)) = DatabaseUrl::parse(url) else { return unlocked };
        let Ok(path) = path_of(&database) else { return unlocked };
        let error = match open(&path).map(|file| (file.try_lock(), file)) {
            Ok((Ok(()), file)) => return Ok(Self { _lock: Some(file) }),
            Ok((Err(TryLockError::WouldBlock), _)) => {
                return Err(Failure::start_up(format!(
                    "a server uses {}. A SQLite file is for one server. Stop that server first, or use PostgreSQL.",
                    database.display()
                )));
            }
            Ok((Err(TryLockError::Error(error)), _)) | Err(error) => error,
        };
        tracing::warn!(%error, "the database cannot be locked, so a second server on it is not noticed");
        unlocked
    }
}

/// The path of the file to lock. It is the same for all links to the database.
fn path_of(database: &Path) -> io::Result<PathBuf> {
    let database = fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    if let Some(folder) = database.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = database.into_os_string();
    name.push(ENDING);
    Ok(PathBuf::from(name))
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    // Another user of the machine could lock a file that is readable, and so keep the server from starting.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
