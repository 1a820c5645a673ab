//! Amounts of money, with checked arithmetic.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Currency;

/// An amount is not valid, or an operation on amounts has no valid result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// The amount is below 0.
    #[error("an amount cannot be negative")]
    Negative,
    /// The result is larger than `i64::MAX`.
    #[error("the amount is too large")]
    Overflow,
    /// The amounts are in different currencies.
    #[error("amounts of different currencies cannot be combined")]
    CurrencyMismatch,
    /// No currency has this name.
    #[error("unknown currency")]
    UnknownCurrency,
}

/// A whole number of units of a currency, never below 0. All arithmetic is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "i64", try_from = "i64")]
pub struct Amount(i64);

impl Amount {
    /// The amount 0.
    pub const ZERO: Self = Self(0);

    /// An amount of `units` whole units.
    ///
    /// # Errors
    /// [`AmountError::Negative`] if `units` is below 0.
    pub const fn new(units: i64) -> Result<Self, AmountError> {
        if units < 0 { Err(AmountError::Negative) } else { Ok(Self(units)) }
    }

    /// The number with its digits in groups, as sentences show it: `1,234,567`.
    pub fn grouped(self) -> String {
        let digits = self.0.to_string();
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        text
    }

    /// The number of units.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Whether the amount is 0.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum of both amounts.
    ///
    /// # Errors
    /// [`AmountError::Overflow`] if the sum is larger than `i64::MAX`.
    pub fn checked_add(self, other: Self) -> Result<Self, AmountError> {
        self.0.checked_add(other.0).map(Self).ok_or(AmountError::Overflow)
    }

    /// This amount minus `other`.
    ///
    /// # Errors
    /// [`AmountError::Negative`] if `other` is the larger amount.
    pub fn checked_sub(self, other: Self) -> Result<Self, AmountError> {
        // Both amounts are at least 0, so the difference cannot overflow.
        Self::new(self.0 - other.0)
    }
}

impl TryFrom<i64> for Amount {
    type Error = AmountError;

    fn try_from(units: i64) -> Result<Self, AmountError> {
        Self::new(units)
    }
}

impl From<Amount> for i64 {
    fn from(amount: Amount) -> i64 {
        amount.0
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// An amount with its currency. The type prevents sums of different currencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    /// The number of units.
    pub amount: Amount,
    /// The currency of the units.
    pub currency: Currency,
}

impl Money {
    /// An amount together with its currency.
    pub const fn new(amount: Amount, currency: Currency) -> Self {
        Self { amount, currency }
    }

    /// The sum of two amounts of one currency.
    ///
    /// # Errors
    /// [`AmountError::CurrencyMismatch`] for different currencies, [`AmountError::Overflow`] for a sum above
    /// `i64::MAX`.
    pub fn checked_add(self, other: Self) -> Result<Self, AmountError> {
        if self.currency != other.currency {
            return Err(AmountError::CurrencyMismatch);
        }
        Ok(Self { amount: self.amount.checked_add(other.amount)?, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_never_wraps() {
        let max = Amount::new(i64::MAX).unwrap();
        let one = Amount::new(1).unwrap();
        assert_eq!(max.checked_add(one), Err(AmountError::Overflow));
        assert_eq!(one.checked_sub(max), Err(AmountError::Negative));
        assert_eq!(Amount::new(-1), Err(AmountError::Negative));
        assert_eq!(max.checked_sub(max), Ok(Amount::ZERO));
    }

    #[test]
    fn currencies_do_not_mix() {
        let amount = Amount::new(5).unwrap();
        for (one, other) in Currency::ALL.into_iter().flat_map(|one| Currency::ALL.map(|other| (one, other)))
        {
            let sum = Money::new(amount, one).checked_add(Money::new(amount, other));
            let expected = if one == other {
                Ok(Money::new(Amount::new(10).unwrap(), one))
            } else {
                Err(AmountError::CurrencyMismatch)
            };
            assert_eq!(sum, expected);
        }
    }
}
