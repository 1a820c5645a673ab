//! The rules of API keys.

use std::time::Duration;

use bolts_kernel::sha256_hex;
use bolts_keys::{ApiKey, KeyName, Scope, Scopes, lifetime};
use proptest::prelude::*;

const DAY: Duration = Duration::from_secs(24 * 3_600);

#[test]
fn a_name_is_one_line_of_1_to_50_characters() {
    assert_eq!(KeyName::parse("  Trading bot ").unwrap().as_str(), "Trading bot");
    assert!(KeyName::parse(&"ä".repeat(50)).is_ok());
    for wrong in ["", "   ", "two\nlines", &"x".repeat(51)] {
        assert_eq!(KeyName::parse(wrong).unwrap_err().field, "name", "{wrong:?}");
    }
}

#[test]
fn a_key_is_valid_for_90_days_or_for_1_to_365() {
    assert_eq!(lifetime(None), Ok(90 * DAY));
    assert_eq!((lifetime(Some(1)), lifetime(Some(365))), (Ok(DAY), Ok(365 * DAY)));
    for wrong in [i64::MIN, -1, 0, 366, i64::MAX] {
        assert_eq!(lifetime(Some(wrong)).unwrap_err().field, "expiresInDays", "{wrong}");
    }
}

/// A scope allows itself alone: a key that may withdraw may not even read.
#[test]
fn no_scope_includes_another_one() {
    for scope in Scope::ALL {
        let scopes = Scopes::parse([scope.as_str()]).unwrap();
        let allowed: Vec<Scope> = Scope::ALL.into_iter().filter(|other| scopes.allow(*other)).collect();
        assert_eq!(allowed, [scope]);
    }
    assert_eq!(Scopes::default().names(), [] as [&str; 0]);
}

#[test]
fn a_new_key_needs_known_scopes() {
    let chosen = |names: &[&str]| Scopes::parse(names.iter().copied());
    assert_eq!(chosen(&["bet", "read", "bet"]).unwrap().to_string(), "read bet");
    for wrong in [&[][..], &[""], &["admin"], &["read", "Withdraw"], &["read bet"]] {
        assert_eq!(chosen(wrong).unwrap_err().field, "scopes", "{wrong:?}");
    }
}

#[test]
fn a_key_is_recognised_by_its_form() {
    let key = ApiKey::from_random(&"aB3-_".repeat(9)[..43]);
    assert_eq!(ApiKey::parse(key.reveal()), Some(key.clone()));
    assert_eq!(key.beginning(), "bolts_aB3-_a");
    assert_eq!(key.hash(), sha256_hex(key.reveal()));
    assert!(!format!("{key:?}").contains("aB3"), "a log shows nothing of a key");
    let with = |random: &str| format!("bolts_{random}");
    for wrong in
        [String::new(), "a".repeat(49), with(&"a".repeat(42)), with(&"a".repeat(44)), with(&"ä".repeat(22))]
    {
        assert_eq!(ApiKey::parse(&wrong), None, "{wrong}");
    }
}

proptest! {
    #[test]
    fn the_stored_form_of_scopes_is_read_back(read: bool, bet: bool, withdraw: bool) {
        let names = [("read", read), ("bet", bet), ("withdraw", withdraw)];
        let names: Vec<&str> = names.into_iter().filter(|(_, is_in)| *is_in).map(|(name, _)| name).collect();
        let stored = Scopes::stored(&names.join(" ")).unwrap();
        prop_assert_eq!(stored.names(), names.clone());
        prop_assert_eq!(Scopes::parse(names.iter().copied()).ok(), (!names.is_empty()).then_some(stored));
    }

    #[test]
    fn a_foreign_text_is_no_key(text in ".{0,60}") {
        prop_assume!(!text.starts_with("bolts_"));
        prop_assert_eq!(ApiKey::parse(&text), None);
    }

    #[test]
    fn unknown_scopes_are_not_read(name in "[a-z]{1,12}") {
        prop_assert_eq!(Scopes::stored(&name).is_some(), Scope::parse(&name).is_some());
    }
}
