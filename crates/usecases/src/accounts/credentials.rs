use bolts_kernel::FieldError;
use email_address::{EmailAddress, Options};

/// The longest email address, in characters (RFC 5321's path limit).
const EMAIL_MAX: usize = 254;

/// Judges an email address and gives it as it is stored: trimmed, in lower case.
///
/// # Errors
/// The field error.
pub fn email(text: &str) -> Result<String, FieldError> {
    let text = text.trim().to_lowercase();
    let options = Options::default().with_required_tld().without_display_text().without_domain_literal();
    let valid = EmailAddress::parse_with_options(&text, options).is_ok();
    if valid && text.chars().count() <= EMAIL_MAX && !text.chars().any(char::is_control) {
        Ok(text)
    } else {
        Err(FieldError::new("email", "Please enter a valid email address"))
    }
}

/// Judges a new password: 6 to 128 characters, not trimmed.
///
/// # Errors
/// The field error, for a field of that name.
pub fn password(field: &'static str, text: &str) -> Result<String, FieldError> {
    let length = text.chars().count();
    let message = match length {
        0..6 => "Password must be at least 6 characters",
        6..=128 => return Ok(text.to_owned()),
        _ => "Password must be at most 128 characters",
    };
    Err(FieldError::new(field, message))
}

/// Judges the new password of a change, in the words of its form.
///
/// # Errors
/// The field error.
pub fn new_password(text: &str) -> Result<String, FieldError> {
    password("newPassword", text)
        .map_err(|error| FieldError::new(error.field, error.message.replacen("Password", "New password", 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails_are_trimmed_lowered_and_judged() {
        assert_eq!(email(" Ann@Example.COM ").unwrap(), "ann@example.com");
        let long = format!("{}@example.com", "a".repeat(60));
        assert_eq!(email(&long).unwrap(), long);
        for wrong in
            ["", "ann", "ann@", "@example.com", "ann@host", "a b@example.com", "Ann <ann@example.com>"]
        {
            assert_eq!(email(wrong).unwrap_err().field, "email", "{wrong}");
        }
        let label = "b".repeat(60);
        let too_long = format!("ann@{label}.{label}.{label}.{label}.{label}.com");
        assert!(email(&too_long).is_err());
    }

    #[test]
    fn passwords_count_characters_and_keep_their_spaces() {
        assert_eq!(password("password", "  ab  ").unwrap(), "  ab  ");
        assert!(password("password", "äöüßé").is_err());
        assert!(password("password", "äöüßéx").is_ok());
        assert!(password("password", &"x".repeat(128)).is_ok());
        assert_eq!(password("newPassword", &"x".repeat(129)).unwrap_err().field, "newPassword");
    }
}
