use std::fmt;

use crate::FieldError;

/// A name that a user gives to one of their things, such as a passkey: 1 to `MAX` characters in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<const MAX: usize>(String);

impl<const MAX: usize> Label<MAX> {
    /// Checks a name that a user typed in the field `name`. Spaces at both ends are left out.
    pub fn parse(typed: &str) -> Result<Self, FieldError> {
        let name = typed.trim();
        let wrong = |message: String| Err(FieldError::new("name", message));
        match name.chars().count() {
            0 => wrong("Please enter a name".to_owned()),
            length if length > MAX => wrong(format!("The name must be at most {MAX} characters")),
            _ if name.chars().any(char::is_control) => wrong("The name must be one line of text".to_owned()),
            _ => Ok(Self(name.to_owned())),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for Label<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
