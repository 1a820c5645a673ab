use std::fmt;

use bolts_kernel::FieldError;

/// The maximum length of a name, in characters.
const NAME_MAX: usize = 50;

/// The user's name for a key, such as 'Trading bot'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyName(String);

impl KeyName {
    /// Checks a name that a user typed: 1 to 50 characters in one line.
    pub fn parse(typed: &str) -> Result<Self, FieldError> {
        let name = typed.trim();
        let message = match name.chars().count() {
            0 => "Please enter a name",
            1..=NAME_MAX if name.chars().any(char::is_control) => "The name must be one line of text",
            1..=NAME_MAX => return Ok(Self(name.to_owned())),
            _ => "The name must be at most 50 characters",
        };
        Err(FieldError::new("name", message))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
