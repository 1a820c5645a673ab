use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bolts_ports::StoreError;
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::connections;
use crate::failure::failure;

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A backup never replaces anything.
    #[error("{0} is there already; name a new file")]
    Exists(PathBuf),
    /// The copy cannot be kept.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Copies a database that may be in use. The copy gets its name only when it is whole and on the disk, so that a
/// half one is never taken for a backup.
pub(super) fn copy(from: &Path, to: &Path, busy_timeout: Duration) -> Result<(), BackupError> {
    if to.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let mut partial = to.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let result = write(from, &partial, to, busy_timeout);
    if result.is_err() {
        // What is left of it would only be in the way of the next attempt.
        drop(fs::remove_file(&partial));
    }
    result
}

fn write(from: &Path, partial: &Path, to: &Path, busy_timeout: Duration) -> Result<(), BackupError> {
    let failed = |source| BackupError::Write { path: to.to_owned(), source };
    // Made here, so that only its owner may read it; SQLite accepts a file that is empty.
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(partial).map_err(failed)?;
    let mut conn = connections::writing(from, busy_timeout)?;
    diesel::sql_query("VACUUM INTO $1")
        .bind::<Text, _>(connections::name(partial)?)
        .execute(&mut conn)
        .map_err(failure)?;
    File::open(partial).and_then(|file| file.sync_all()).map_err(failed)?;
    fs::rename(partial, to).map_err(failed)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}
