//! Tests of each limit in `docs/product.md#limits`, with the last valid value and the first invalid value.

use bolts_bets::{Category, TermsDraft};
use proptest::prelude::*;

use crate::support::{changed, draft, faults, parse, refused};

/// One character of four bytes in UTF-8. Limits count characters, so a check that counts bytes fails these
/// tests.
const WIDE: &str = "🎲";

/// A text field of the form: its name, a function that sets its value, its limits, and its messages.
struct TextField {
    name: &'static str,
    set: fn(&mut TermsDraft, String),
    min: usize,
    max: usize,
    too_short: &'static str,
    too_long: &'static str,
}

const TEXT_FIELDS: [TextField; 4] = [
    TextField {
        name: "title",
        set: |draft, text| draft.title = text,
        min: 5,
        max: 200,
        too_short: "Title must be at least 5 characters",
        too_long: "Title must be at most 200 characters",
    },
    TextField {
        name: "description",
        set: |draft, text| draft.description = text,
        min: 0,
        max: 5_000,
        too_short: "",
        too_long: "Description must be at most 5000 characters",
    },
    TextField {
        name: "optionA",
        set: |draft, text| draft.option_a = text,
        min: 1,
        max: 100,
        too_short: "Option A is required",
        too_long: "Option A must be at most 100 characters",
    },
    TextField {
        name: "optionB",
        set: |draft, text| draft.option_b = text,
        min: 1,
        max: 100,
        too_short: "Option B is required",
        too_long: "Option B must be at most 100 characters",
    },
];

#[test]
fn text_limits_count_characters() {
    for field in &TEXT_FIELDS {
        for character in ["x", "é", WIDE] {
            let with = |length: usize| changed(|draft| (field.set)(draft, character.repeat(length)));
            assert_eq!(faults(with(field.min)), [""; 0], "{} of {} {character}", field.name, field.min);
            assert_eq!(faults(with(field.max)), [""; 0], "{} of {} {character}", field.name, field.max);
            refused(with(field.max + 1), field.name, field.too_long);
            if field.min > 0 {
                refused(with(field.min - 1), field.name, field.too_short);
            }
        }
    }
}

#[test]
fn texts_are_trimmed_before_they_are_validated_and_stored() {
    for field in &TEXT_FIELDS {
        let padded = |length: usize| format!(" \t\u{a0}\n{}\n \u{2003}", WIDE.repeat(length));
        assert_eq!(faults(changed(|d| (field.set)(d, padded(field.max)))), [""; 0], "{}", field.name);
        refused(changed(|d| (field.set)(d, padded(field.max + 1))), field.name, field.too_long);
        if field.min > 0 {
            refused(changed(|d| (field.set)(d, padded(field.min - 1))), field.name, field.too_short);
            refused(changed(|d| (field.set)(d, " ".repeat(field.max))), field.name, field.too_short);
        }
    }
    let terms = parse(&TermsDraft {
        title: "  Snow in Boston \n".to_owned(),
        description: "\tBy noon. \n\n Or later. ".to_owned(),
        option_a: " Yes ".to_owned(),
        option_b: " No ".to_owned(),
        source_url: " https://example.com/snow ".to_owned(),
        ..draft()
    })
    .unwrap();
    assert_eq!(&*terms.title, "Snow in Boston");
    assert_eq!(&*terms.description, "By noon. \n\n Or later.");
    assert_eq!((&*terms.option_a, &*terms.option_b), ("Yes", "No"));
    assert_eq!(terms.source_url.as_deref(), Some("https://example.com/snow"));
}

#[test]
fn control_characters_are_refused() {
    for field in &TEXT_FIELDS {
        for control in ['\0', '\u{1b}', '\u{7f}', '\u{85}'] {
            let result = changed(|draft| (field.set)(draft, format!("before{control}after")));
            assert_eq!(faults(result), [field.name], "{control:?}");
        }
    }
}

/// In a sentence such as 'You stake 100 on … to win 40', an option that ends with such a mark would turn the amounts around.
#[test]
fn marks_that_reorder_letters_are_left_out() {
    let marks = "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}";
    let terms = parse(&TermsDraft {
        title: format!("{marks} Will {marks}it snow?{marks}"),
        option_a: "Yes\u{202E}".to_owned(),
        option_b: format!("{}{marks}", "N".repeat(100)),
        ..draft()
    });
    let terms = terms.unwrap();
    assert_eq!(&*terms.title, "Will it snow?");
    assert_eq!((&*terms.option_a, terms.option_b.len()), ("Yes", 100), "a mark does not count");
    refused(changed(|draft| draft.option_a = marks.to_owned()), "optionA", "Option A is required");
    // The letters of these scripts need no marks. A joiner belongs to a word or to an emoji.
    for text in ["שלום עולם", "مرحبا", "می\u{200C}خواهم", "👨\u{200D}👩\u{200D}👧"]
    {
        assert_eq!(&*changed(|draft| draft.option_a = text.to_owned()).unwrap().option_a, text);
    }
}

#[test]
fn a_text_that_nobody_sees_is_refused() {
    for unseen in [
        "\u{200B}",
        "\u{2060}",
        "\u{3164}",
        "\u{2800}",
        "\u{AD}",
        "\u{FE0F}",
        "\u{E0041}",
        "\u{200B} \u{115F}",
    ] {
        let message = "Title has no visible characters";
        refused(changed(|draft| draft.title = unseen.repeat(6)), "title", message);
        let message = "Option A has no visible characters";
        refused(changed(|draft| draft.option_a = unseen.to_owned()), "optionA", message);
        assert_eq!(
            faults(changed(|draft| draft.description = unseen.to_owned())),
            [""; 0],
            "it may be empty"
        );
    }
}

#[test]
fn equal_options_are_refused() {
    let same = "Option B must differ from Option A";
    for other in ["Yes", "  Yes  ", "yes", "YES", "Yes\u{200B}", "Y\u{AD}es", "\u{FEFF}yes \u{2060}"] {
        refused(changed(|draft| draft.option_b = other.to_owned()), "optionB", same);
    }
    refused(
        changed(|draft| {
            draft.option_a = "É".to_owned();
            draft.option_b = "é".to_owned();
        }),
        "optionB",
        same,
    );
    refused(
        changed(|draft| {
            draft.option_a = "It snows".to_owned();
            draft.option_b = "It\u{a0} \nsnows".to_owned();
        }),
        "optionB",
        same,
    );
    // Fonts show these letters as spaces, or not at all.
    for blank in ["\u{115F}", "\u{1160}", "\u{2800}", "\u{3164}", "\u{FFA0}"] {
        for [option_a, option_b] in [["It snows", "It_snows"], ["Yes", "Y_es"], ["Yes", "_Yes_"]] {
            let written = |option: &str| option.replace('_', blank);
            let result = changed(|draft| {
                (draft.option_a, draft.option_b) = (written(option_a), written(option_b));
            });
            refused(result, "optionB", same);
        }
    }
    for different in ["\u{115F}\u{1161}", "비가 온다", "비가\u{3164}온다"] {
        assert_eq!(faults(changed(|draft| draft.option_b = different.to_owned())), [""; 0], "{different}");
    }
    assert_eq!(faults(changed(|draft| draft.option_b = "Yes!".to_owned())), [""; 0]);
    assert_eq!(faults(changed(|draft| draft.option_b = "Y es".to_owned())), [""; 0]);
}

#[test]
fn stakes_are_within_the_limits_of_their_currency() {
    let (min_bolts, max_bolts) =
        ("Minimum stake for Bolts bets is 1 bolt.", "Maximum stake for Bolts bets is 100,000,000 Bolts.");
    let (min_sats, max_sats) =
        ("Minimum stake for Sats bets is 100 sats.", "Maximum stake for Sats bets is 100,000,000 sats.");
    let cases = [
        ("bolts", i64::MIN, Some(min_bolts)),
        ("bolts", -1, Some(min_bolts)),
        ("bolts", 0, Some(min_bolts)),
        ("bolts", 1, None),
        ("bolts", 100_000_000, None),
        ("bolts", 100_000_001, Some(max_bolts)),
        ("bolts", i64::MAX, Some(max_bolts)),
        ("sats", 0, Some(min_sats)),
        ("sats", 99, Some(min_sats)),
        ("sats", 100, None),
        ("sats", 100_000_000, None),
        ("sats", 100_000_001, Some(max_sats)),
    ];
    for (currency, units, fault) in cases {
        let result = changed(|draft| {
            draft.currency = currency.to_owned();
            draft.stake_amount = units;
            draft.opponent_stake = None;
        });
        match fault {
            Some(message) => refused(result, "stakeAmount", message),
            None => {
                let stake = result.unwrap().stake;
                assert_eq!((stake.currency.as_str(), stake.amount.get()), (currency, units));
            }
        }
    }
    for currency in ["", "Bolts", "SATS", "usd", " sats"] {
        let result = changed(|draft| draft.currency = currency.to_owned());
        refused(result, "currencyType", "Currency must be bolts or sats");
    }
}

#[test]
fn the_expiry_is_later_than_now_and_at_most_five_years_ahead() {
    let future = "Expiry date must be in the future";
    let far = "Expiry date must be at most 5 years ahead";
    let form = "Expiry date must be a time such as 2026-11-20T21:00:00Z";
    let cases = [
        ("2020-01-01T00:00:00Z", Some(future)),
        ("2026-11-20T20:59:59.999999Z", Some(future)),
        ("2026-11-20T21:00:00Z", Some(future)),
        // Digits below a microsecond are cut off before the check.
        ("2026-11-20T21:00:00.0000009Z", Some(future)),
        ("2026-11-20T21:00:00.000001Z", None),
        ("2026-11-20T16:00:00-05:00", Some(future)),
        ("2026-11-20T16:00:01-05:00", None),
        ("2031-11-20T21:00:00Z", None),
        ("2031-11-20T21:00:00.000001Z", Some(far)),
        ("2031-11-21T21:00:00Z", Some(far)),
        ("9999-12-31T23:59:59Z", Some(far)),
        ("", Some("Expiry date is required")),
        ("2027-01-01", Some(form)),
        ("2027-01-01T12:00:00", Some(form)),
        ("2027-02-30T12:00:00Z", Some(form)),
        ("next week", Some(form)),
    ];
    for (text, fault) in cases {
        let result = changed(|draft| draft.expires_at = text.to_owned());
        match fault {
            Some(message) => refused(result, "expiresAt", message),
            None => assert_eq!(faults(result), [""; 0], "{text}"),
        }
    }
}

#[test]
fn the_resolution_date_is_a_time_or_absent() {
    assert_eq!(parse(&draft()).unwrap().resolution_date, None);
    let dated = changed(|draft| draft.resolution_date = "2026-12-25T09:00:00-05:00".to_owned()).unwrap();
    assert_eq!(dated.resolution_date.map(|at| at.to_string()).as_deref(), Some("2026-12-25T14:00:00Z"));
    assert_eq!(faults(changed(|draft| draft.resolution_date = "Christmas".to_owned())), ["resolutionDate"]);
}

#[test]
fn a_missing_category_is_other_and_an_unknown_one_is_refused() {
    let names =
        "Cryptocurrency, Sports, Politics, Weather, Entertainment, Technology, Finance, Other".split(", ");
    for name in names {
        let terms = changed(|draft| draft.category = name.to_owned()).unwrap();
        assert_eq!(terms.category.as_str(), name);
    }
    assert_eq!(Category::ALL.len(), 8);
    assert_eq!(parse(&draft()).unwrap().category, Category::Other);
    for name in ["sports", "Sport", "General", " Sports"] {
        assert_eq!(faults(changed(|draft| draft.category = name.to_owned())), ["category"], "{name}");
    }
}

#[test]
fn all_invalid_fields_are_reported_at_once() {
    let wrong = TermsDraft { title: "Snow".to_owned(), category: "Snow".to_owned(), ..TermsDraft::default() };
    let mut all = faults(parse(&wrong));
    all.sort_unstable();
    let expected =
        ["category", "currencyType", "expiresAt", "optionA", "optionB", "resolutionMethod", "title"];
    assert_eq!(all, expected);
}

proptest! {
    /// No text makes the validation panic. All texts that pass are trimmed and within the limits.
    #[test]
    fn random_drafts_are_valid_or_refused_without_a_panic(
        title in "\\PC{0,210}|[ \\t\\n\\x00]{0,9}\\PC{0,9}",
        (option_a, option_b) in ("\\PC{0,101}", "\\PC{0,101}"),
        stake_amount in any::<i64>(),
        (source_url, expires_at) in ("(https?|ftp|javascript):(//)?\\PC{0,20}|", "\\PC{0,30}|20[0-9]{2}-0[1-9]-1[0-9]T00:00:00Z"),
    ) {
        let typed = TermsDraft { title, option_a, option_b, stake_amount, source_url, expires_at, ..draft() };
        if let Ok(terms) = parse(&typed) {
            for (text, min, max) in [(&terms.title, 5, 200), (&terms.option_a, 1, 100), (&terms.option_b, 1, 100)] {
                prop_assert_eq!(text.trim(), &**text);
                prop_assert!((min..=max).contains(&text.chars().count()));
            }
            prop_assert_ne!(&terms.option_a, &terms.option_b);
            prop_assert!((1..=100_000_000).contains(&terms.stake.amount.get()));
        }
    }
}

/// Mails quote titles and options.
#[test]
fn titles_and_options_have_one_line() {
    let terms = parse(&TermsDraft {
        title: "Snow?\r\n\tYour withdrawal\u{2028}was refused".to_owned(),
        option_a: "It\nsnows".to_owned(),
        ..draft()
    });
    let terms = terms.unwrap();
    assert_eq!((&*terms.title, &*terms.option_a), ("Snow?   Your withdrawal was refused", "It snows"));
}

#[test]
fn the_time_zone_may_be_absent() {
    let zone = |name: &str| changed(|draft| draft.time_zone = name.to_owned()).unwrap().time_zone;
    assert_eq!(zone(""), None);
    assert_eq!(&*zone("Europe/Berlin").unwrap(), "Europe/Berlin");
}
