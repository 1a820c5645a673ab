//! `bolts backup`: copies a SQLite database while the server runs.

use std::path::Path;

use bolts_usecases::Rules;
use bolts_usecases::wallet::CopyKind;

use crate::store::Database;
use crate::{Failure, commands, wiring};

/// Makes a consistent copy of a SQLite database, even while the server runs. Withdrawals are paused in the
/// copy.
pub(crate) fn run(database_url: &str, file: &Path) -> Result<(), Failure> {
    let database = Database::open_read_only(database_url)?;
    let (name, value) = wiring::app(&database, Rules::default()).pause_of_copy(CopyKind::Backup)?;
    database.backup(file, (name, &value))?;
    commands::say(&format!(
        "The database is copied to {}. Withdrawals are paused in the copy.",
        file.display()
    ));
    Ok(())
}
