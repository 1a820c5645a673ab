//! The rules of notifications outside of the site.

use std::collections::BTreeMap;
use std::time::Duration;

use bolts_delivery::{
    Breaker, Channel, Digest, Permit, Preferences, Topic, Wants, retry_after, wait_for_other_version,
};
use bolts_kernel::{TimeZone, Timestamp};
use proptest::prelude::*;

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a time")
}

fn zone(name: &str) -> TimeZone {
    name.parse().expect("a zone")
}

/// Zone, digest, now, and the next digest.
const DIGESTS: [(&str, Digest, &str, &str); 10] = [
    ("UTC", Digest::Daily, "2026-11-23T07:59:59Z", "2026-11-23T08:00:00Z"),
    ("UTC", Digest::Daily, "2026-11-23T08:00:00Z", "2026-11-24T08:00:00Z"),
    ("America/New_York", Digest::Daily, "2026-11-23T08:00:00Z", "2026-11-23T13:00:00Z"),
    // The clocks in New York go forward on 8 March 2026, and back on 1 November 2026.
    ("America/New_York", Digest::Daily, "2026-03-07T13:00:00Z", "2026-03-08T12:00:00Z"),
    ("America/New_York", Digest::Daily, "2026-10-31T12:00:00Z", "2026-11-01T13:00:00Z"),
    ("Asia/Kolkata", Digest::Daily, "2026-11-23T02:29:00Z", "2026-11-23T02:30:00Z"),
    ("Pacific/Kiritimati", Digest::Daily, "2026-11-22T18:00:00Z", "2026-11-23T18:00:00Z"),
    // 23 November 2026 is a Monday.
    ("UTC", Digest::Weekly, "2026-11-23T07:00:00Z", "2026-11-23T08:00:00Z"),
    ("UTC", Digest::Weekly, "2026-11-23T08:00:00Z", "2026-11-30T08:00:00Z"),
    // Samoa had no 30 December 2011.
    ("Pacific/Apia", Digest::Daily, "2011-12-29T18:00:00Z", "2011-12-30T18:00:00Z"),
];

#[test]
fn the_digest_comes_at_eight_in_the_users_zone() {
    for (name, digest, now, next) in DIGESTS {
        assert_eq!(digest.next(at(now), zone(name)), Some(at(next)), "{name} {digest} {now}");
    }
    assert_eq!(Digest::Off.next(at("2026-11-23T07:00:00Z"), zone("UTC")), None);
    assert!("Mars/Olympus".parse::<TimeZone>().is_err());
}

#[test]
fn security_mails_cannot_be_turned_off() {
    let mut preferences = Preferences::default();
    let none = Wants { email: false, push: false, webhook: false };
    for topic in Topic::ALL {
        preferences.choose(topic, none);
        preferences.turn_off(topic, Channel::Email);
        let is_security = topic == Topic::Security;
        assert_eq!(preferences.wants(topic), Wants { email: is_security, ..none }, "{topic}");
    }
    let forged = BTreeMap::from([("security".to_owned(), none), ("of another version".to_owned(), none)]);
    assert!(Preferences::default().with_stored(forged).wants(Topic::Security).email, "from the database too");
}

#[test]
fn choices_are_stored_and_read() {
    let mut preferences = Preferences::default();
    assert!(preferences.stored().is_empty(), "who chose nothing gets new defaults");
    preferences.turn_off(Topic::Accepted, Channel::Email);
    preferences.choose(Topic::Messages, Wants { email: true, push: true, webhook: false });
    assert_eq!(Preferences::default().with_stored(preferences.stored()), preferences);
}

#[test]
fn every_kind_has_a_topic() {
    for (kind, topic) in [
        ("bet_accepted", Topic::Accepted),
        ("outcome_proposed", Topic::Proposed),
        ("bet_due", Topic::Due),
        ("dispute_to_arbitrate", Topic::Disputed),
        ("arbiter_ruled", Topic::Ruled),
        ("proposal_stood", Topic::Settled),
        ("lapse_reminder", Topic::Reminders),
        ("withdrawal_paid", Topic::Security),
        ("password_changed", Topic::Security),
        ("second_factor_removed", Topic::Security),
        ("new_device", Topic::Security),
        ("password_set_by_admin", Topic::Security),
        ("passkey_disabled", Topic::Security),
        ("api_key_made", Topic::Security),
        ("webhook_changed", Topic::Security),
        ("webhook_removed", Topic::Security),
        ("webhook_stopped", Topic::Other),
        ("recovery_codes_replaced", Topic::Security),
        ("a_kind_of_a_later_version", Topic::Other),
    ] {
        assert_eq!(Topic::of(kind), topic, "{kind}");
    }
}

#[test]
fn a_delivery_of_another_version_waits_longer_with_its_age() {
    let (second, minute) = (Duration::from_secs(1), Duration::from_secs(60));
    for (age, wait) in [
        (Duration::ZERO, Some(2 * minute)),
        (minute, Some(2 * minute)),
        (16 * minute, Some(16 * minute)),
        (60 * minute - second, Some(60 * minute - second)),
        (60 * minute, None),
    ] {
        assert_eq!(wait_for_other_version(age), wait, "{age:?}");
    }
}

proptest! {
    #[test]
    fn waits_grow_up_to_an_hour_and_jitter_halves_them_at_most(attempts in 0_u32..200, jitter: u32) {
        let (longest, wait) = (retry_after(attempts, 0), retry_after(attempts, jitter));
        prop_assert!(wait <= longest && wait * 2 >= longest);
        prop_assert!(longest <= Duration::from_secs(3_600) && longest >= Duration::from_secs(30));
        prop_assert!(retry_after(attempts + 1, 0) >= longest);
    }

    #[test]
    fn the_next_digest_is_always_later_and_within_nine_days(
        seconds in 0_i64..4_000_000_000,
        zone in proptest::sample::select(TimeZone::all().collect::<Vec<_>>()),
        weekly: bool,
    ) {
        let now = Timestamp::from_micros(seconds * 1_000_000).expect("in range");
        let digest = if weekly { Digest::Weekly } else { Digest::Daily };
        let next = digest.next(now, zone).expect("there is one");
        prop_assert!(next > now && next.since(now) <= Duration::from_secs(9 * 24 * 3_600));
    }
}

#[test]
fn a_breaker_opens_after_five_failures_and_tests_again() {
    let (mut breaker, mut now) = (Breaker::default(), at("2026-11-23T08:00:00Z"));
    for failure in 1..=5 {
        assert_eq!(breaker.permit(now), Permit::Many);
        assert_eq!(breaker.failed(now), failure == 5);
    }
    for rest in [30, 60, 120, 240, 480, 600, 600] {
        assert_eq!(breaker.permit(now.after(Duration::from_secs(rest - 1))), Permit::None);
        now = now.after(Duration::from_secs(rest));
        assert_eq!(breaker.permit(now), Permit::One);
        assert!(!breaker.failed(now), "it was open before");
    }
    breaker.answered();
    assert_eq!(breaker.permit(now), Permit::Many);
}

#[test]
fn attempts_under_way_do_not_keep_a_breaker_open_for_longer() {
    let (mut breaker, now) = (Breaker::default(), at("2026-11-23T08:00:00Z"));
    // Four mails are sent at once, so three more fail after the fifth failure.
    let opened = (0..8).filter(|_| breaker.failed(now)).count();
    assert_eq!((opened, breaker.permit(now)), (1, Permit::None));
    assert_eq!(breaker.permit(now.after(Duration::from_secs(30))), Permit::One);
}
