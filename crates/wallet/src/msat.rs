//! Amounts in millisats.

use std::fmt;

use bolts_kernel::{Amount, AmountError};

/// An amount in millisats (thousandths of a sat), the unit of Lightning. Never below 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millisats(i64);

impl Millisats {
    /// The amount 0.
    pub const ZERO: Self = Self(0);

    /// An amount of `units` millisats.
    ///
    /// # Errors
    /// [`AmountError::Negative`] if `units` is below 0.
    pub const fn new(units: i64) -> Result<Self, AmountError> {
        if units < 0 { Err(AmountError::Negative) } else { Ok(Self(units)) }
    }

    /// Converts sats to millisats. The result is at most `i64::MAX` millisats.
    pub const fn from_sats(sats: Amount) -> Self {
        Self(sats.get().saturating_mul(1_000))
    }

    /// The number of millisats.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The amount in whole sats, rounded down. A deposit credits this amount to the user.
    pub fn floor_sats(self) -> Amount {
        Amount::new(self.0 / 1_000).unwrap_or_default()
    }

    /// The amount in whole sats, rounded up. A withdrawal charges this amount to the user.
    pub fn ceil_sats(self) -> Amount {
        Amount::new(self.0 / 1_000 + i64::from(self.0 % 1_000 > 0)).unwrap_or_default()
    }

    /// The remainder below 1 sat, in millisats.
    pub const fn dust(self) -> i64 {
        self.0 % 1_000
    }
}

impl fmt::Display for Millisats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} msat", self.0)
    }
}
