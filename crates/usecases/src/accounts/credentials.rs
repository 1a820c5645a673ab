//! Checks of e-mail addresses and passwords (`docs/product.md#limits`).

use bolts_kernel::FieldError;
use email_address::{EmailAddress, Options};

/// The maximum length of an e-mail address, in characters (the limit of a path in RFC 5321).
pub const EMAIL_MAX: usize = 254;

const PASSWORD_MIN: usize = 6;
const PASSWORD_MAX: usize = 128;

/// The stored form of an e-mail address that a user typed: trimmed and in lower case.
pub(crate) fn stored_email(typed: &str) -> String {
    typed.trim().to_lowercase()
}

/// Checks an e-mail address and returns its stored form.
pub fn email(text: &str) -> Result<String, FieldError> {
    let text = stored_email(text);
    let options = Options::default().with_required_tld().without_display_text().without_domain_literal();
    let valid = EmailAddress::parse_with_options(&text, options).is_ok();
    if valid && text.chars().count() <= EMAIL_MAX && !text.chars().any(char::is_control) {
        Ok(text)
    } else {
        Err(FieldError::new("email", "Please enter a valid email address"))
    }
}

/// Checks a new password: 6 to 128 characters, spaces included. `field` is the form field for the error.
pub fn password(field: &'static str, text: &str) -> Result<String, FieldError> {
    if text.chars().count() < PASSWORD_MIN {
        return Err(FieldError::new(field, format!("Password must be at least {PASSWORD_MIN} characters")));
    }
    not_too_long(field, text)?;
    Ok(text.to_owned())
}

/// Checks that a text is not longer than any password, so that the server does not compute the hash of a long text.
pub fn not_too_long(field: &'static str, text: &str) -> Result<(), FieldError> {
    if text.chars().count() <= PASSWORD_MAX {
        return Ok(());
    }
    Err(FieldError::new(field, format!("Password must be at most {PASSWORD_MAX} characters")))
}

/// Checks the new password of a password change. The error messages say 'New password', as the form does.
pub fn new_password(text: &str) -> Result<String, FieldError> {
    password("newPassword", text)
        .map_err(|error| FieldError::new(error.field, error.message.replacen("Password", "New password", 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails_are_trimmed_put_in_lower_case_and_checked() {
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

    #[test]
    fn the_refusal_of_a_new_password_says_that_it_is_the_new_one() {
        assert_eq!(new_password("secret").unwrap(), "secret");
        let refused = FieldError::new("newPassword", "New password must be at least 6 characters");
        assert_eq!(new_password("short").unwrap_err(), refused);
    }
}
