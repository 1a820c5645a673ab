//! `bolts serve --check`: says all that is wrong with the configuration and the database, without serving.

use std::path::Path;

use bolts_store_diesel::{DatabaseUrl, OpenError, inspect};

use crate::commands::migrate::counted;
use crate::config::ServeOptions;
use crate::{Failure, commands};

/// Prints a line for each fault, on standard error. `problems` are the faults of the settings that clap and the
/// configuration file have. The server can run at the same time, so the addresses to listen on are not tried.
pub(crate) fn run(database_url: &str, options: &ServeOptions, problems: Vec<String>) -> Result<(), Failure> {
    let (mut faults, mut notes) = (problems, Vec::new());
    faults.extend(options.problems());
    match database(database_url, options) {
        Ok((note, misfits)) => {
            notes.extend(note);
            faults.extend(misfits);
        }
        Err(fault) => faults.push(fault),
    }
    notes.iter().for_each(|note| commands::say(note));
    // `main` prints the last line and ends the program.
    let Some(last) = faults.pop() else {
        commands::say("The configuration is valid.");
        return Ok(());
    };
    faults.iter().for_each(|fault| commands::complain(fault));
    Err(Failure::start_up(last))
}

/// Looks at the database. Returns a note if the server will change its schema or wait for the database, and the faults of
/// settings that do not fit the database.
fn database(url: &str, options: &ServeOptions) -> Result<(Option<String>, Vec<String>), String> {
    let wait = options.database_wait();
    let url = DatabaseUrl::parse(url).map_err(|error| error.to_string())?;
    if let DatabaseUrl::Sqlite(path) = &url {
        folder_exists(path)?;
    }
    let found = match inspect(&url) {
        Ok(found) => found,
        Err(OpenError::Away(why)) if !wait.is_zero() => {
            let wait = humantime::format_duration(wait);
            let note = format!("{}: {why}; the server will wait {wait} for it", url.describe());
            return Ok((Some(note), Vec::new()));
        }
        Err(error) => return Err(format!("{}: {error}", url.describe())),
    };
    let will = match (found.applied, found.pending.len()) {
        (_, 0) => None,
        (0, _) => Some(format!("{} is empty: the server will create the schema", url.describe())),
        _ => Some(format!("{} lacks {}: the server will apply them", url.describe(), counted(&found))),
    };
    Ok((will, options.misfits(&url, &found)))
}

/// The server creates missing folders. That fails if one of the names above is a file.
fn folder_exists(path: &Path) -> Result<(), String> {
    let above = path.ancestors().skip(1).find(|folder| folder.exists());
    match above {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("SQLite {}: {} is not a folder", path.display(), folder.display()))
        }
        _ => Ok(()),
    }
}
