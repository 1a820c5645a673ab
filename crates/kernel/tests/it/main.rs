//! Property tests of the kernel's types: each value that is written as text, JSON or a number is read back
//! unchanged.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod network;
mod time_zone;

use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::time::Duration;

use bolts_kernel::{
    Amount, AmountError, BetId, Currency, DepositId, Money, NotificationId, OperationId, ProposalId,
    SessionId, Timestamp, UserId, WithdrawalId,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The years 1 to 9999, in microseconds since the Unix epoch.
const FIRST_MICROS: i64 = -62_135_596_800_000_000;
const LAST_MICROS: i64 = 253_402_300_799_999_999;

fn amounts() -> impl Strategy<Value = Amount> {
    prop_oneof![0..=10_i64, 0..=i64::MAX, i64::MAX - 10..=i64::MAX]
        .prop_map(|units| Amount::new(units).unwrap())
}

fn instants() -> impl Strategy<Value = Timestamp> {
    let near_the_ends = prop_oneof![
        FIRST_MICROS..=FIRST_MICROS + 10,
        LAST_MICROS - 10..=LAST_MICROS,
        // Microseconds before the Unix epoch are negative numbers. Rounding must be the same on both sides of the
        // epoch.
        -2_000_000..=2_000_000_i64,
    ];
    prop_oneof![FIRST_MICROS..=LAST_MICROS, near_the_ends]
        .prop_map(|micros| Timestamp::from_micros(micros).unwrap())
}

/// Asserts that the value survives a round trip through its text and through JSON.
fn assert_round_trip<T>(value: T) -> Result<(), TestCaseError>
where
    T: Copy + Debug + Display + FromStr + PartialEq + Serialize + DeserializeOwned,
{
    prop_assert_eq!(value.to_string().parse::<T>().ok(), Some(value));
    let json = serde_json::to_string(&value).unwrap();
    prop_assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value);
    prop_assert_eq!(json, format!("\"{value}\""));
    Ok(())
}

proptest! {
    #[test]
    fn an_amount_keeps_its_number_of_units(units in any::<i64>()) {
        match Amount::new(units) {
            Ok(amount) => {
                prop_assert!(units >= 0);
                prop_assert_eq!(amount.get(), units);
                prop_assert_eq!(amount.to_string(), units.to_string());
                prop_assert_eq!(serde_json::to_string(&amount).unwrap(), units.to_string());
            }
            Err(error) => prop_assert!(units < 0 && error == AmountError::Negative),
        }
        let read = serde_json::from_str::<Amount>(&units.to_string());
        prop_assert_eq!(read.ok(), Amount::new(units).ok());
    }

    #[test]
    fn amounts_are_whole_numbers_only(units in 0..1_000_000_i64) {
        for text in [format!("{units}.0"), format!("{units}.5"), format!("\"{units}\""), format!("{units}e0")] {
            prop_assert!(serde_json::from_str::<Amount>(&text).is_err(), "{}", text);
        }
    }

    #[test]
    fn sums_and_differences_are_exact_or_refused(a in amounts(), b in amounts()) {
        let exact = i128::from(a.get()) + i128::from(b.get());
        let sum = a.checked_add(b);
        prop_assert_eq!(sum.map(|s| i128::from(s.get())).ok(), (exact <= i128::from(i64::MAX)).then_some(exact));
        prop_assert_eq!(a.checked_sub(b).map(Amount::get).ok(), (a >= b).then(|| a.get() - b.get()));
        if let Ok(sum) = sum {
            prop_assert_eq!(sum.checked_sub(b), Ok(a));
        }
    }

    #[test]
    fn money_adds_within_one_currency_only(a in amounts(), b in amounts()) {
        for currency in Currency::ALL {
            for other in Currency::ALL {
                let sum = Money::new(a, currency).checked_add(Money::new(b, other));
                let expected = if currency == other {
                    a.checked_add(b).map(|amount| Money::new(amount, currency))
                } else {
                    Err(AmountError::CurrencyMismatch)
                };
                prop_assert_eq!(sum, expected);
            }
        }
    }

    #[test]
    fn an_instant_survives_text_json_chrono_and_numbers(at in instants()) {
        prop_assert_eq!(Timestamp::parse(&at.to_string()), Ok(at));
        prop_assert_eq!(Timestamp::from_micros(at.micros()), Ok(at));
        prop_assert_eq!(Timestamp::from(at.to_chrono()), at);
        let json = serde_json::to_string(&at).unwrap();
        prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), at);
    }

    #[test]
    fn instants_sort_like_their_microseconds(a in instants(), b in instants()) {
        prop_assert_eq!(a.cmp(&b), a.micros().cmp(&b.micros()));
        prop_assert_eq!(a.since(b).is_zero(), a <= b);
        prop_assert_eq!(b.after(a.since(b)), a.max(b));
        prop_assert_eq!(a.before(a.since(b)), a.min(b));
    }

    #[test]
    fn arithmetic_stays_within_the_years_1_to_9999(at in instants(), wait in any::<u64>(), years in any::<u32>()) {
        let wait = Duration::from_micros(wait);
        let (later, earlier, years_later) = (at.after(wait), at.before(wait), at.years_after(years));
        prop_assert!(earlier <= at && at <= later && at <= years_later);
        for instant in [later, earlier, years_later] {
            prop_assert!((FIRST_MICROS..=LAST_MICROS).contains(&instant.micros()));
        }
    }

    #[test]
    fn every_id_type_survives_a_round_trip(number in any::<u128>()) {
        let text = format!("{number:032x}");
        assert_round_trip(text.parse::<UserId>().unwrap())?;
        assert_round_trip(text.parse::<BetId>().unwrap())?;
        assert_round_trip(text.parse::<ProposalId>().unwrap())?;
        assert_round_trip(text.parse::<SessionId>().unwrap())?;
        assert_round_trip(text.parse::<NotificationId>().unwrap())?;
        assert_round_trip(text.parse::<OperationId>().unwrap())?;
        assert_round_trip(text.parse::<DepositId>().unwrap())?;
        assert_round_trip(text.parse::<WithdrawalId>().unwrap())?;
    }

    #[test]
    fn random_ids_sort_like_their_texts(a in any::<u128>(), b in any::<u128>()) {
        let id = |number: u128| format!("{number:032x}").parse::<BetId>().unwrap();
        prop_assert_eq!(id(a).cmp(&id(b)), id(a).to_string().cmp(&id(b).to_string()));
    }

    #[test]
    fn other_texts_are_refused_as_ids(text in "[0-9a-fA-F-]{0,40}|\\PC{0,40}|[0-9a-f]{31}\\PC") {
        let id = text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        prop_assert_eq!(text.parse::<BetId>().is_ok(), id);
    }
}

#[test]
fn instants_outside_the_years_1_to_9999_are_refused() {
    for micros in [i64::MIN, FIRST_MICROS - 1, LAST_MICROS + 1, i64::MAX] {
        assert!(Timestamp::from_micros(micros).is_err(), "{micros}");
    }
}

#[test]
fn years_are_calendar_years() {
    let years_after = |text: &str, years| Timestamp::parse(text).unwrap().years_after(years).to_string();
    assert_eq!(years_after("2026-11-20T21:00:00Z", 5), "2031-11-20T21:00:00Z");
    assert_eq!(years_after("2028-02-29T12:00:00Z", 5), "2033-02-28T12:00:00Z");
    assert_eq!(years_after("9998-01-01T00:00:00Z", 5), "9999-12-31T23:59:59.999999Z");
}

#[test]
fn sentences_group_the_digits_of_an_amount() {
    let texts = [0, 999, 1_000, 12_345, 1_234_567, i64::MAX].map(|n| Amount::new(n).unwrap().grouped());
    assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,234,567", "9,223,372,036,854,775,807"]);
}
