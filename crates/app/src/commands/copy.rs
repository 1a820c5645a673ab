//! `bolts copy`: copies a database into an empty one.

use std::time::Duration;

use bolts_store_diesel::DatabaseUrl;
use bolts_usecases::wallet::CopyKind;
use bolts_usecases::{App, Rules};

use crate::store::Database;
use crate::{Failure, commands, wiring};

/// The command refuses a source whose last heartbeat is less than this time ago, because a server may still write to
/// the source. A server writes a heartbeat every 30 s.
const SERVED_WITHIN: Duration = Duration::from_mins(1);

/// Copies a whole database into an empty one and audits the copy. Withdrawals are paused in the copy.
pub(crate) fn run(from: &str, to: &str) -> Result<(), Failure> {
    let parse = |url: &str| DatabaseUrl::parse(url).map_err(|error| Failure::start_up(error.to_string()));
    let (source, target) = (parse(from)?, parse(to)?);
    // Fails if the schema of the source is not this program's.
    let pause = pause_of_copy(&Database::open_read_only(from)?)?;
    refuse_used(&commands::migrate::open_to_fill(to)?)?;
    let progress = commands::progress("copying");
    let copied = bolts_store_diesel::copy(&source, &target, (pause.0, &pause.1), |table, rows| {
        progress.set_message(format!("copying {table}: {rows} rows"));
    });
    progress.finish_and_clear();
    copied.map_err(|error| Failure::answer(format!("nothing was copied: {error}")))?;
    commands::audit::run(to)?;
    commands::say("The copy is whole. Point --database-url at it to use it.");
    commands::say("Withdrawals are paused in the copy: `bolts withdrawals list` says what to do.");
    Ok(())
}

/// The setting that pauses withdrawals in the copy.
fn pause_of_copy(source: &Database) -> Result<(&'static str, String), Failure> {
    let app = wiring::app(source, Rules::default());
    refuse_served(&app)?;
    Ok(app.pause_of_copy(CopyKind::Copy)?)
}

fn refuse_served(source: &App) -> Result<(), Failure> {
    if source.was_served_within(SERVED_WITHIN)? {
        let line = "the source is served, or was less than a minute ago: what is written meanwhile would not be in the \
                    copy. Stop all its servers, and copy it a minute later";
        return Err(Failure::start_up(line));
    }
    Ok(())
}

fn refuse_used(target: &Database) -> Result<(), Failure> {
    if target.queries().has_users()? {
        return Err(Failure::start_up("the target has users already; a copy needs an empty database"));
    }
    Ok(())
}
