use std::path::Path;

use crate::store::Database;
use crate::{Failure, commands};

/// Makes a consistent copy of a SQLite database while the server runs.
pub(crate) fn run(database_url: &str, file: &Path) -> Result<(), Failure> {
    Database::open_existing(database_url)?.backup(file)?;
    commands::say(&format!("The database is copied to {}.", file.display()));
    Ok(())
}
