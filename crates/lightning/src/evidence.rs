//! Helpers to read the answers of providers and of the servers of Lightning addresses.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use bolts_wallet::{HexError, Millisats, PaymentHash, Preimage};
use serde_json::Value;

use crate::http::Answer;

/// Longer messages of a server are cut to this number of characters.
const MAX_WORDS: usize = 200;

/// The minimum length of a run of hexadecimal digits that may be a key, a hash or a preimage.
const SECRET_DIGITS: usize = 32;

/// A server's message, safe for the log and for users. It has no control characters and no long runs of hexadecimal
/// digits (which may be a key or a preimage). It has at most [`MAX_WORDS`] characters.
pub(crate) fn shortened(words: &str) -> String {
    let mut kept = String::new();
    let mut digits = String::new();
    // The added space ends a run of digits at the end of the text, so that this run is checked too.
    for c in words.chars().take(10 * MAX_WORDS).chain([' ']) {
        if c.is_ascii_hexdigit() {
            digits.push(c);
            continue;
        }
        kept.push_str(if digits.len() < SECRET_DIGITS { &digits } else { "…" });
        digits.clear();
        kept.push(if c.is_control() || is_invisible(c) { ' ' } else { c });
    }
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    if kept.chars().count() <= MAX_WORDS {
        return kept;
    }
    kept.chars().take(MAX_WORDS).chain(['…']).collect()
}

/// Characters that change the writing direction or are invisible.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

impl Answer {
    /// A text field at the top level of the answer.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name)?.as_str()
    }

    /// The status and the error message of the server.
    pub(crate) fn words(&self) -> String {
        let words = ["detail", "message", "reason"].into_iter().find_map(|name| self.text(name));
        format!("status {}: {}", self.status, words.map_or_else(|| "no reason".to_owned(), shortened))
    }
}

/// Reads a whole number. LND writes 64-bit numbers as JSON strings.
pub(crate) fn integer(value: Option<&Value>) -> Option<i64> {
    let value = value?;
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

/// Reads an amount in millisats, at least 0.
pub(crate) fn millisats(value: Option<&Value>) -> Option<Millisats> {
    Millisats::new(integer(value)?).ok()
}

/// Reads a payment hash: 32 bytes in Base64, in the standard or the URL-safe alphabet.
pub(crate) fn hash_in_base64(text: &str) -> Option<PaymentHash> {
    let bytes = STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok()?;
    bytes.try_into().ok().map(PaymentHash::new)
}

/// The preimage in a server's answer. A missing or empty value means that the server gives no preimage. 32 zero bytes are a
/// preimage too: a payee can choose them.
///
/// # Errors
/// [`HexError`] if the value is not 32 bytes in hexadecimal.
pub(crate) fn preimage(value: Option<&Value>) -> Result<Option<Preimage>, HexError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => text.parse().map(Some),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => Err(HexError),
    }
}
