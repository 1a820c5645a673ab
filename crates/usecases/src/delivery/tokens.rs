//! Tokens in mails. A token has 256 random bits. The store has only its hash, and no log has it.

use std::time::Duration;

use bolts_kernel::{FieldError, Timestamp, UserId, sha256_hex};
use bolts_ports::{Purpose, Randomness, Result, Token, Tx};

use crate::Refused;
use crate::secret::random_text;

/// The token is unknown, used or expired. The answer does not say which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This link is not valid any more. Please ask for a new one.")]
pub struct InvalidToken;

impl From<InvalidToken> for Refused {
    fn from(error: InvalidToken) -> Self {
        Self::invalid(vec![FieldError::new("token", error.to_string())])
    }
}

/// The lifetime of a token, from the request.
pub(super) const fn lifetime(purpose: Purpose) -> Duration {
    match purpose {
        Purpose::ConfirmAddress => Duration::from_hours(24),
        Purpose::ResetPassword => Duration::from_mins(30),
    }
}

/// Stores a new token and returns its text. The token is made when its mail is sent, so that no database and no backup
/// ever has its text. A repeated attempt makes another token. All of them are valid, because any of these mails may have
/// arrived, and the first that is used ends all of them.
pub(super) fn fresh(
    tx: &mut dyn Tx,
    random: &dyn Randomness,
    (purpose, user, address): (Purpose, UserId, &str),
    requested_at: Timestamp,
) -> Result<String> {
    let text = random_text::<32>(random);
    let expires_at = requested_at.after(lifetime(purpose));
    let token = Token { hash: sha256_hex(&text), purpose, user, address: address.to_owned(), expires_at };
    tx.tokens().insert(&token)?;
    Ok(text)
}

/// The row of a request for another address. Nobody has the text of its token. A mail gets a token for another address only
/// while there is such a row, so a request ends with it, even if its mail has not been sent yet.
pub(crate) fn requested(random: &dyn Randomness, user: UserId, address: &str, now: Timestamp) -> Token {
    let (hash, purpose) = (sha256_hex(random_text::<32>(random)), Purpose::ConfirmAddress);
    Token { hash, purpose, user, address: address.to_owned(), expires_at: now.after(lifetime(purpose)) }
}

/// The valid token with this text.
pub(crate) fn used(
    tx: &mut dyn Tx,
    text: &str,
    purpose: Purpose,
    now: Timestamp,
) -> Result<std::result::Result<Token, InvalidToken>> {
    let token = tx.tokens().lock(&sha256_hex(text), purpose)?;
    Ok(token.filter(|token| now < token.expires_at).ok_or(InvalidToken))
}
