//! API keys of programs.

use std::net::IpAddr;
use std::time::Duration;

use bolts_keys::{KeyName, Scope, Scopes, lifetime};
use bolts_usecases::Rules;
use bolts_usecases::accounts::{
    KeyError, MadeKey, NewKey, PasswordError, PasswordOwner, SignedIn, StepUpRequired, WrongKey,
};
use futures_executor::block_on;

use crate::stage::{ADDRESS, DAY, Stage, owner};

const MINUTE: Duration = Duration::from_secs(60);

fn make_with(stage: &Stage, owner: PasswordOwner, password: &str) -> Result<MadeKey, KeyError> {
    let new = NewKey {
        name: KeyName::parse("Bot").expect("a name"),
        scopes: Scopes::stored("read withdraw").expect("scopes"),
        lifetime: lifetime(None).expect("90 days"),
    };
    block_on(stage.app.make_key(owner, password.to_owned(), new))
}

/// A key that may read and withdraw, for 90 days.
pub(crate) fn make(stage: &Stage, session: &SignedIn) -> Result<MadeKey, KeyError> {
    make_with(stage, owner(session), "secret")
}

/// Such a key, made in this session.
pub(crate) fn made(stage: &Stage, owner: PasswordOwner) -> MadeKey {
    make_with(stage, owner, "secret").expect("made")
}

#[test]
fn a_key_acts_for_its_user_without_admin_rights() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    block_on(stage.app.set_admin("ann@example.com", true)).expect("stored");
    let wrong = make_with(&stage, owner(&ann), "wrong").err();
    assert_eq!(wrong, Some(KeyError::Password(PasswordError::WrongCurrent)));
    let made = make(&stage, &ann).expect("made");
    assert_eq!(stage.notified(&ann)[0], "api_key_made");
    let found = stage.app.key(&made.secret).expect("readable").expect("valid");
    assert_eq!((found.user.id, found.user.is_admin), (ann.user.id, false));
    assert!(found.scopes.allow(Scope::Withdraw) && !found.scopes.allow(Scope::Bet));
    assert_eq!(made.key.proved_at, None, "without a second factor there is no proof");
    assert_eq!(stage.app.keys_of(ann.user.id), Ok(vec![made.key]));
}

/// Each key causes two mails that the user cannot turn off.
#[test]
fn a_user_makes_a_limited_number_of_keys_in_an_hour() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    for _ in 0..30 {
        let made = make(&stage, &ann).expect("made");
        block_on(stage.app.revoke_key(ann.user.id, made.key.id)).expect("revoked");
    }
    let refused = make(&stage, &ann).err();
    assert!(matches!(refused, Some(KeyError::Password(PasswordError::TooMany(_)))), "{refused:?}");
    stage.clock.advance(60 * MINUTE);
    make(&stage, &ann).expect("made");
}

#[test]
fn a_user_has_at_most_ten_keys_and_revokes_own_keys_only() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let made = [(); 10].map(|()| make(&stage, &ann).expect("made"));
    assert_eq!(make(&stage, &ann).err(), Some(KeyError::TooMany));
    let first = &made[0];
    let revoke = |session: &SignedIn| block_on(stage.app.revoke_key(session.user.id, first.key.id));
    assert_eq!(revoke(&bob), Err(KeyError::NotFound));
    assert!(stage.app.key(&first.secret).expect("readable").is_some());
    assert_eq!(revoke(&ann), Ok(()));
    assert_eq!(stage.app.key(&first.secret), Ok(None));
    assert_eq!(stage.notified(&ann)[0], "api_key_revoked");
    assert_eq!(revoke(&ann), Err(KeyError::NotFound));
    assert!(make(&stage, &ann).is_ok());
}

#[test]
fn a_key_expires_and_its_use_is_recorded_every_five_minutes() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let made = make(&stage, &ann).expect("made");
    let found = || stage.app.key(&made.secret).expect("readable");
    let wants = || stage.app.wants_key_touch(&found().expect("valid"));
    assert!(wants(), "its first use");
    block_on(stage.app.touch_key(made.secret.hash())).expect("recorded");
    assert_eq!(found().expect("valid").last_used_at, Some(stage.now()));
    assert!(!wants());
    stage.clock.advance(5 * MINUTE);
    assert!(wants());
    stage.clock.advance(90 * DAY - 5 * MINUTE);
    assert_eq!((found(), stage.app.keys_of(ann.user.id)), (None, Ok(vec![])));
}

/// A thief with a session and the password, but without the second factor, gets no key.
#[test]
fn a_key_keeps_the_proof_with_which_it_was_made() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (user, session) = (ann.user.id, owner(&ann).session);
    bolts_testkit::run(&*stage.store, move |tx| tx.factors().set_second_factor(user, true)).expect("stored");
    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(make(&stage, &ann).err(), Some(KeyError::Password(required)));
    let proved_at = stage.now();
    bolts_testkit::run(&*stage.store, move |tx| tx.factors().set_proved(&session, proved_at))
        .expect("stored");
    stage.clock.advance(MINUTE);
    let made = make(&stage, &ann).expect("made");
    assert_eq!(made.key.proved_at, Some(proved_at));
    assert_eq!(stage.app.keys_of(user), Ok(vec![made.key]));
}

#[test]
fn wrong_keys_count_like_sign_ins_of_their_network() {
    let stage = Stage::with_rules(Rules { signins_per_minute: 2, ..Rules::default() });
    let refuse = |from: IpAddr| block_on(stage.app.refuse_key(from));
    assert_eq!([refuse(ADDRESS), refuse(ADDRESS)], [WrongKey::Unknown, WrongKey::Unknown]);
    assert!(matches!(refuse(ADDRESS), WrongKey::TooMany(_)));
    assert_eq!(refuse(IpAddr::from([198, 51, 100, 7])), WrongKey::Unknown);
    stage.clock.advance(MINUTE);
    assert_eq!(refuse(ADDRESS), WrongKey::Unknown);
}
