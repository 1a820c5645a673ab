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
    /// store the NUL character. Marks that reorder the letters after them are left out: at the end of an option,
    /// such a mark would turn the amounts around that a page shows after it.
    pub fn parse(
        field: &'static str,
        name: &str,
        typed: &str,
        limits: RangeInclusive<usize>,
    ) -> Result<Self, FieldError> {
        let typed: String = typed.chars().filter(|c| !reorders(*c)).collect();
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
        } else if min > 0 && !text.chars().any(is_visible) {
            format!("{name} has no visible characters")
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(FieldError::new(field, message))
    }

    /// Like [`Text::parse`], for a text of one line: each line break and tab becomes a space. Mails quote such a text, and a line
    /// break would let its author write paragraphs of their own.
    ///
    /// # Errors
    /// Those of [`Text::parse`].
    pub fn parse_line(
        field: &'static str,
        name: &str,
        typed: &str,
        limits: RangeInclusive<usize>,
    ) -> Result<Self, FieldError> {
        let is_break = |c| matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}');
        Self::parse(field, name, &typed.replace(is_break, " "), limits)
    }

    /// Wraps a text from the database. The text was validated before it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Whether readers take the two texts for the same one: letter case, invisible characters and the kind and number
    /// of spaces make no difference. Most fonts show a blank letter as a space, some do not show it.
    pub fn reads_like(&self, other: &Self) -> bool {
        [" ", ""].into_iter().any(|blank| self.as_read(blank) == other.as_read(blank))
    }

    /// The words that readers see. `blank` replaces each blank letter.
    fn as_read(&self, blank: &str) -> String {
        let text = self.replace(is_blank, blank);
        let words = text.split_whitespace();
        let words = words.map(|word| word.chars().filter(|c| is_visible(*c)).collect::<String>());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase()
    }
}

/// Whether the character changes the direction of the text after it: the explicit formatting characters of Unicode's
/// bidirectional algorithm (UAX #9). The letters of Hebrew and Arabic need none of them.
const fn reorders(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether the character is a letter without a shape: a filler of Korean syllables, or the empty Braille pattern.
const fn is_blank(c: char) -> bool {
    matches!(c, '\u{115F}'..='\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}')
}

/// Whether a reader sees the character. Not visible are white space, blank letters, and the characters that Unicode calls
/// default ignorable.
fn is_visible(c: char) -> bool {
    let is_ignorable = matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}');
    !(is_ignorable || c.is_whitespace() || is_blank(c))
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
        // The parser also takes fewer slashes after the scheme, but the pages show no such link.
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        let is_web = matches!(scheme.as_deref(), Some("http" | "https"));
        let fits = is_web && Url::parse(text).is_ok_and(|url| url.has_host());
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
