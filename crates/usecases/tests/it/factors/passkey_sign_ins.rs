//! Sign-ins with a passkey alone.

use bolts_ports::FactorQueries;
use bolts_usecases::Rules;
use bolts_usecases::accounts::{PasskeyAnswer, PasskeySignInError, Visitor};
use futures_executor::block_on;
use serde_json::{Value, json};

use super::{Authenticator, STEP, add_passkey, challenge, change_password, enter, known, passkeys};
use crate::stage::{ADDRESS, Stage, owner};

const WRONG: Option<PasskeySignInError> = Some(PasskeySignInError::Wrong);

fn is_limited(refused: Option<PasskeySignInError>) -> bool {
    matches!(refused, Some(PasskeySignInError::TooMany(_)))
}

#[test]
fn a_passkey_signs_in_and_counts_as_both_factors() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (mut key, _) = add_passkey(&stage, &ann, "key");
    let begun = block_on(stage.app.begin_passkey_sign_in(ADDRESS)).expect("begun");
    assert_eq!(begun.options["allowed"], json!([]), "the options tell nobody who has an account");
    stage.clock.advance(STEP);
    let mut session = enter(&stage, &mut key, ADDRESS).expect("signed in");
    assert_eq!(session.user.id, ann.user.id);
    assert!(stage.is_alive(&session));
    assert_eq!(stage.notified(&ann)[0], "new_device");
    assert_ne!(session.device, ann.device);
    assert_eq!(enter(&stage, &mut key, known(&ann)).expect("signed in").device, ann.device);
    let used = stage.store.factors(ann.user.id).expect("readable").passkeys[0].last_used_at;
    assert_eq!(used, Some(stage.now()));
    stage.clock.advance(9 * STEP);
    assert_eq!(change_password(&stage, &mut session), Ok(()), "such a sign-in is a proof");
}

#[test]
fn a_wrong_answer_signs_nobody_in() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (mut key, _) = add_passkey(&stage, &ann, "ann's key");
    let (other, _) = add_passkey(&stage, &bob, "bob's key");
    let handle = key.user.clone();
    // The authenticator must name the owner of the passkey, because nothing else says who signs in.
    for lie in [Value::Null, other.user, json!("nobody")] {
        key.user = lie.clone();
        assert_eq!(enter(&stage, &mut key, ADDRESS).err(), WRONG, "{lie}");
    }
    key.user = handle;
    assert_eq!(enter(&stage, &mut Authenticator::new("unknown"), ADDRESS).err(), WRONG);
    let mut forged = key.clone();
    forged.key = "another key".to_owned();
    assert_eq!(enter(&stage, &mut forged, ADDRESS).err(), WRONG);
    assert!(enter(&stage, &mut key, ADDRESS).is_ok());
    let id = passkeys(&stage, &ann)[0].0;
    block_on(stage.app.remove_passkey(owner(&ann), id, None)).expect("removed");
    assert_eq!(enter(&stage, &mut key, ADDRESS).err(), WRONG, "a removed passkey");
}

#[test]
fn an_old_counter_disables_the_passkey() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (mut key, _) = add_passkey(&stage, &ann, "key");
    let mut copy = key.clone();
    enter(&stage, &mut key, ADDRESS).expect("signed in");
    assert_eq!(enter(&stage, &mut copy, ADDRESS).err(), Some(PasskeySignInError::Disabled));
    assert_eq!(stage.notified(&ann)[0], "passkey_disabled");
    assert_eq!(challenge(&stage, "ann").methods, ["recoveryCode"], "the password alone is not enough");
}

/// The attack: a stranger who learned the id of a passkey sends wrong answers in its name. The owner can still sign in
/// from other networks and in a known browser.
#[test]
fn wrong_answers_count_for_the_account_in_their_network_alone() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (mut key, _) = add_passkey(&stage, &ann, "ann's key");
    let (mut other, _) = add_passkey(&stage, &bob, "bob's key");
    let mut lying = key.clone();
    lying.user = Value::Null;
    let wrong = |key: &mut Authenticator, from: &Visitor| {
        (0..10).all(|_| enter(&stage, key, from.clone()).err() == WRONG)
    };
    let here = Visitor::from(ADDRESS);
    let elsewhere = Visitor::from(std::net::IpAddr::from([198, 51, 100, 7]));
    assert!(wrong(&mut lying, &here));
    assert!(is_limited(enter(&stage, &mut key, here.clone()).err()));
    assert!(is_limited(enter(&stage, &mut key, known(&bob)).err()), "the browser of another user");
    assert!(enter(&stage, &mut other, here.clone()).is_ok(), "another account in the same network");
    assert!(enter(&stage, &mut key, elsewhere).is_ok());
    assert!(enter(&stage, &mut key, known(&ann)).is_ok(), "a browser that Ann used before");
    stage.clock.advance(STEP);
    assert!(enter(&stage, &mut key, here.clone()).is_ok(), "the wait is over");
    assert!(wrong(&mut lying, &here), "a success resets the count");

    // Wrong answers with the cookie of a known browser have a count of their own.
    assert!(wrong(&mut lying, &known(&ann)));
    assert!(is_limited(enter(&stage, &mut key, known(&ann)).err()));
}

/// An unknown passkey gets the same refusals as a known one, so they tell nobody that a passkey exists.
#[test]
fn wrong_answers_of_an_unknown_passkey_count_for_this_passkey() {
    let stage = Stage::new();
    let (mut first, mut second) = (Authenticator::new("first"), Authenticator::new("second"));
    for _ in 0..10 {
        assert_eq!(enter(&stage, &mut first, ADDRESS).err(), WRONG);
    }
    assert!(is_limited(enter(&stage, &mut first, ADDRESS).err()));
    assert_eq!(enter(&stage, &mut second, ADDRESS).err(), WRONG);
}

#[test]
fn sign_ins_with_passkeys_are_limited_per_network() {
    let stage = Stage::with_rules(Rules { signins_per_minute: 2, ..Rules::default() });
    let ceremony = || PasskeyAnswer { ceremony: "guessed".to_owned(), credential: json!({}) };
    let guess = || block_on(stage.app.sign_in_with_passkey(ceremony(), ADDRESS)).err();
    assert_eq!([guess(), guess()], [WRONG, WRONG]);
    assert!(is_limited(guess()));
}
