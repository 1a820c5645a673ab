//! Classifies failures of PostgreSQL by Diesel's kinds of errors. The text of a message is not used, because
//! a server may write its messages in any language.

use bolts_ports::StoreError;
use diesel::result::{DatabaseErrorKind, Error};

use crate::failure::{failure_by, unavailable};

pub(super) fn failure(error: Error) -> StoreError {
    failure_by(error, classify)
}

/// Diesel has a kind for each broken constraint (class 23) and for a serialization failure (40001). Diesel
/// reports all other codes as `Unknown`: deadlocks (40P01), lock time-outs (55P03), a stopping or full server
/// (57P01, 53100), and faulty statements. Most `Unknown` failures are temporary, so the writers run the job
/// again. If the job still fails, its answer is 'not available'.
fn classify(kind: &DatabaseErrorKind, message: &str) -> StoreError {
    let breaks_a_constraint = matches!(
        kind,
        DatabaseErrorKind::UniqueViolation
            | DatabaseErrorKind::ForeignKeyViolation
            | DatabaseErrorKind::NotNullViolation
            | DatabaseErrorKind::CheckViolation
            | DatabaseErrorKind::RestrictViolation
            | DatabaseErrorKind::ExclusionViolation
    );
    if breaks_a_constraint {
        StoreError::Broken(message.to_owned())
    } else if matches!(kind, DatabaseErrorKind::SerializationFailure) {
        StoreError::Contention
    } else {
        unavailable(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_decide_and_words_do_not() {
        for message in ["deadlock detected", "Verklemmung entdeckt", ""] {
            let of = |kind| classify(&kind, message);
            for kind in [
                DatabaseErrorKind::Unknown,
                DatabaseErrorKind::ClosedConnection,
                DatabaseErrorKind::UnableToSendCommand,
                DatabaseErrorKind::ReadOnlyTransaction,
            ] {
                assert_eq!(of(kind), StoreError::Unavailable(message.to_owned()));
            }
            assert_eq!(of(DatabaseErrorKind::SerializationFailure), StoreError::Contention);
            assert_eq!(of(DatabaseErrorKind::CheckViolation), StoreError::Broken(message.to_owned()));
        }
        let cut_off = classify(&DatabaseErrorKind::ClosedConnection, "server closed\nby itself\n");
        assert_eq!(cut_off, StoreError::Unavailable("server closed; by itself".to_owned()));
    }
}
