//! Errors of a store.

/// A failure of the store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The transaction conflicted with another transaction. The caller may run the job again.
    #[error("the database was busy with another transaction")]
    Contention,
    /// The database cannot be reached or written to now. Nothing was changed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// Stored or new data violate a rule, because of a bug or a damaged database. Nothing was changed.
    #[error("the database refused or returned something impossible: {0}")]
    Broken(String),
    /// The user of the request has deleted the account meanwhile. Nothing was changed.
    #[error("the user has deleted the account")]
    UserGone,
}

/// The result of a call to the store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error of a use case's job. The store may run a job again after a failure of the store, but never after a refusal
/// by a rule.
pub trait JobError: From<StoreError> + Send + 'static {
    /// The failure of the store, if this error is one.
    fn as_store(&self) -> Option<&StoreError>;
}

impl JobError for StoreError {
    fn as_store(&self) -> Option<&StoreError> {
        Some(self)
    }
}
