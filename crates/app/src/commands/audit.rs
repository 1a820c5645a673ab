//! `bolts audit`: checks the ledger's invariants.

use bolts_usecases::Rules;

use crate::store::Database;
use crate::{Failure, commands, wiring};

/// Checks every invariant. Prints one line for each check, then each violation.
pub(crate) fn run(database_url: &str) -> Result<(), Failure> {
    let database = Database::open_existing(database_url)?;
    let progress = commands::progress("checking every invariant");
    let checks = database.audit().audit().map_err(|error| Failure::answer(error.to_string()));
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
    let warnings = commands::withdrawals::warnings(&wiring::app(&database, Rules::default()));
    for warning in warnings.map_err(|error| Failure::answer(error.to_string()))? {
        commands::say(&warning);
    }
    if violations == 0 {
        return Ok(());
    }
    Err(Failure::answer(format!("the ledger's invariants do not hold: {violations} violations")))
}
