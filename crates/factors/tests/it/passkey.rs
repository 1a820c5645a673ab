use bolts_factors::{PasskeyName, counter_moves_on};
use proptest::prelude::*;

/// Stored counter, signed counter, whether the signature is accepted.
const COUNTERS: [(u32, u32, bool); 8] = [
    (0, 0, true),
    (0, 1, true),
    (1, 2, true),
    (7, 100, true),
    (1, 1, false),
    (2, 1, false),
    (1, 0, false),
    (u32::MAX, u32::MAX, false),
];

#[test]
fn a_counter_that_stays_or_goes_back_shows_a_copy() {
    for (stored, signed, fits) in COUNTERS {
        assert_eq!(counter_moves_on(stored, signed), fits, "{stored} {signed}");
    }
}

#[test]
fn a_name_is_one_line_of_up_to_40_characters() {
    assert_eq!(PasskeyName::parse("  My phone ").expect("a name").as_str(), "My phone");
    assert_eq!(PasskeyName::parse(&"ä".repeat(40)).expect("a name").as_str().chars().count(), 40);
    for wrong in ["", "   ", "a\nb", "a\u{0}b", &"x".repeat(41)] {
        assert_eq!(PasskeyName::parse(wrong).expect_err("no name").field, "name", "{wrong:?}");
    }
}

proptest! {
    /// Of two authenticators with the same key and the same counter, only the first to sign is accepted.
    #[test]
    fn no_two_signatures_with_one_counter_are_accepted(stored in 0..=u32::MAX, signed in 1..=u32::MAX) {
        prop_assert!(!counter_moves_on(signed, signed));
        if counter_moves_on(stored, signed) {
            prop_assert!(!counter_moves_on(signed, stored));
        }
    }
}
