//! What went wrong in the database, in the words of the ports. The one place that knows the databases' messages.

use bolts_ports::StoreError;
use diesel::result::{DatabaseErrorKind, Error};

/// Diesel hands SQLite's result codes and most of PostgreSQL's on as `Unknown`, with the database's own words. SQLite's
/// SQLITE_BUSY and SQLITE_LOCKED, PostgreSQL's 40P01 and 55P03.
const IN_THE_WAY: [&str; 5] = [
    "database is locked",
    "database table is locked",
    "database schema is locked",
    "deadlock detected",
    "canceling statement due to lock timeout",
];

/// libpq's words for a connection that died, in case Diesel has not noticed.
const CUT_OFF: [&str; 6] = [
    "server closed the connection",
    "no connection to the server",
    "could not receive data from server",
    "could not send data to server",
    "SSL connection has been closed",
    "SSL SYSCALL error",
];

/// SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_NOMEM, SQLITE_NOTADB; then 57014, 57P01 and its
/// like, 53100, 53200.
const NOT_AVAILABLE: [&str; 11] = [
    "canceling statement due to",
    "terminating connection",
    "could not extend file",
    "could not write",
    "out of shared memory",
    "database or disk is full",
    "disk I/O error",
    "unable to open database file",
    "attempt to write a readonly database",
    "out of memory",
    "file is not a database",
];

/// The port's word for Diesel's error.
pub(crate) fn failure(error: Error) -> StoreError {
    if let Error::DatabaseError(kind, information) = &error {
        return classify(kind, information.message());
    }
    if matches!(error, Error::BrokenTransactionManager | Error::RollbackErrorOnCommit { .. }) {
        return StoreError::Unavailable(error.to_string());
    }
    StoreError::Broken(error.to_string())
}

fn classify(kind: &DatabaseErrorKind, message: &str) -> StoreError {
    let says = |words: &[&str]| words.iter().any(|start| message.starts_with(start));
    if matches!(kind, DatabaseErrorKind::SerializationFailure) || says(&IN_THE_WAY) {
        return StoreError::Contention;
    }
    let is_cut_off = matches!(
        kind,
        DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::ReadOnlyTransaction
    );
    if is_cut_off || says(&CUT_OFF) || says(&NOT_AVAILABLE) {
        // Some messages have many lines, and a log line is one.
        return StoreError::Unavailable(message.trim().replace('\n', "; "));
    }
    StoreError::Broken(message.to_owned())
}

/// A stored value that no program of this kind wrote.
pub(crate) fn broken_cell(table: &str, column: &str, id: &str) -> StoreError {
    StoreError::Broken(format!("{table}.{column} of {id} holds a value that this program does not know"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_apart_by_their_words() {
        let of = |message| classify(&DatabaseErrorKind::Unknown, message);
        assert_eq!(of("database is locked"), StoreError::Contention);
        assert_eq!(of("database table is locked: bets"), StoreError::Contention);
        for message in NOT_AVAILABLE {
            assert_eq!(of(message), StoreError::Unavailable(message.to_owned()));
        }
        for message in ["deadlock detected", "canceling statement due to lock timeout"] {
            assert_eq!(of(message), StoreError::Contention);
        }
        for kind in [DatabaseErrorKind::ClosedConnection, DatabaseErrorKind::UnableToSendCommand] {
            assert!(matches!(classify(&kind, "gone"), StoreError::Unavailable(_)));
        }
        assert_eq!(
            of("server closed the connection\nby itself\n"),
            StoreError::Unavailable("server closed the connection; by itself".to_owned())
        );
        assert!(matches!(of("no such table: bets"), StoreError::Broken(_)));
        assert_eq!(classify(&DatabaseErrorKind::SerializationFailure, ""), StoreError::Contention);
    }
}
