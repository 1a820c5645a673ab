//! Tests of the resolution method under both policies, of the stored names of enums, and of the default waiting
//! times.

use std::time::Duration;

use bolts_bets::{
    Category, Method, MethodPolicy, Outcome, Side, Status, Terms, TermsDraft, Visibility, Waits,
};

use crate::support::{NOW, at, draft};

#[test]
fn an_operator_can_confine_manual_verification_to_bolts() {
    let bolts_only = "Manual Verification is for Bolts bets only on this site";
    let cases = [
        ("Mutual Agreement", "bolts", MethodPolicy::All, Ok(Method::MutualAgreement)),
        ("Mutual Agreement", "sats", MethodPolicy::All, Ok(Method::MutualAgreement)),
        ("Manual Verification", "bolts", MethodPolicy::All, Ok(Method::ManualVerification)),
        ("Manual Verification", "sats", MethodPolicy::All, Ok(Method::ManualVerification)),
        ("Mutual Agreement", "bolts", MethodPolicy::BoltsOnly, Ok(Method::MutualAgreement)),
        ("Mutual Agreement", "sats", MethodPolicy::BoltsOnly, Ok(Method::MutualAgreement)),
        ("Manual Verification", "bolts", MethodPolicy::BoltsOnly, Ok(Method::ManualVerification)),
        ("Manual Verification", "sats", MethodPolicy::BoltsOnly, Err(bolts_only)),
        ("", "bolts", MethodPolicy::All, Err("Resolution method is required")),
        (
            "Oracle",
            "bolts",
            MethodPolicy::All,
            Err("Resolution method must be Mutual Agreement or Manual Verification"),
        ),
    ];
    for (method, currency, policy, expected) in cases {
        let draft = TermsDraft {
            method: method.to_owned(),
            currency: currency.to_owned(),
            opponent_stake: None,
            ..draft()
        };
        let found = Terms::parse(&draft, Visibility::Public, policy, at(NOW));
        let found = found.map(|terms| terms.method).map_err(|errors| {
            errors.iter().map(|e| format!("{}: {}", e.field, e.message)).collect::<Vec<_>>()
        });
        let expected = expected.map_err(|message| vec![format!("resolutionMethod: {message}")]);
        assert_eq!(found, expected, "{method}, {currency}, {policy:?}");
    }
    assert_eq!(MethodPolicy::default(), MethodPolicy::All);
}

#[test]
fn stored_names_are_read_back() {
    let statuses = ["pending", "accepted", "awaiting_resolution", "resolved", "cancelled"];
    assert_eq!(Status::ALL.iter().map(|s| s.as_str()).collect::<Vec<_>>(), statuses);
    assert_eq!(Outcome::ALL.iter().map(|o| o.as_str()).collect::<Vec<_>>(), ["A", "B", "void"]);
    for side in Side::ALL {
        assert_eq!(Side::parse(side.as_str()), Some(side));
        assert_ne!(side.opposite(), side);
    }
    for category in Category::ALL {
        assert_eq!(Category::parse(category.as_str()), Some(category));
    }
    assert_eq!((Side::parse("a"), Outcome::parse("Void"), Status::parse("active")), (None, None, None));
}

#[test]
fn the_default_waits_match_the_documentation() {
    let hours = |hours: u64| Duration::from_secs(hours * 3_600);
    let documented = Waits {
        stand: hours(72),
        lapse: hours(14 * 24),
        dispute_lapse: hours(30 * 24),
        reminder: hours(24),
        arbiter: hours(7 * 24),
    };
    assert_eq!(Waits::default(), documented);
}
