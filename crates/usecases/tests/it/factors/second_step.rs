//! The second step of a sign-in, after the password.

use bolts_usecases::Rules;
use bolts_usecases::accounts::{CeremonyError, Proof, SecondStepError, SignInError, SignedIn, Visitor};
use futures_executor::block_on;

use super::{
    MINUTE, STEP, add_app, add_passkey, challenge, challenge_of, change_password, finish, known, passkeys,
    prove, signed, wrong_code,
};
use crate::stage::{ADDRESS, DAY, Stage};

const WRONG: Option<SecondStepError> = Some(SecondStepError::Wrong { field: "code" });
const GONE: Option<SecondStepError> = Some(SecondStepError::ChallengeGone);

#[test]
fn a_sign_in_needs_password_and_code() {
    let stage = Stage::new();
    let (ann, _) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (phone, _) = add_app(&stage, &ann);
    assert_eq!(stage.sign_in("ann", "wrong").err(), Some(SignInError::WrongCredentials));
    let required = challenge(&stage, "ann");
    assert_eq!(required.methods, ["code", "recoveryCode"]);
    assert_eq!(finish(&stage, &required, wrong_code()).err(), WRONG);
    let mut session = finish(&stage, &required, phone.code(&stage, 0)).expect("signed in");
    assert_eq!((session.user.id, session.user.has_second_factor), (ann.user.id, true));
    let live = stage.app.session(&session.secret).expect("readable").expect("alive");
    assert_eq!(live.user.id, ann.user.id, "the session is Ann's");
    assert_eq!(stage.notified(&ann)[0], "new_device");
    assert!(stage.is_alive(&ann), "the session that added the factor goes on");
    assert_eq!(change_password(&stage, &mut session), Ok(()), "the sign-in was a proof");
}

#[test]
fn a_watched_code_and_a_used_challenge_are_of_no_use() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (phone, _) = add_app(&stage, &ann);
    let (first, second) = (challenge(&stage, "ann"), challenge(&stage, "ann"));
    finish(&stage, &first, phone.code(&stage, 0)).expect("signed in");
    assert_eq!(finish(&stage, &second, phone.code(&stage, 0)).err(), WRONG, "a replayed code");
    assert_eq!(finish(&stage, &first, phone.code(&stage, 1)).err(), GONE, "a replayed challenge");
    assert!(finish(&stage, &second, phone.code(&stage, 1)).is_ok());
}

#[test]
fn a_challenge_ends_after_5_minutes() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (phone, _) = add_app(&stage, &ann);
    let (quick, slow) = (challenge(&stage, "ann"), challenge(&stage, "ann"));
    stage.clock.advance(5 * MINUTE - STEP);
    assert!(finish(&stage, &quick, phone.code(&stage, 0)).is_ok());
    stage.clock.advance(STEP);
    assert_eq!(finish(&stage, &slow, phone.code(&stage, 0)).err(), GONE);
    assert_eq!(
        block_on(stage.app.begin_second_step(&slow.challenge, ADDRESS)).err(),
        Some(CeremonyError::ChallengeGone)
    );
}

#[test]
fn a_challenge_ends_after_5_wrong_codes() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (phone, _) = add_app(&stage, &ann);
    let guessed = |times: usize| {
        let required = challenge(&stage, "ann");
        for _ in 0..times {
            assert_eq!(finish(&stage, &required, wrong_code()).err(), WRONG);
        }
        required
    };
    assert!(finish(&stage, &guessed(4), phone.code(&stage, 0)).is_ok());
    assert_eq!(finish(&stage, &guessed(5), phone.code(&stage, 1)).err(), GONE);
}

/// The attack: somebody who knew the password has passed the first step when the owner sets another one.
#[test]
fn a_new_password_ends_the_challenges_of_the_old_one() {
    let stage = Stage::new();
    let mut ann = stage.signed_up("ann");
    let (phone, _) = add_app(&stage, &ann);
    let stolen = challenge(&stage, "ann");
    assert_eq!(change_password(&stage, &mut ann), Ok(()));
    assert_eq!(finish(&stage, &stolen, phone.code(&stage, 0)).err(), GONE);
}

#[test]
fn a_one_time_password_that_expires_between_the_steps_opens_nothing() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let root = stage.admin("root");
    let (phone, _) = add_app(&stage, &ann);
    let password = block_on(stage.app.reset_password(root, "ann@example.com")).expect("reset");
    let expiry = stage.now().after(DAY);
    stage.clock.set(expiry.before(2 * STEP));
    let [in_time, late] = [(); 2].map(|()| challenge_of(stage.sign_in("ann", &password)));
    stage.clock.advance(STEP);
    assert!(finish(&stage, &in_time, phone.code(&stage, 0)).is_ok());
    stage.clock.set(expiry);
    assert_eq!(finish(&stage, &late, phone.code(&stage, 0)).err(), GONE);
}

#[test]
fn a_challenge_of_another_user_and_a_guessed_one_open_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (phone, _) = add_app(&stage, &ann);
    let (other, _) = add_app(&stage, &bob);
    let required = challenge(&stage, "ann");
    assert_eq!(finish(&stage, &required, other.code(&stage, 0)).err(), WRONG);
    let guess = bolts_usecases::accounts::SecondFactorRequired { challenge: "x".to_owned(), ..required };
    assert_eq!(finish(&stage, &guess, phone.code(&stage, 0)).err(), GONE);
}

/// The attack: somebody has the password, guesses codes from many networks, and wants to lock the owner out too.
#[test]
fn guesses_count_for_the_user_in_all_networks_and_lock_no_known_browser_out() {
    let stage = Stage::new();
    let (ann, eve) = (stage.signed_up("ann"), stage.signed_up("eve"));
    let (phone, _) = add_app(&stage, &ann);
    let try_code = |proof, from: Visitor| {
        let required = challenge(&stage, "ann");
        block_on(stage.app.sign_in_with_factor(&required.challenge, proof, from)).err()
    };
    let is_limited = |refused: Option<SecondStepError>| matches!(refused, Some(SecondStepError::TooMany(_)));
    let network = |number: u8| Visitor::from(std::net::IpAddr::from([198, 51, number, 7]));
    for number in 0..10 {
        assert_eq!(try_code(wrong_code(), network(number)), WRONG);
    }
    assert!(is_limited(try_code(phone.code(&stage, 0), network(10))));
    assert!(is_limited(try_code(phone.code(&stage, 0), known(&eve))), "the browser of another user");
    for _ in 0..10 {
        assert_eq!(try_code(wrong_code(), known(&ann)), WRONG, "Ann's browser has a count of its own");
    }
    assert!(is_limited(try_code(phone.code(&stage, 0), known(&ann))));
    stage.clock.advance(STEP);
    assert_eq!(try_code(phone.code(&stage, 0), known(&ann)), None, "the wait is over");
    assert_eq!(try_code(wrong_code(), known(&ann)), WRONG, "a right code resets the count");
}

/// The attack: somebody with the password signs in with many browsers before the owner adds a second factor, and guesses with
/// each of them.
#[test]
fn wrong_codes_count_on_all_known_browsers_together() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let browsers: Vec<_> = (0..11).map(|_| stage.sign_in("ann", "secret").expect("signed in")).collect();
    let (phone, _) = add_app(&stage, &ann);
    let try_code = |proof: Proof, session: &SignedIn| {
        let required = challenge(&stage, "ann");
        block_on(stage.app.sign_in_with_factor(&required.challenge, proof, known(session))).err()
    };
    let guesses = |session: &SignedIn| (0..10).filter(|_| try_code(wrong_code(), session) == WRONG).count();
    assert_eq!(browsers.iter().map(guesses).sum::<usize>(), 100);
    assert!(matches!(try_code(phone.code(&stage, 0), &ann), Some(SecondStepError::TooMany(_))));
    stage.clock.advance(STEP);
    assert_eq!(try_code(phone.code(&stage, 0), &ann), None, "the wait is over");
    assert_eq!(try_code(wrong_code(), &browsers[10]), WRONG, "a right code resets the count");
}

#[test]
fn a_known_browser_stays_the_same_after_the_second_step() {
    let stage = Stage::new();
    let (ann, eve) = (stage.signed_up("ann"), stage.signed_up("eve"));
    let (phone, _) = add_app(&stage, &ann);
    let enter = |proof, from| {
        let required = challenge(&stage, "ann");
        block_on(stage.app.sign_in_with_factor(&required.challenge, proof, from)).expect("signed in")
    };
    assert_eq!(enter(phone.code(&stage, 0), known(&ann)).device, ann.device);
    assert_ne!(stage.notified(&ann)[0], "new_device", "a sign-in with a known browser is not told");
    assert_ne!(enter(phone.code(&stage, 1), known(&eve)).device.id, eve.device.id);
}

#[test]
fn a_passkey_is_a_second_step() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (mut key, _) = add_passkey(&stage, &ann, "key");
    let (first, second) = (challenge(&stage, "ann"), challenge(&stage, "ann"));
    assert_eq!(first.methods, ["passkey", "recoveryCode"]);
    let begin = |challenge: &str| block_on(stage.app.begin_second_step(challenge, ADDRESS));
    let begun = begin(&first.challenge).expect("begun");
    assert_eq!(begun.options["allowed"], serde_json::json!([key.credential()]));
    let misused = finish(&stage, &second, Proof::Passkey(signed(&begun, &mut key)));
    assert_eq!(misused.err(), Some(SecondStepError::Wrong { field: "passkey" }), "of another sign-in");
    let begun = begin(&second.challenge).expect("begun");
    assert!(finish(&stage, &second, Proof::Passkey(signed(&begun, &mut key))).is_ok());
    assert_eq!(begin("guessed").err(), Some(CeremonyError::ChallengeGone));

    let mut copy = key.clone();
    prove(&stage, &ann, &mut key).expect("proved");
    let begun = begin(&first.challenge).expect("begun");
    let refused = finish(&stage, &first, Proof::Passkey(signed(&begun, &mut copy)));
    assert_eq!(refused.err(), Some(SecondStepError::PasskeyDisabled));
    assert!(passkeys(&stage, &ann)[0].1);
    assert_eq!(begin(&first.challenge).err(), Some(CeremonyError::HasNone));
    assert_eq!(challenge(&stage, "ann").methods, ["recoveryCode"]);
}

#[test]
fn recovery_codes_are_offered_while_there_are_some() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (_, codes) = add_app(&stage, &ann);
    for code in codes {
        let required = challenge(&stage, "ann");
        assert_eq!(required.methods, ["code", "recoveryCode"]);
        finish(&stage, &required, Proof::RecoveryCode(code)).expect("signed in");
    }
    assert_eq!(challenge(&stage, "ann").methods, ["code"]);
}

#[test]
fn a_network_begins_as_many_ceremonies_in_a_minute_as_sign_ins() {
    let stage = Stage::with_rules(Rules { signins_per_minute: 2, ..Rules::default() });
    let begin = || block_on(stage.app.begin_passkey_sign_in(ADDRESS)).err();
    assert_eq!([begin(), begin()], [None, None]);
    assert!(matches!(begin(), Some(CeremonyError::TooMany(_))));
    let second = block_on(stage.app.begin_second_step("guessed", ADDRESS));
    assert!(matches!(second, Err(CeremonyError::TooMany(_))));
    stage.clock.advance(MINUTE);
    assert_eq!(begin(), None);
}
