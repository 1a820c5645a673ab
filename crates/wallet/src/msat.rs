use std::fmt;

use bolts_kernel::{Amount, AmountError};

/// Thousandths of a sat, the unit in which Lightning counts; never below 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millisats(i64);

impl Millisats {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Takes `units` millisats.
    ///
    /// # Errors
    /// [`AmountError::Negative`] below 0.
    pub const fn new(units: i64) -> Result<Self, AmountError> {
        if units < 0 { Err(AmountError::Negative) } else { Ok(Self(units)) }
    }

    /// So many whole sats; the largest value where they are more than can be counted in millisats.
    pub const fn from_sats(sats: Amount) -> Self {
        Self(sats.get().saturating_mul(1_000))
    }

    /// The number of millisats.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Whole sats, what is below one cut off: what somebody gets.
    pub fn floor_sats(self) -> Amount {
        Amount::new(self.0 / 1_000).unwrap_or_default()
    }

    /// Whole sats, a begun one counted: what somebody pays.
    pub fn ceil_sats(self) -> Amount {
        Amount::new(self.0 / 1_000 + i64::from(self.0 % 1_000 > 0)).unwrap_or_default()
    }

    /// What is below a sat.
    pub const fn dust(self) -> i64 {
        self.0 % 1_000
    }
}

impl fmt::Display for Millisats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} msat", self.0)
    }
}
