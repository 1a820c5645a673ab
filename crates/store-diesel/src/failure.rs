//! The common part of both databases' failures, as errors of the ports.

use bolts_ports::StoreError;
use diesel::result::{DatabaseErrorKind, Error};

/// The error of the port for an error of Diesel. `classify` maps the database's own errors.
pub(crate) fn failure_by(error: Error, classify: fn(&DatabaseErrorKind, &str) -> StoreError) -> StoreError {
    if let Error::DatabaseError(kind, information) = &error {
        return classify(kind, information.message());
    }
    if matches!(error, Error::BrokenTransactionManager | Error::RollbackErrorOnCommit { .. }) {
        return StoreError::Unavailable(error.to_string());
    }
    StoreError::Broken(error.to_string())
}

/// Some messages have several lines, but a log entry should have one.
pub(crate) fn unavailable(message: &str) -> StoreError {
    StoreError::Unavailable(message.trim().replace('\n', "; "))
}

/// The error for a stored value that is not valid.
pub(crate) fn broken_cell(table: &str, column: &str, id: &str) -> StoreError {
    StoreError::Broken(format!("{table}.{column} of {id} holds a value that this program does not know"))
}
