//! An error of one input field.

use serde::Serialize;

/// An input field with an invalid value, and a message that tells the user how to correct the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The name of the field in the API, e.g. `stakeAmount`.
    pub field: &'static str,
    /// One sentence for the user who filled in the form.
    pub message: String,
}

impl FieldError {
    /// An error of `field` with this message.
    pub fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}
