use std::fmt;

use bolts_kernel::sha256_hex;

/// The beginning of every key. Programs that look for leaked secrets can find keys by it.
const PREFIX: &str = "bolts_";

/// The number of characters after the prefix: 32 bytes in base64url.
const RANDOM: usize = 43;

/// The number of characters by which the user recognises a key in the list.
const SHOWN: usize = PREFIX.len() + 6;

/// A new key. Only its hash and its first characters are stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// A key must not reach a log.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// The key with this random part: 32 random bytes in base64url.
    pub fn from_random(random: &str) -> Self {
        Self(format!("{PREFIX}{random}"))
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

/// Whether a text has the form of a key. Another text cannot be a key, so nobody needs to look for it.
pub fn is_key(text: &str) -> bool {
    let random = text.strip_prefix(PREFIX).unwrap_or_default();
    random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
