//! Lifetimes of sessions and one-time passwords, and the search for users.

use bolts_usecases::accounts::{ResetError, SignInError, SignedIn};
use futures_executor::block_on;

use crate::stage::{ADDRESS, DAY, HOUR, Stage};

fn sign_in(stage: &Stage, password: &str) -> Result<SignedIn, SignInError> {
    block_on(stage.app.sign_in("ann@example.com", password.to_owned(), ADDRESS))
}

fn is_alive(stage: &Stage, secret: &str) -> bool {
    stage.app.session(secret).expect("readable").is_some()
}

#[test]
fn a_session_ends_after_30_days_without_use_and_at_the_latest_after_90() {
    let stage = Stage::new();
    stage.user("ann");
    let idle = sign_in(&stage, "secret").expect("signed in").secret;
    let used = sign_in(&stage, "secret").expect("signed in").secret;
    for day in 1..=90 {
        stage.clock.advance(DAY);
        let session = stage.app.session(&used).expect("readable").expect("it is used every day");
        assert!(stage.app.wants_touch(&session));
        block_on(stage.app.touch_session(&used)).expect("noted");
        assert_eq!(is_alive(&stage, &idle), day <= 30, "day {day}");
    }
    stage.clock.advance(HOUR);
    assert!(!is_alive(&stage, &used));
}

#[test]
fn the_use_of_a_session_is_recorded_once_an_hour() {
    let stage = Stage::new();
    stage.user("ann");
    let secret = sign_in(&stage, "secret").expect("signed in").secret;
    let wants = || stage.app.wants_touch(&stage.app.session(&secret).expect("readable").expect("alive"));
    assert!(!wants());
    stage.clock.advance(HOUR);
    assert!(wants());
    block_on(stage.app.touch_session(&secret)).expect("noted");
    assert!(!wants());
}

#[test]
fn a_one_time_password_is_valid_for_a_day() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let root = stage.admin("root");
    let reset = || block_on(stage.app.reset_password(root, "ann@example.com")).expect("reset");
    let first = reset();
    stage.clock.advance(DAY - HOUR);
    let fresh = sign_in(&stage, &first).expect("the one-time password is still valid");
    assert!(fresh.user.must_change_password && fresh.user.id == ann.user);
    stage.clock.advance(HOUR);
    assert_eq!(sign_in(&stage, &first).err(), Some(SignInError::WrongCredentials));
    let second = reset();
    assert_ne!(first, second);
    assert!(sign_in(&stage, &second).is_ok());
    let actions = stage.store.admin_actions();
    assert_eq!(actions.iter().filter(|action| action.action == "reset_password").count(), 2);
}

/// A password service that is always overloaded.
struct Overloaded;

impl bolts_ports::Passwords for Overloaded {
    fn hash(
        &self,
        _: bolts_ports::Lane,
        _: String,
    ) -> bolts_ports::Pending<'_, Result<String, bolts_ports::Busy>> {
        Box::pin(std::future::ready(Err(bolts_ports::Busy)))
    }

    fn verify(
        &self,
        _: bolts_ports::Lane,
        _: String,
        _: Option<String>,
    ) -> bolts_ports::Pending<'_, Result<bool, bolts_ports::Busy>> {
        Box::pin(std::future::ready(Err(bolts_ports::Busy)))
    }
}

#[test]
fn an_unchecked_password_does_not_count_as_wrong() {
    let stage = Stage::new();
    stage.user("ann");
    let busy = stage.with_passwords(std::sync::Arc::new(Overloaded));
    for _ in 0..30 {
        let refused = block_on(busy.sign_in("ann@example.com", "secret".to_owned(), ADDRESS));
        assert_eq!(refused.err(), Some(SignInError::Busy(bolts_ports::Busy)));
    }
    assert!(sign_in(&stage, "secret").is_ok());
}

/// A hash takes a moment of a processor, so a stranger must not get one for a guess.
#[test]
fn a_guessed_token_costs_no_hash() {
    let busy = Stage::new().with_passwords(std::sync::Arc::new(Overloaded));
    let guess = busy.reset_password_by_mail("guessed".to_owned(), "another".to_owned(), ADDRESS);
    assert!(matches!(block_on(guess), Err(ResetError::Token(_))));
}

#[test]
fn a_search_finds_eight_users_and_never_the_reader() {
    let stage = Stage::new();
    let names: Vec<String> = (0..10).map(|number| format!("bob_{number}")).collect();
    let users = names.iter().map(|name| {
        let user = stage.user(name);
        stage.name(user, name);
        user.user
    });
    let users: Vec<_> = users.collect();
    let found = |reader| {
        let found = stage.app.find_users(reader, "bob").expect("readable");
        found.into_iter().map(|user| user.username).collect::<Vec<_>>()
    };
    assert_eq!(found(users[0]), names[1..9]);
    assert_eq!(found(users[9]), names[..8]);
}
