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

/// Checks every invariant of decisions, section 6, on the live database, on one consistent view of it.
pub trait Audit: Send + Sync {
    /// All checks, in the order of the decisions.
    ///
    /// # Errors
    /// The database cannot be read.
    fn audit(&self) -> Result<Vec<Check>>;
}
