//! Recovery codes: each signs the user in once, if the phone or the passkey is lost.

use std::fmt;

use bolts_kernel::sha256_hex;

/// The number of recovery codes that a user gets.
pub const RECOVERY_CODES: usize = 10;

/// The characters of a code, without characters that look alike.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The characters of a code. 16 characters with 5 random bits each give 80 bits, so that a plain hash protects them.
const LENGTH: usize = 16;

/// A recovery code in readable form. Users see it once, and the store has only its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// The number of random bytes for a code.
    pub const BYTES: usize = LENGTH;

    /// The code from unpredictable bytes.
    pub fn from_random(bytes: [u8; LENGTH]) -> Self {
        // 256 is a multiple of 32, so all characters have the same probability.
        let letters = bytes.map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
        Self(letters.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-"))
    }

    /// The code as the user writes it down: four groups of four characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash that is stored.
    pub fn hash(&self) -> String {
        sha256_hex(plain(&self.0))
    }
}

/// A code must not reach a log.
impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

/// The hash of a code that a user typed. Case, spaces and hyphens make no difference. `None` if the text cannot be a code.
pub fn recovery_hash(typed: &str) -> Option<String> {
    let plain = plain(typed);
    (plain.len() == LENGTH && plain.bytes().all(|byte| LETTERS.contains(&byte))).then(|| sha256_hex(&plain))
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_lowercase()).collect()
}
