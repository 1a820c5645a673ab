use bolts_kernel::Currency;

use crate::error::Result;

/// One check of the ledger's invariants, done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked, in a few words.
    pub name: &'static str,
    /// How many things were looked at.
    pub counted: u64,
    /// What is wrong, each named; empty where the invariant holds.
    pub violations: Vec<String>,
}

/// What the accounts of one kind and currency hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// The kind of account, as the database names it.
    pub kind: String,
    /// The currency.
    pub currency: Currency,
    /// In whole units; below 0 for the system's own accounts.
    pub balance: i64,
}

/// Checks every invariant of decisions, section 6, on the live database, on one consistent view of it.
pub trait Audit: Send + Sync {
    /// All checks, in the order of the decisions.
    ///
    /// # Errors
    /// The database cannot be read.
    fn audit(&self) -> Result<Vec<Check>>;

    /// What the accounts of each kind and currency hold together.
    ///
    /// # Errors
    /// The database cannot be read.
    fn totals(&self) -> Result<Vec<Total>>;
}
