//! Copies of the database that may lack its latest changes.

use std::sync::Arc;

use crate::queries::Queries;

/// Replicas of the database, for reads of visitors.
///
/// A replica that [`fresh`](Self::fresh) returns must have everything that was committed until a limited time ago.
pub trait Replicas: Send + Sync {
    /// A replica with its number. `None` if no replica is fresh enough.
    fn fresh(&self) -> Option<(usize, Arc<dyn Queries>)>;

    /// Excludes the replica with this number until a check has found it fresh again, because a read failed.
    fn failed(&self, number: usize);
}
