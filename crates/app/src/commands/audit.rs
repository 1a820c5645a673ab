//! `bolts audit`: checks the ledger's invariants.

use bolts_usecases::Rules;

use crate::store::Database;
use crate::{Failure, commands, wiring};

/// Checks every invariant. Prints one line for each check, then each violation.
pub(crate) fn run(database_url: &str) -> Result<(), Failure> {
    let database = Database::open_read_only(database_url)?;
    let progress = commands::progress("checking every invariant");
    let checks = database.audit().audit();
    progress.finish_and_clear();
    let checks = checks?;
    let mut violations = 0;
    for check in &checks {
        let verdict = if check.violations.is_empty() { "ok" } else { "VIOLATED" };
        commands::say(&format!("{verdict:<8}  {}: {} checked", check.name, check.counted));
        for violation in &check.violations {
            commands::say(&format!("          {violation}"));
        }
        violations += check.violations.len();
    }
    // Warns about refunded withdrawals that the provider has paid or still lists as pending. The ledger itself is
    // consistent.
    for warning in commands::withdrawals::warnings(&wiring::app(&database, Rules::default()))? {
        commands::say(&warning);
    }
    if violations == 0 {
        return Ok(());
    }
    Err(Failure::answer(format!("the ledger's invariants do not hold: {violations} violations")))
}
