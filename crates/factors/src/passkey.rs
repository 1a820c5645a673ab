//! Passkeys (WebAuthn): their names, their number, and the counter that shows a copy.

use std::fmt;
use std::time::Duration;

use bolts_kernel::FieldError;

/// The maximum number of passkeys of a user.
pub const PASSKEYS: usize = 10;

/// A browser may take this time from the challenge to the answer of the authenticator.
pub const CEREMONY_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// The maximum length of a name, in characters.
const NAME_MAX: usize = 40;

/// The user's name for a passkey, such as 'Phone'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyName(String);

impl PasskeyName {
    /// Checks a name that a user typed: 1 to 40 characters in one line.
    pub fn parse(typed: &str) -> Result<Self, FieldError> {
        let name = typed.trim();
        let message = match name.chars().count() {
            0 => "Please enter a name",
            1..=NAME_MAX if name.chars().any(char::is_control) => "The name must be one line of text",
            1..=NAME_MAX => return Ok(Self(name.to_owned())),
            _ => "The name must be at most 40 characters",
        };
        Err(FieldError::new("name", message))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PasskeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether the counter in a signature fits the stored one. An authenticator adds at least 1 with each signature, so a
/// counter that stays or goes back comes from a copy of the authenticator, or the last signature did (WebAuthn, section
/// 6.1.1). Authenticators that synchronise their passkeys have no counter and always sign 0.
pub const fn counter_moves_on(stored: u32, signed: u32) -> bool {
    signed > stored || (signed == 0 && stored == 0)
}
