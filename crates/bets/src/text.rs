//! Validated texts and links.

use std::ops::{Deref, RangeInclusive};

use bolts_kernel::FieldError;
use url::Url;

/// A text that was trimmed and validated. The database stores the trimmed text (`docs/product.md#limits`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// Trims `typed` and checks that its length is within `limits`, in characters. `name` is the name of
    /// `field` in error messages.
    ///
    /// Control characters are refused, except line breaks and tabs. They cannot be shown, and PostgreSQL cannot
    /// store the NUL character.
    pub fn parse(
        field: &'static str,
        name: &str,
        typed: &str,
        limits: RangeInclusive<usize>,
    ) -> Result<Self, FieldError> {
        let (text, min, max) = (typed.trim(), *limits.start(), *limits.end());
        let length = text.chars().count();
        let message = if length == 0 && min == 1 {
            format!("{name} is required")
        } else if length < min {
            format!("{name} must be at least {min} characters")
        } else if length > max {
            format!("{name} must be at most {max} characters")
        } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            format!("{name} contains characters that cannot be shown")
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(FieldError::new(field, message))
    }

    /// Wraps a text from the database. The text was validated before it was stored.
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

/// A link to a page that shows the outcome: http or https, at most 2,048 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceUrl(String);

impl SourceUrl {
    /// The maximum length of a link, in characters.
    pub const MAX_CHARS: usize = 2_048;

    /// Validates a link. An empty text gives `None`.
    ///
    /// # Errors
    /// The text is not an absolute http or https URL with a host, or the text is too long.
    pub fn parse(text: &str) -> Result<Option<Self>, FieldError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let too_long = text.chars().count() > Self::MAX_CHARS;
        let fits =
            Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        // The pages show the stored text as a link. The parser silently drops white space and control
        // characters, so a link that contains them is refused.
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

    /// Wraps a link from the database. The link was validated before it was stored.
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
