//! What both databases' failures have in common, in the words of the ports.

use bolts_ports::StoreError;
use diesel::result::{DatabaseErrorKind, Error};

/// The port's word for Diesel's error; `classify` says what a database's own error is.
pub(crate) fn failure_by(error: Error, classify: fn(&DatabaseErrorKind, &str) -> StoreError) -> StoreError {
    if let Error::DatabaseError(kind, information) = &error {
        return classify(kind, information.message());
    }
    if matches!(error, Error::BrokenTransactionManager | Error::RollbackErrorOnCommit { .. }) {
        return StoreError::Unavailable(error.to_string());
    }
    StoreError::Broken(error.to_string())
}

/// Some messages have many lines, and a log line is one.
pub(crate) fn unavailable(message: &str) -> StoreError {
    StoreError::Unavailable(message.trim().replace('\n', "; "))
}

/// The error for a stored value that is not valid.
pub(crate) fn broken_cell(table: &str, column: &str, id: &str) -> StoreError {
    StoreError::Broken(format!("{table}.{column} of {id} holds a value that this program does not know"))
}
