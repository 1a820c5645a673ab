//! Converts failures of a database to errors of the ports. Both databases use this code.

use bolts_ports::StoreError;
use diesel::result::{DatabaseErrorKind, Error};

/// Converts an error of Diesel to a store error. `classify` converts the errors that the database reports.
pub(crate) fn failure_by(error: Error, classify: fn(&DatabaseErrorKind, &str) -> StoreError) -> StoreError {
    if let Error::DatabaseError(kind, information) = &error {
        return classify(kind, information.message());
    }
    if matches!(error, Error::BrokenTransactionManager | Error::RollbackErrorOnCommit { .. }) {
        return StoreError::Unavailable(error.to_string());
    }
    StoreError::Broken(error.to_string())
}

/// The error for a database that is not available. Line breaks in the message become `; `, because a log
/// entry should have one line.
pub(crate) fn unavailable(message: &str) -> StoreError {
    StoreError::Unavailable(message.trim().replace('\n', "; "))
}

/// The error for a stored value that is not valid.
pub(crate) fn broken_cell(table: &str, column: &str, id: &str) -> StoreError {
    StoreError::Broken(format!("{table}.{column} of {id} holds a value that this program does not know"))
}
