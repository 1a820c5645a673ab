//! Classifies failures of SQLite by their messages. Diesel reports most result codes of SQLite as `Unknown`,
//! with SQLite's message for the code. The linked SQLite has its messages in English only, so a message
//! identifies its code.

use bolts_ports::StoreError;
use diesel::result::{DatabaseErrorKind, Error};

use crate::failure::{failure_by, unavailable};

/// The messages of SQLITE_BUSY and SQLITE_LOCKED.
const IN_THE_WAY: [&str; 3] = ["database is locked", "database table is locked", "database schema is locked"];

/// The message of SQLITE_IOERR.
pub(super) const IO_ERROR: &str = "disk I/O error";

/// The messages of SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_NOMEM and
/// SQLITE_NOTADB.
const NOT_AVAILABLE: [&str; 6] = [
    "database or disk is full",
    IO_ERROR,
    "unable to open database file",
    "attempt to write a readonly database",
    "out of memory",
    "file is not a database",
];

pub(super) fn failure(error: Error) -> StoreError {
    failure_by(error, classify)
}

fn classify(kind: &DatabaseErrorKind, message: &str) -> StoreError {
    let says = |words: &[&str]| words.iter().any(|start| message.starts_with(start));
    if matches!(kind, DatabaseErrorKind::SerializationFailure) || says(&IN_THE_WAY) {
        StoreError::Contention
    } else if matches!(kind, DatabaseErrorKind::ReadOnlyTransaction) || says(&NOT_AVAILABLE) {
        unavailable(message)
    } else {
        StoreError::Broken(message.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_codes_are_told_apart_by_their_words() {
        let of = |message| classify(&DatabaseErrorKind::Unknown, message);
        for message in IN_THE_WAY.into_iter().chain(["database table is locked: bets"]) {
            assert_eq!(of(message), StoreError::Contention);
        }
        for message in NOT_AVAILABLE {
            assert_eq!(of(message), StoreError::Unavailable(message.to_owned()));
        }
        assert!(matches!(of("no such table: bets"), StoreError::Broken(_)));
    }
}
