use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use bolts_wallet::{HexError, Millisats, PaymentHash, Preimage};
use serde_json::Value;

use crate::http::Answer;

/// Longer words of a server are cut.
const MAX_WORDS: usize = 200;

/// What looks like a key, a hash or a preimage is this long at least.
const SECRET_DIGITS: usize = 32;

/// A server's words, made fit for a log and for users: no control characters, no long run of hexadecimal digits, which
/// may be a key or a preimage, and not too many.
pub(crate) fn shortened(words: &str) -> String {
    let mut kept = String::new();
    let mut digits = String::new();
    // The last one, which is no digit, ends a run of digits at the end.
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

/// What changes the direction or hides in a text.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

impl Answer {
    /// A text at the top.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name)?.as_str()
    }

    /// What the server says in an error, and its status.
    pub(crate) fn words(&self) -> String {
        let words = ["detail", "message", "reason"].into_iter().find_map(|name| self.text(name));
        format!("status {}: {}", self.status, words.map_or_else(|| "no reason".to_owned(), shortened))
    }
}

/// A whole number; LND writes those of 64 bits as texts.
pub(crate) fn integer(value: Option<&Value>) -> Option<i64> {
    let value = value?;
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

/// An amount in millisats, where it is one.
pub(crate) fn millisats(value: Option<&Value>) -> Option<Millisats> {
    Millisats::new(integer(value)?).ok()
}

/// 32 bytes in Base64, of either alphabet.
pub(crate) fn hash_in_base64(text: &str) -> Option<PaymentHash> {
    let bytes = STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok()?;
    bytes.try_into().ok().map(PaymentHash::new)
}

/// What a server gives as the proof of a payment. Nothing and zeros mean that it gives none.
///
/// # Errors
/// [`HexError`] where it is something else than 32 bytes in hexadecimal.
pub(crate) fn preimage(value: Option<&Value>) -> Result<Option<Preimage>, HexError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.bytes().all(|byte| byte == b'0') => Ok(None),
        Some(Value::String(text)) => text.parse().map(Some),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => Err(HexError),
    }
}
