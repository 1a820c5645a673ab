/// What a store can answer instead of what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else's transaction was in the way; run the job again.
    #[error("the database was busy with another transaction")]
    Contention,
    /// The database cannot be reached or written now; nothing was done.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// What is stored, or was to be stored, breaks a rule. A bug or a spoiled database; nothing was done.
    #[error("the database refused or returned something impossible: {0}")]
    Broken(String),
}

/// The result of a store's work.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error of a use case's job: it tells the store's own failures, which decide over a retry, from refusals.
pub trait JobError: From<StoreError> + Send + 'static {
    /// The store's failure, where that is what this is.
    fn as_store(&self) -> Option<&StoreError>;
}

impl JobError for StoreError {
    fn as_store(&self) -> Option<&StoreError> {
        Some(self)
    }
}
