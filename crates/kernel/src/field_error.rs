use serde::Serialize;

/// One field of an input that cannot be used, and why, in words its author can act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The field's name as the API spells it, e.g. `stakeAmount`.
    pub field: &'static str,
    /// One sentence for the person who filled in the form.
    pub message: String,
}

impl FieldError {
    /// Names `field` and says what is wrong with it.
    pub fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}
