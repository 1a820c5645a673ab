//! SHA-256 hashes.

use sha2::{Digest, Sha256};

/// The SHA-256 of these bytes.
pub fn sha256(bytes: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The SHA-256 of these bytes, as 64 hexadecimal digits.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(sha256(bytes))
}
