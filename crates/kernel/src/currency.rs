//! The table of currencies, and values that exist once for each currency.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::AmountError;
use crate::named;

/// The currency of an amount (`docs/product.md#what-it-is`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Currency {
    /// Free practice points without financial value.
    Bolts,
    /// Bitcoin satoshis: 1 BTC is 100,000,000 sats.
    Sats,
}

named!(Currency { Bolts = "bolts", Sats = "sats" });

/// The properties of a currency: all data in which currencies differ.
#[derive(Debug)]
pub struct CurrencySpec {
    /// The name in front of a noun: 'Sats bets'.
    pub title: &'static str,
    /// The name of one unit in a sentence.
    pub unit: &'static str,
    /// The name of several units in a sentence.
    pub units: &'static str,
    /// The smallest stake of one side.
    pub min_stake: i64,
    /// The largest stake of one side.
    pub max_stake: i64,
    /// Whether the units have financial value. Rules that protect money apply only if this is `true`.
    pub is_money: bool,
    /// The origin of the units.
    pub source: Source,
}

/// The origin of the units of a currency. The ledger derives the system's accounts from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The site issues the units, as grants and rewards.
    Issuance,
    /// The units come in and go out over Lightning.
    Lightning,
}

impl Currency {
    /// The row of this currency in the table of currencies.
    pub const fn spec(self) -> &'static CurrencySpec {
        match self {
            Self::Bolts => &CurrencySpec {
                title: "Bolts",
                unit: "bolt",
                units: "Bolts",
                min_stake: 1,
                max_stake: 100_000_000,
                is_money: false,
                source: Source::Issuance,
            },
            Self::Sats => &CurrencySpec {
                title: "Sats",
                unit: "sat",
                units: "sats",
                min_stake: 100,
                max_stake: 100_000_000,
                is_money: true,
                source: Source::Lightning,
            },
        }
    }
}

impl FromStr for Currency {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        Self::parse(text).ok_or(AmountError::UnknownCurrency)
    }
}

/// One value for each currency.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct PerCurrency<T>([T; Currency::ALL.len()]);

impl<T> PerCurrency<T> {
    /// Calls `value` once for each currency and stores the results.
    pub fn from_fn(value: impl FnMut(Currency) -> T) -> Self {
        Self(Currency::ALL.map(value))
    }

    /// `value` for `currency`, and the default for the other currencies.
    pub fn only(currency: Currency, value: T) -> Self
    where
        T: Default,
    {
        let mut values = Self::from_fn(|_| T::default());
        values[currency] = value;
        values
    }

    /// The currencies and their values, in the order of [`Currency::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Currency, &T)> {
        Currency::ALL.into_iter().zip(&self.0)
    }

    /// The sum of a figure over all currencies. This is only for figures such as counts, because amounts of different
    /// currencies must not be added.
    pub fn sum(&self, figure: impl FnMut(&T) -> i64) -> i64 {
        self.0.iter().map(figure).sum()
    }
}

// `Currency::ALL` has the order of declaration, so the number of a variant is its index in the array.
impl<T> Index<Currency> for PerCurrency<T> {
    type Output = T;

    fn index(&self, currency: Currency) -> &T {
        &self.0[currency as usize]
    }
}

impl<T> IndexMut<Currency> for PerCurrency<T> {
    fn index_mut(&mut self, currency: Currency) -> &mut T {
        &mut self.0[currency as usize]
    }
}

impl<T: fmt::Debug> fmt::Debug for PerCurrency<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_consistent() {
        for (place, currency) in Currency::ALL.into_iter().enumerate() {
            assert_eq!(currency as usize, place, "{currency}: the place in PerCurrency");
            assert_eq!(Currency::parse(currency.as_str()), Some(currency));
            let json = serde_json::to_string(&currency).unwrap();
            assert_eq!(json, format!("\"{currency}\""), "stored notifications and the API use one name");
            let spec = currency.spec();
            assert!(1 <= spec.min_stake && spec.min_stake <= spec.max_stake, "{currency}");
            // A pot is two stakes, and statistics add the stakes of all bets of a user in `i64`. So the largest stake
            // must be far below `i64::MAX`.
            assert!(spec.max_stake <= i64::MAX / 1_000_000_000, "{currency}");
            assert_eq!(
                spec.is_money,
                spec.source != Source::Issuance,
                "{currency}: issued units are no money"
            );
            for name in [spec.title, spec.unit, spec.units] {
                assert!(!name.is_empty(), "{currency}");
            }
            assert_eq!(spec.title.to_lowercase(), currency.as_str());
            assert_eq!(spec.units.to_lowercase(), currency.as_str());
        }
    }

    #[test]
    fn each_currency_has_its_own_value() {
        let mut values = PerCurrency::from_fn(|currency| currency.to_string());
        for currency in Currency::ALL {
            assert_eq!(values[currency], currency.as_str());
            let only = PerCurrency::only(currency, 7);
            for (other, value) in only.iter() {
                assert_eq!(*value, if other == currency { 7 } else { 0 });
            }
            assert_eq!(only.sum(|value| *value), 7);
        }
        values[Currency::Sats].push('!');
        assert_eq!(format!("{values:?}"), r#"{Bolts: "bolts", Sats: "sats!"}"#);
    }
}
