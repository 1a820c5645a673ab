//! Helpers for the tests of this crate: a valid draft, users and times.

use bolts_bets::{MethodPolicy, Terms, TermsDraft, Visibility};
use bolts_kernel::{FieldError, Timestamp, UserId};

/// The time at which drafts are validated.
pub(crate) const NOW: &str = "2026-11-20T21:00:00Z";

pub(crate) fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

pub(crate) fn user(number: u8) -> UserId {
    format!("{number:032x}").parse().unwrap()
}

/// A valid draft. Each test changes only the fields that it tests.
pub(crate) fn draft() -> TermsDraft {
    TermsDraft {
        title: "Will it snow in Boston?".to_owned(),
        option_a: "Yes".to_owned(),
        option_b: "No".to_owned(),
        stake_amount: 100,
        opponent_stake: Some(60),
        currency: "bolts".to_owned(),
        method: "Mutual Agreement".to_owned(),
        expires_at: "2026-12-24T21:00:00Z".to_owned(),
        ..TermsDraft::default()
    }
}

pub(crate) fn parse(draft: &TermsDraft) -> Result<Terms, Vec<FieldError>> {
    Terms::parse(draft, Visibility::Public, MethodPolicy::All, at(NOW))
}

/// Applies `change` to the valid draft, and validates the result.
pub(crate) fn changed(change: impl FnOnce(&mut TermsDraft)) -> Result<Terms, Vec<FieldError>> {
    let mut draft = draft();
    change(&mut draft);
    parse(&draft)
}

/// The names of the invalid fields.
pub(crate) fn faults(result: Result<Terms, Vec<FieldError>>) -> Vec<&'static str> {
    result.err().unwrap_or_default().iter().map(|error| error.field).collect()
}

/// Asserts that exactly this field is invalid, with this message.
#[track_caller]
pub(crate) fn refused(result: Result<Terms, Vec<FieldError>>, field: &'static str, message: &str) {
    assert_eq!(result.err(), Some(vec![FieldError::new(field, message)]));
}
