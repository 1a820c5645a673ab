use std::ops::Deref;

use bolts_kernel::FieldError;
use url::Url;

/// A text that was trimmed, then judged: what is stored is what was judged (decisions, section 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// Wraps a text from a store, which was judged when it came in.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Trims `text` and says what is wrong with its length, counted in characters, if anything.
///
/// Control characters other than line breaks and tabs are refused too: no title holds a NUL, and PostgreSQL could
/// not keep one.
///
/// # Errors
/// The sentence for the form's field.
pub fn trimmed_length_error(
    text: &str,
    min: usize,
    max: usize,
    name: &str,
    too_short: &str,
) -> Result<Text, String> {
    let text = text.trim();
    let length = text.chars().count();
    if length < min {
        return Err(too_short.to_owned());
    }
    if length > max {
        return Err(format!("{name} must be at most {max} characters"));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(format!("{name} contains characters that cannot be shown"));
    }
    Ok(Text(text.to_owned()))
}

/// A link to where the outcome can be looked up: http or https, at most 2,048 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceUrl(String);

impl SourceUrl {
    /// The longest link that is kept, in characters.
    pub const MAX_CHARS: usize = 2_048;

    /// Judges a link; an empty one is none.
    ///
    /// # Errors
    /// The field error for anything but an absolute http or https URL with a host.
    pub fn parse(text: &str) -> Result<Option<Self>, FieldError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let too_long = text.chars().count() > Self::MAX_CHARS;
        let fits =
            Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        // The stored text is shown as a link, so what the parser would silently drop is refused instead.
        let clean = !text.chars().any(|c| c.is_control() || c.is_whitespace());
        if too_long {
            let message = format!("Source URL must be at most {} characters", Self::MAX_CHARS);
            return Err(FieldError::new("sourceUrl", message));
        }
        if fits && clean {
            Ok(Some(Self(text.to_owned())))
        } else {
            Err(FieldError::new("sourceUrl", "Source URL must be a valid http or https URL"))
        }
    }

    /// Wraps a link from a store, which was judged when it came in.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }
}

impl Deref for SourceUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
