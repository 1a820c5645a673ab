//! Payment hashes and preimages.

use std::fmt;
use std::str::FromStr;

use bolts_kernel::sha256;

/// The text is not 32 bytes in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 32 bytes in hexadecimal")]
pub struct HexError;

/// The hash of a Lightning payment: the SHA-256 of its preimage (BOLT 11).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaymentHash([u8; 32]);

impl PaymentHash {
    /// Creates a payment hash from its 32 bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the hash.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The secret that the payee reveals when the payment arrives. The preimage proves the payment.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Preimage([u8; 32]);

impl Preimage {
    /// Creates a preimage from its 32 bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the preimage.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash of the payment that this preimage proves.
    pub fn payment_hash(&self) -> PaymentHash {
        PaymentHash(sha256(self.0))
    }
}

/// Writes and reads the values of a type as 64 hexadecimal digits.
macro_rules! in_hex {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }

        impl FromStr for $name {
            type Err = HexError;

            fn from_str(text: &str) -> Result<Self, HexError> {
                let mut bytes = [0; 32];
                hex::decode_to_slice(text, &mut bytes).map_err(|_| HexError)?;
                Ok(Self(bytes))
            }
        }
    };
}

in_hex!(PaymentHash);
in_hex!(Preimage);

impl fmt::Debug for PaymentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PaymentHash({self})")
    }
}

impl fmt::Debug for Preimage {
    // A node on the route can claim the payment with the preimage, so no log may contain the preimage.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Preimage(of {})", self.payment_hash())
    }
}
