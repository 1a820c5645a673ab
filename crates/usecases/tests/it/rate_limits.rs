//! Rate limits on sign-ups, sign-ins and passwords: by network, by device, by session.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use bolts_kernel::sha256_hex;
use bolts_ports::{RateLimitState, StoreError, submit};
use bolts_usecases::Rules;
use bolts_usecases::accounts::{
    EmailError, PasswordError, PasswordOwner, RegisterError, SignInError, SignedIn, TooMany, Visitor,
    session_hash,
};
use futures_executor::block_on;

use crate::stage::{ADDRESS, DAY, HOUR, Stage, owner};

/// An address in 2001:db8:1::/48. `network` is the number of the /64, and `interface` is the end of the address.
fn ipv6(network: u16, interface: u16) -> IpAddr {
    Ipv6Addr::new(0x2001, 0xdb8, 1, network, 0, 0, 0, interface).into()
}

fn ipv4(number: usize) -> IpAddr {
    Ipv4Addr::from_bits(0xcb00_7100 + u32::try_from(number).expect("few")).into()
}

fn sign_in(stage: &Stage, password: &str, from: impl Into<Visitor>) -> Result<SignedIn, SignInError> {
    block_on(stage.app.sign_in("ann@example.com", password.to_owned(), from))
}

/// Sends a wrong password from each address. Returns the number of these passwords that were checked.
fn looked_at(stage: &Stage, from: impl Iterator<Item = IpAddr>) -> usize {
    let answers = from.map(|address| sign_in(stage, "wrong", address).err());
    answers.filter(|answer| *answer == Some(SignInError::WrongCredentials)).count()
}

fn kept(stage: &Stage, bucket: &str) -> Option<RateLimitState> {
    let bucket = bucket.to_owned();
    block_on(submit::<_, StoreError, _>(&*stage.store, move |tx| tx.throttles().lock(&bucket))).expect("read")
}

/// The counters of wrong passwords for Ann: from all networks, from the /64 of `ipv6(7, 1)`, and from its /48.
fn counters_of_ann() -> [String; 3] {
    let account = sha256_hex("ann@example.com");
    let of_network = |network: &str| format!("password:{account}:{network}");
    [format!("passwords:{account}"), of_network("2001:db8:1:7::/64"), of_network("2001:db8:1::/48")]
}

#[test]
fn ten_thousand_addresses_of_one_64_are_one() {
    let stage = Stage::new();
    stage.user("ann");
    assert_eq!(looked_at(&stage, (0..10_000).map(|n| ipv6(7, n))), 10);
    // The attacker's attempts count only for this /64. They do not use up the limit of the e-mail address.
    assert!(sign_in(&stage, "secret", ipv6(8, 1)).is_ok());
    assert!(sign_in(&stage, "secret", ADDRESS).is_ok());
}

/// A server runs for some minutes with a clock that is three days ahead.
#[test]
fn a_clock_that_was_ahead_leaves_no_wait_after_its_correction() {
    let stage = Stage::with_rules(Rules { signins_per_minute: 20, ..Rules::default() });
    stage.user("ann");
    let right = stage.now();
    let guesses = || looked_at(&stage, std::iter::repeat_n(ADDRESS, 30));
    stage.clock.set(right.after(3 * DAY));
    assert_eq!(guesses(), 10);
    stage.clock.set(right);
    assert_eq!(guesses(), 10, "neither the wait nor the window of the wrong clock counts");
}

#[test]
fn ten_thousand_networks_of_one_48_have_ten_times_as_much() {
    let stage = Stage::new();
    stage.user("ann");
    // The limit of the e-mail address starts again each minute.
    let of_minute = |minute: u16| {
        stage.clock.advance(Duration::from_secs(60));
        looked_at(&stage, (0..1_000).map(move |n| ipv6(minute * 1_000 + n, 1)))
    };
    let looked_at: usize = (0..10).map(of_minute).sum();
    // The first 100 attempts need no wait. After that, the waits are 30 s, 1, 2, 4, ... minutes, so only a few more
    // attempts fit into the ten minutes.
    assert!((100..=106).contains(&looked_at), "{looked_at}");
    assert!(sign_in(&stage, "secret", ADDRESS).is_ok());
}

#[test]
fn sign_ups_and_sign_ins_are_limited_per_64_and_48() {
    let rules = Rules { signups_per_hour: 2, signins_per_minute: 3, ..Rules::default() };
    let stage = Stage::with_rules(rules);
    let register = |number: usize, address: IpAddr| {
        block_on(stage.app.register(format!("user{number}@example.com"), "secret".to_owned(), address))
    };
    let refused = |answer: &Result<SignedIn, RegisterError>| matches!(answer, Err(RegisterError::TooMany(_)));
    let registered = (0..100).map(|n| register(n, ipv6(1, n as u16))).filter(|answer| !refused(answer));
    assert_eq!(registered.count(), 2);
    let registered = (100..200).map(|n| register(n, ipv6(n as u16, 1))).filter(|answer| !refused(answer));
    assert_eq!(registered.count(), 18, "20 in the /48");
    assert!(register(200, ADDRESS).is_ok());

    let attempt = |n: usize, address: IpAddr| {
        let answer =
            block_on(stage.app.sign_in(&format!("user{n}@example.com"), "secret".to_owned(), address));
        !matches!(answer, Err(SignInError::TooMany(_)))
    };
    assert_eq!((0..100).filter(|n| attempt(*n, ipv6(1, *n as u16))).count(), 3);
    assert_eq!((0..100).filter(|n| attempt(*n, ipv6(2 + *n as u16, 1))).count(), 27, "30 in the /48");
    // An IPv4 address in IPv6 notation is the same address.
    let mapped =
        |n: usize| if n.is_multiple_of(2) { ipv4(1) } else { "::ffff:203.0.113.1".parse().expect("one") };
    assert_eq!((0..100).filter(|n| attempt(*n, mapped(*n))).count(), 3);
}

#[test]
fn a_known_device_passes_what_strangers_did() {
    let stage = Stage::new();
    stage.user("ann");
    let device = sign_in(&stage, "secret", ADDRESS).expect("signed in").device;
    let known = Visitor { address: ADDRESS, device: Some(device.clone()), browser: None };
    // Attempts from Ann's own network use up the limit of that network. Attempts from other networks use up the
    // limit of her e-mail address.
    assert_eq!(looked_at(&stage, (0..20).map(|_| ADDRESS)), 10);
    assert_eq!(looked_at(&stage, (0..200).map(ipv4)), 90);
    assert!(matches!(sign_in(&stage, "secret", ipv4(300)), Err(SignInError::TooMany(_))));
    assert!(matches!(sign_in(&stage, "secret", ADDRESS), Err(SignInError::TooMany(_))));
    let again = sign_in(&stage, "secret", known.clone()).expect("the device is known");
    assert_eq!(again.device, device, "it stays the same device");

    // Wrong passwords on the device count too, but only for the device.
    for _ in 0..10 {
        assert_eq!(sign_in(&stage, "wrong", known.clone()).err(), Some(SignInError::WrongCredentials));
    }
    assert!(matches!(sign_in(&stage, "secret", known), Err(SignInError::TooMany(_))));

    // A device whose last sign-in was by another user gives Ann no separate count.
    let eve = stage.signed_up("eve");
    let other = Visitor { address: ADDRESS, device: Some(eve.device), browser: None };
    assert!(matches!(sign_in(&stage, "secret", other), Err(SignInError::TooMany(_))));
}

#[test]
fn a_signed_in_users_passwords_count_per_session() {
    let stage = Stage::new();
    stage.user("ann");
    let sessions = [0, 1].map(|_| sign_in(&stage, "secret", ADDRESS).expect("signed in"));
    let change = |session: &SignedIn, current: &str| {
        let hash = session_hash(&session.secret);
        let owner =
            PasswordOwner { user: session.user.id, email: "ann@example.com".to_owned(), session: hash };
        block_on(stage.app.change_password(owner, current.to_owned(), "secret".to_owned())).map(drop)
    };
    // Other people use up the limit of the e-mail address.
    assert_eq!(looked_at(&stage, (0..200).map(ipv4)), 100);
    for _ in 0..10 {
        assert_eq!(change(&sessions[0], "wrong"), Err(PasswordError::WrongCurrent));
    }
    assert!(matches!(change(&sessions[0], "secret"), Err(PasswordError::TooMany(_))));
    assert_eq!(change(&sessions[1], "wrong"), Err(PasswordError::WrongCurrent));
    stage.clock.advance(Duration::from_secs(30));
    assert_eq!(change(&sessions[0], "secret"), Ok(()));
    let bucket = format!("password:session:{}", session_hash(&sessions[0].secret));
    assert_eq!(kept(&stage, &bucket), None);
}

#[test]
fn counts_of_nothing_are_not_kept() {
    let stage = Stage::new();
    stage.user("ann");
    sign_in(&stage, "secret", ipv6(7, 1)).expect("signed in");
    for bucket in counters_of_ann() {
        assert_eq!(kept(&stage, &bucket), None, "{bucket}");
    }
    sign_in(&stage, "wrong", ipv6(7, 1)).expect_err("wrong");
    for bucket in counters_of_ann() {
        assert_eq!(kept(&stage, &bucket).map(|known| known.count), Some(1), "{bucket}");
    }
}

#[test]
fn a_right_password_takes_back_its_own_attempt_alone() {
    let stage = Stage::new();
    stage.user("ann");
    let [spread, _, _] = counters_of_ann();
    let count = || kept(&stage, &spread).map(|known| known.count);
    for address in [1, 2].map(ipv4) {
        sign_in(&stage, "wrong", address).expect_err("wrong");
        sign_in(&stage, "secret", ipv4(3)).expect("signed in");
    }
    assert_eq!(count(), Some(2));
    sign_in(&stage, "secret", ipv4(1)).expect("signed in");
    assert_eq!(count(), Some(2), "the limit over all networks keeps the wrong passwords");
    assert_eq!(kept(&stage, &format!("password:{}:203.0.113.1", sha256_hex("ann@example.com"))), None);
}

/// The attack: a sign-in with a text in place of the address that would make the name of another counter. It would reset this
/// counter, or count in it.
#[test]
fn no_text_in_place_of_an_address_touches_another_counter() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let session = owner(&ann).session;
    let change = |current: &str| {
        block_on(stage.app.change_password(owner(&ann), current.to_owned(), "secret".to_owned()))
    };
    let account = sha256_hex("ann@example.com");
    let texts =
        [format!("ann@example.com:{ADDRESS}"), format!("{account}:{ADDRESS}"), format!("session:{session}")];
    for _ in 0..10 {
        assert_eq!(sign_in(&stage, "wrong", ADDRESS).err(), Some(SignInError::WrongCredentials));
        assert_eq!(change("wrong"), Err(PasswordError::WrongCurrent));
    }
    stage.clock.advance(Duration::from_secs(60));
    for text in texts {
        let refused = block_on(stage.app.sign_in(&text, "wrong".to_owned(), ipv4(1)));
        assert_eq!(refused.err(), Some(SignInError::WrongCredentials), "{text}");
    }
    assert_eq!(looked_at(&stage, [ADDRESS; 5].into_iter()), 1, "the count of the network goes on");
    assert_eq!(change("wrong"), Err(PasswordError::WrongCurrent));
    assert!(matches!(change("wrong"), Err(PasswordError::TooMany(_))), "the count of the session goes on");
}

#[test]
fn the_wait_begins_with_the_last_wrong_password_and_doubles() {
    let stage = Stage::new();
    stage.user("ann");
    assert_eq!(looked_at(&stage, (0..10).map(|_| ADDRESS)), 10);
    for seconds in [30, 60, 120].map(Duration::from_secs) {
        stage.clock.advance(seconds - Duration::from_secs(1));
        let refused = sign_in(&stage, "wrong", ADDRESS).err();
        let limit = TooMany { retry_after: Duration::from_secs(1) };
        assert_eq!(refused, Some(SignInError::TooMany(limit)), "within {seconds:?}");
        stage.clock.advance(Duration::from_secs(1));
        assert_eq!(looked_at(&stage, [ADDRESS].into_iter()), 1, "after {seconds:?}");
    }
    stage.clock.advance(Duration::from_secs(240));
    assert!(sign_in(&stage, "secret", ADDRESS).is_ok());
    assert_eq!(looked_at(&stage, (0..11).map(|_| ADDRESS)), 10, "a right password resets the count");
}

#[test]
fn the_count_of_wrong_passwords_starts_again_a_day_after_the_last() {
    for (passed, checked) in [(DAY, 10), (DAY - Duration::from_micros(1), 1)] {
        let stage = Stage::new();
        stage.user("ann");
        assert_eq!(looked_at(&stage, (0..11).map(|_| ADDRESS)), 10);
        stage.clock.advance(passed);
        assert_eq!(looked_at(&stage, (0..11).map(|_| ADDRESS)), checked, "after {passed:?}");
    }
}

/// The attack: a user asks for the addresses of other people, to learn which of them are registered.
#[test]
fn a_user_asks_for_five_taken_addresses_an_hour() {
    let stage = Stage::with_rules(Rules { sends_mail: true, ..Rules::default() });
    let (ann, _) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let ask = || {
        let taken = "bob@example.com".to_owned();
        block_on(stage.app.request_email_change(owner(&ann), "secret".to_owned(), taken))
    };
    for _ in 0..5 {
        assert_eq!(ask(), Err(EmailError::Taken));
    }
    assert!(matches!(ask(), Err(EmailError::TooMany(_))));
    stage.clock.advance(HOUR);
    assert_eq!(ask(), Err(EmailError::Taken));
}

/// The counts of mails for a new password protect the owner of the address, so a deletion does not lift them.
#[test]
fn a_deletion_forgets_the_counts_of_the_user_but_not_those_of_mails() {
    let stage = Stage::with_rules(Rules { sends_mail: true, ..Rules::default() });
    let ann = stage.signed_up("ann");
    sign_in(&stage, "wrong", ipv6(7, 1)).expect_err("wrong");
    block_on(stage.app.begin_export(owner(&ann))).expect("counted");
    block_on(stage.app.request_password_reset("ann@example.com", ADDRESS)).expect("requested");
    let export = format!("export:{}", ann.user.id);
    let mut buckets = Vec::from(counters_of_ann());
    buckets.push(export);
    let count = |bucket: &String| kept(&stage, bucket).map_or(0, |known| known.count);
    assert_eq!(buckets.iter().map(count).collect::<Vec<_>>(), [1; 4]);
    assert_eq!(stage.leave("ann"), Ok(()));
    assert_eq!(buckets.iter().map(count).collect::<Vec<_>>(), [0; 4]);
    assert_eq!(count(&"reset_mail:ann@example.com".to_owned()), 1);
}

/// No window of a limit is longer than a day.
#[test]
fn a_count_is_deleted_two_days_after_its_last_change() {
    let stage = Stage::new();
    stage.user("ann");
    sign_in(&stage, "wrong", ADDRESS).expect_err("wrong");
    let is_kept = || {
        block_on(stage.app.tidy()).expect("tidied");
        kept(&stage, &counters_of_ann()[0]).is_some()
    };
    stage.clock.advance(2 * DAY);
    assert!(is_kept());
    stage.clock.advance(Duration::from_micros(1));
    assert!(!is_kept());
}

/// One job deletes at most 5,000 counts.
#[test]
fn any_number_of_old_counts_is_deleted() {
    let stage = Stage::new();
    let old = RateLimitState { count: 1, since: stage.now(), last: stage.now() };
    let put: Result<(), StoreError> = block_on(submit(&*stage.store, move |tx| {
        (0..5_001).try_for_each(|number| tx.throttles().put(&format!("test:{number}"), old))
    }));
    put.expect("stored");
    stage.clock.advance(3 * DAY);
    block_on(stage.app.tidy()).expect("tidied");
    let now = stage.now();
    let left: Result<u64, StoreError> =
        block_on(submit(&*stage.store, move |tx| tx.throttles().remove_old(now, 9)));
    assert_eq!(left, Ok(0));
}
