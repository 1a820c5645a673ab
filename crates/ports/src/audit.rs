//! The port of the audit: checks of the ledger's invariants.

use bolts_kernel::Currency;

use crate::error::Result;

/// The result of one check of the audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the check, with the number of its invariant (`docs/ledger.md#bolts-audit`).
    pub name: &'static str,
    /// The number of rows that the check covered.
    pub counted: u64,
    /// One sentence for each violation, with the ids of the rows. Empty if the invariant holds.
    pub violations: Vec<String>,
}

/// The sum of the balances of all accounts of one kind and currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// The kind of account, as the database names it.
    pub kind: String,
    /// The currency of these accounts.
    pub currency: Currency,
    /// The sum in whole units. Only the sums of the system's accounts `issuance` and `lightning` may be below 0.
    pub balance: i64,
}

/// Checks every invariant of the ledger (`docs/ledger.md#invariants`) on one consistent view of the live
/// database.
pub trait Audit: Send + Sync {
    /// The results of all checks, in the order of the invariants.
    fn audit(&self) -> Result<Vec<Check>>;

    /// The sums of balances for each kind of account and currency.
    fn totals(&self) -> Result<Vec<Total>>;
}
