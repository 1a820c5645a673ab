use std::fmt;

use bolts_kernel::sha256_hex;

/// The beginning of every key. Programs that look for leaked secrets can find keys by it.
const PREFIX: &str = "bolts_";

/// The number of characters after the prefix: 32 bytes in base64url.
const RANDOM: usize = 43;

/// The number of characters by which the user recognises a key in the list.
const SHOWN: usize = PREFIX.len() + 6;

/// A text with the form of a key. Only its hash and its first characters are stored.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// A key must not reach a log.
impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

impl ApiKey {
    /// The key with this random part: 32 random bytes in base64url.
    pub fn from_random(random: &str) -> Self {
        Self(format!("{PREFIX}{random}"))
    }

    /// Reads the key of a request. `None` if the text does not have the form of a key. Then nobody needs to look for it.
    pub fn parse(text: &str) -> Option<Self> {
        let random = text.strip_prefix(PREFIX)?;
        let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        (random.len() == RANDOM && random.bytes().all(is_base64url)).then(|| Self(text.to_owned()))
    }

    /// Whether a text may be meant as a key: it contains the beginning of all keys, in any case of its letters. A request with
    /// such a text must be judged by the key alone.
    pub fn resembles(text: &[u8]) -> bool {
        text.windows(PREFIX.len()).any(|part| part.eq_ignore_ascii_case(PREFIX.as_bytes()))
    }

    /// The hash under which the key is stored.
    pub fn hash(&self) -> String {
        sha256_hex(&self.0)
    }

    /// The first characters, by which the user recognises the key.
    pub fn beginning(&self) -> String {
        self.0.chars().take(SHOWN).collect()
    }

    /// The whole key, for its user.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}
