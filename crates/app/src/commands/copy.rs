use bolts_store_diesel::DatabaseUrl;

use crate::store::Database;
use crate::{Failure, commands};

/// Copies a whole database into an empty one and audits what came of it.
pub(crate) fn run(from: &str, to: &str) -> Result<(), Failure> {
    let parse = |url: &str| DatabaseUrl::parse(url).map_err(|error| Failure::start_up(error.to_string()));
    let (source, target) = (parse(from)?, parse(to)?);
    // Opening sees to the schemas: the source has to be of this version, the target is brought to it.
    drop(Database::open_existing(from)?);
    refuse_used(&Database::open(to)?)?;
    let progress = commands::progress("copying");
    let copied = bolts_store_diesel::copy(&source, &target, |table, rows| {
        progress.set_message(format!("copying {table}: {rows} rows"));
    });
    progress.finish_and_clear();
    copied.map_err(|error| Failure::answer(format!("nothing was copied: {error}")))?;
    commands::audit::run(to)?;
    commands::say("The copy is whole. Point --database-url at it to use it.");
    Ok(())
}

fn refuse_used(target: &Database) -> Result<(), Failure> {
    let has_users = target.queries().has_users().map_err(|error| Failure::answer(error.to_string()))?;
    if has_users {
        return Err(Failure::start_up("the target has users already; a copy needs an empty database"));
    }
    Ok(())
}
