//! Proptest strategies for types of the domain.

use bolts_bets::{Category, Method, MethodPolicy, Terms, TermsDraft, Visibility, opponent_stakes};
use bolts_kernel::{Amount, Currency, Money, Timestamp};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::fixtures::{private, start};

/// Any id of this type.
pub fn ids<T: From<u128> + std::fmt::Debug>() -> impl Strategy<Value = T> {
    any::<u128>().prop_map(T::from)
}

/// Any stake within the limits of the currency. A third of the stakes is exactly the minimum or the maximum.
pub fn stakes(currency: Currency) -> impl Strategy<Value = i64> {
    let spec = currency.spec();
    let (min, max) = (spec.min_stake, spec.max_stake);
    prop_oneof![1 => Just(min), 1 => Just(max), 4 => min..=max]
}

/// A stake of a creator and a stake that an opponent may have against it. A third of the pairs has the largest possible
/// ratio.
pub fn stake_pairs(currency: Currency) -> impl Strategy<Value = (i64, i64)> {
    stakes(currency).prop_flat_map(move |units| {
        let stake = Money::new(Amount::new(units).expect("not below 0"), currency);
        let range = opponent_stakes(stake);
        let (least, most) = (*range.start(), *range.end());
        (Just(units), prop_oneof![1 => Just(least), 1 => Just(most), 1 => Just(units), 4 => range])
    })
}

/// A valid expiry: an instant after [`start`], at most five years later.
pub fn expiries() -> impl Strategy<Value = Timestamp> {
    let last = start().years_after(Terms::MAX_YEARS_AHEAD).micros();
    (start().micros() + 1..=last)
        .prop_map(|micros| Timestamp::from_micros(micros).expect("within five years"))
}

/// Terms that the form of a new bet accepts at [`start`], with texts in any script.
pub fn terms() -> impl Strategy<Value = Terms> {
    let texts = ("\\PC{5,200}", "[\\PC\n\t]{0,300}", "\\PC{1,100}", "\\PC{1,100}");
    let stake = select(&Currency::ALL[..]).prop_flat_map(|currency| (Just(currency), stake_pairs(currency)));
    let kinds = (select(&Category::ALL[..]), select(&Method::ALL[..]));
    let link = option::of("https?://[a-z]{1,20}\\.example/[a-zA-Z0-9_%-]{0,40}");
    let times = (expiries(), option::of(expiries()), option::of("[A-Z][a-z]{2,10}/[A-Z][a-z]{2,10}"));
    let visibility = option::of("[a-zA-Z0-9]{22}");
    (texts, stake, kinds, link, times, visibility).prop_filter_map(
        "texts that are long enough once they are trimmed",
        |(texts, (currency, (amount, opponent_stake)), (category, method), link, times, token)| {
            let (title, description, option_a, option_b) = texts;
            let draft = TermsDraft {
                title,
                description,
                option_a,
                option_b,
                stake_amount: amount,
                opponent_stake: Some(opponent_stake),
                currency: currency.to_string(),
                category: category.to_string(),
                method: method.to_string(),
                source_url: link.unwrap_or_default(),
                expires_at: times.0.to_string(),
                resolution_date: times.1.map(|at| at.to_string()).unwrap_or_default(),
                time_zone: times.2.unwrap_or_default(),
            };
            let visibility = token.map_or(Visibility::Public, |token| private(&token));
            Terms::parse(&draft, visibility, MethodPolicy::All, start()).ok()
        },
    )
}
