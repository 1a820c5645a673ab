//! `bolts migrate`: brings the schema of a database up to date, or says what that would do.

use bolts_store_diesel::{DatabaseUrl, Inspection, inspect};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry};

use crate::only_server::OnlyServer;
use crate::store::Database;
use crate::{Failure, commands, log};

/// Migrates the database. With `only_check` it changes nothing, and the exit status is 1 if migrations are missing.
pub(crate) fn run(database_url: &str, only_check: bool) -> Result<(), Failure> {
    let (url, before) = looked_at(database_url)?;
    commands::say(&url.describe());
    for name in &before.pending {
        commands::say(&format!("  {} {name}", if only_check { "would apply" } else { "applies" }));
    }
    if before.pending.is_empty() {
        commands::say(&format!("The schema is current: {} migrations.", before.applied));
        return Ok(());
    }
    if only_check {
        return Err(Failure::answer(format!("the database lacks {}", counted(&before))));
    }
    let _only = OnlyServer::of(database_url)?;
    // A migration may wait for a table that is in use, and then the store says so in a warning.
    Registry::default().with(log::lines().with_filter(LevelFilter::WARN)).init();
    drop(Database::open(database_url)?);
    commands::say("The schema is current now.");
    Ok(())
}

/// Opens an empty database for a command that fills it. Makes the database if it does not exist. Fails if the database has the
/// schema of an older version. Such a database is probably in use, and opening it would migrate it.
pub(crate) fn open_to_fill(database_url: &str) -> Result<Database, Failure> {
    let (url, found) = looked_at(database_url)?;
    if found.applied > 0 && !found.pending.is_empty() {
        let why = format!("{} lacks {}; `bolts migrate` applies them", url.describe(), counted(&found));
        return Err(Failure::start_up(why));
    }
    Database::open(database_url)
}

/// The database at this URL, and what is in it. Changes nothing.
fn looked_at(database_url: &str) -> Result<(DatabaseUrl, Inspection), Failure> {
    let url = DatabaseUrl::parse(database_url).map_err(|error| Failure::start_up(error.to_string()))?;
    let found = inspect(&url).map_err(|error| Failure::start_up(error.to_string()))?;
    Ok((url, found))
}

/// The number of missing migrations in words.
pub(crate) fn counted(inspection: &Inspection) -> String {
    match inspection.pending.len() {
        1 => "1 migration".to_owned(),
        count => format!("{count} migrations"),
    }
}
