//! Backups of a SQLite database that may be in use.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bolts_ports::StoreError;
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::connections;
use super::failure::failure;
use crate::schema::settings;

/// The reason why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file with this name exists. A backup never overwrites a file.
    #[error("{0} is there already; name a new file")]
    Exists(PathBuf),
    /// The copy cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Copies a database that may be in use. The copy gets its name only when it is complete and on the disk, so
/// that an operator cannot mistake an incomplete copy for a backup. `setting` is the name and the value of a
/// setting that only the copy gets.
pub(super) fn copy(
    from: &Path,
    to: &Path,
    setting: (&str, &str),
    busy_timeout: Duration,
) -> Result<(), BackupError> {
    if to.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let mut partial = to.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let result = write(from, &partial, to, setting, busy_timeout);
    if result.is_err() {
        // An incomplete copy is of no use, so it is deleted.
        drop(fs::remove_file(&partial));
    }
    result
}

/// Writes a setting to a file that no other process has open. Afterwards there is no journal file next to it.
fn set(file: &Path, (name, value): (&str, &str)) -> Result<(), StoreError> {
    let unavailable = |error: ConnectionError| StoreError::Unavailable(error.to_string());
    let mut conn = SqliteConnection::establish(&connections::name(file)?).map_err(unavailable)?;
    diesel::insert_into(settings::table)
        .values((settings::name.eq(name), settings::value.eq(value)))
        .on_conflict(settings::name)
        .do_update()
        .set(settings::value.eq(value))
        .execute(&mut conn)
        .map(drop)
        .map_err(failure)
}

fn write(
    from: &Path,
    partial: &Path,
    to: &Path,
    setting: (&str, &str),
    busy_timeout: Duration,
) -> Result<(), BackupError> {
    let failed = |source| BackupError::Write { path: to.to_owned(), source };
    // The program creates the file itself, so that only the owner can read it. A file or a link that is there already may belong to
    // somebody else. `VACUUM INTO` accepts an empty file.
    if let Err(error) = fs::remove_file(partial)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(failed(error));
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(partial).map_err(failed)?;
    let mut conn = connections::writing(from, busy_timeout)?;
    diesel::sql_query("VACUUM INTO $1")
        .bind::<Text, _>(connections::name(partial)?)
        .execute(&mut conn)
        .map_err(failure)?;
    set(partial, setting)?;
    File::open(partial).and_then(|file| file.sync_all()).map_err(failed)?;
    fs::rename(partial, to).map_err(failed)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}
