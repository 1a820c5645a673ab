//! The rules of passkeys, by the use cases. Each test names the attack that it tries.

use std::net::IpAddr;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use bolts_factors::PasskeyName;
use bolts_kernel::PasskeyId;
use bolts_testkit::authenticator::Authenticator;
use bolts_testkit::{DAY, HOUR};
use bolts_usecases::accounts::{
    CeremonyError, NewCeremony, PasskeyAnswer, PasskeyError, PasskeySignInError, PasswordError, Proof,
    RemovalError, SecondFactorRequired, SecondStepError, SignInError, StepUpError, StepUpRequired, Visitor,
};
use bolts_usecases::wallet::WithdrawError;
use futures_executor::block_on;
use serde_json::{Value, json};

use crate::stage::{ORIGIN, Session, Stage, email, owner};

const MINUTE: Duration = Duration::from_secs(60);
const WRONG: SecondStepError = SecondStepError::Wrong { field: "passkey" };

fn visitor() -> Visitor {
    Visitor::from(IpAddr::from([203, 0, 113, 7]))
}

fn name() -> PasskeyName {
    PasskeyName::parse("Phone").expect("a name")
}

fn answered(begun: &NewCeremony, credential: Value) -> PasskeyAnswer {
    PasskeyAnswer { ceremony: begun.ceremony.clone(), credential }
}

fn signed(begun: &NewCeremony, phone: &mut Authenticator) -> PasskeyAnswer {
    answered(begun, phone.sign(&begun.options))
}

fn begin(stage: &Stage, session: &Session) -> Result<NewCeremony, PasskeyError> {
    block_on(stage.app.begin_passkey(owner(session), "secret".to_owned()))
}

fn add(
    stage: &Stage,
    session: &Session,
    begun: &NewCeremony,
    phone: &mut Authenticator,
) -> Result<Vec<String>, PasskeyError> {
    let answer = answered(begun, phone.register(&begun.options));
    let codes = block_on(stage.app.add_passkey(owner(session), name(), answer))?;
    Ok(codes.iter().map(|code| code.as_str().to_owned()).collect())
}

/// Adds a passkey to the account. 5 minutes later no proof of it is fresh.
pub(crate) fn protect(stage: &Stage, session: &Session, device: &str) -> (Authenticator, Vec<String>) {
    let mut phone = Authenticator::new(device, ORIGIN);
    let begun = begin(stage, session).expect("begun");
    let codes = add(stage, session, &begun, &mut phone).expect("added");
    stage.clock.advance(5 * MINUTE);
    (phone, codes)
}

fn sign_in(stage: &Stage, phone: &mut Authenticator) -> Result<Session, PasskeySignInError> {
    let begun = block_on(stage.app.begin_passkey_sign_in(visitor())).expect("begun");
    block_on(stage.app.sign_in_with_passkey(signed(&begun, phone), visitor()))
}

fn challenge(stage: &Stage, user: &str) -> SecondFactorRequired {
    match stage.sign_in(user, "secret") {
        Err(SignInError::SecondFactorRequired(required)) => required,
        other => panic!("{other:?}"),
    }
}

fn begin_second(stage: &Stage, challenge: &str) -> NewCeremony {
    block_on(stage.app.begin_second_step(challenge, visitor())).expect("begun")
}

fn finish(stage: &Stage, challenge: &str, answer: PasskeyAnswer) -> Result<Session, SecondStepError> {
    block_on(stage.app.sign_in_with_factor(challenge, Proof::Passkey(answer), visitor()))
}

fn begin_proof(stage: &Stage, session: &Session) -> NewCeremony {
    block_on(stage.app.begin_step_up(owner(session))).expect("begun")
}

fn step_up(stage: &Stage, session: &Session, answer: PasskeyAnswer) -> Result<(), StepUpError> {
    block_on(stage.app.step_up(owner(session), Proof::Passkey(answer))).map(drop)
}

pub(crate) fn prove(stage: &Stage, session: &Session, phone: &mut Authenticator) -> Result<(), StepUpError> {
    step_up(stage, session, signed(&begin_proof(stage, session), phone))
}

/// Changes the password, which gives the session a new secret.
fn change_password(stage: &Stage, session: &mut Session) -> Result<(), PasswordError> {
    let change = stage.app.change_password(owner(session), "secret".to_owned(), "secret".to_owned());
    session.secret = block_on(change)?;
    Ok(())
}

fn remove(stage: &Stage, session: &Session, id: PasskeyId) -> Result<(), RemovalError> {
    block_on(stage.app.remove_passkey(owner(session), id, None))
}

fn passkeys(stage: &Stage, session: &Session) -> Vec<(PasskeyId, bool)> {
    let factors = stage.app.queries().factors(session.user.id).expect("readable");
    factors.passkeys.iter().map(|passkey| (passkey.id, passkey.is_disabled)).collect()
}

/// The kinds of the user's notifications about factors, newest first.
fn told(stage: &Stage, session: &Session) -> Vec<&'static str> {
    let all = stage.queries().notifications(session.user.id).expect("readable");
    let kinds = all.iter().map(|one| one.body.kind());
    let words = ["factor", "recovery", "passkey", "password"];
    kinds.filter(|kind| words.iter().any(|word| kind.contains(word))).collect()
}

/// The requests of a user with a passkey.
pub(crate) fn live(stage: &Stage, session: &Session) {
    let (mut phone, _) = protect(stage, session, "phone");
    prove(stage, session, &mut phone).expect("proved");
    let again = sign_in(stage, &mut phone).expect("signed in");
    let required = challenge(stage, "dan");
    finish(stage, &required.challenge, signed(&begin_second(stage, &required.challenge), &mut phone))
        .expect("signed in");
    let id = passkeys(stage, &again)[0].0;
    block_on(stage.app.rename_passkey(again.user.id, id, name())).expect("renamed");
    sign_in(stage, &mut phone.clone()).expect("signed in");
    assert_eq!(sign_in(stage, &mut phone).err(), Some(PasskeySignInError::Disabled));
    remove(stage, &again, id).expect("removed");
}

#[test]
fn a_passkey_signs_in_alone_as_a_second_step_and_as_a_proof() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (mut phone, codes) = protect(&stage, &ann, "phone");
    assert_eq!((codes.len(), told(&stage, &ann)), (10, vec!["factor_added"]));
    stage.create(&ann, (1_000, "sats"), 2 * DAY).expect("adding begins no cooldown");

    let mut alone = sign_in(&stage, &mut phone).expect("signed in");
    assert_eq!(alone.user.id, ann.user.id);
    assert!(stage.is_alive(&alone) && alone.user.has_second_factor);
    assert_eq!(change_password(&stage, &mut alone), Ok(()), "such a sign-in counts as both factors");
    assert!(!stage.is_alive(&ann), "a change of the password ends the other sessions");

    let required = challenge(&stage, "ann");
    assert_eq!(required.methods, ["passkey", "recoveryCode"]);
    let begun = begin_second(&stage, &required.challenge);
    assert_eq!(begun.options["allowCredentials"][0]["id"], json!(phone.credential()));
    let second = finish(&stage, &required.challenge, signed(&begun, &mut phone)).expect("signed in");

    stage.clock.advance(5 * MINUTE);
    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(stage.withdraw(&second, 1_000), Err(WithdrawError::Password(required)));
    prove(&stage, &second, &mut phone).expect("proved");
    stage.withdraw(&second, 1_000).expect("within 5 minutes");
    let used = stage.app.queries().factors(ann.user.id).expect("readable").passkeys[0].last_used_at;
    assert_eq!(used, Some(stage.app.now()));
}

#[test]
fn an_answer_counts_once_in_its_own_session_for_its_own_purpose_and_for_5_minutes() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (mut phone, _) = protect(&stage, &ann, "phone");
    let other = sign_in(&stage, &mut phone).expect("signed in");
    let wrong = Err(StepUpError::Wrong { field: "passkey" });

    let begun = begin_proof(&stage, &ann);
    let answer = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &other, answer), wrong, "the challenge of another session of the same user");
    let answer = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &ann, answer), wrong, "an attempt in the wrong session uses the challenge up");

    let begun = begin_proof(&stage, &ann);
    let answer = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &ann, answer.clone()), Ok(()));
    assert_eq!(step_up(&stage, &ann, answer), wrong, "a replayed answer");
    let fresh = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &ann, fresh), wrong, "a new answer to a used challenge");

    let begun = begin_proof(&stage, &ann);
    stage.clock.advance(5 * MINUTE);
    assert_eq!(step_up(&stage, &ann, signed(&begun, &mut phone)), wrong, "an expired challenge");

    let begun = begin_proof(&stage, &ann);
    let misused = block_on(stage.app.sign_in_with_passkey(signed(&begun, &mut phone), visitor()));
    assert_eq!(misused.err(), Some(PasskeySignInError::Wrong), "a challenge for a proof opens no session");
    let begun = block_on(stage.app.begin_passkey_sign_in(visitor())).expect("begun");
    assert_eq!(step_up(&stage, &ann, signed(&begun, &mut phone)), wrong, "and the other way round");
    let guessed = PasskeyAnswer { ceremony: "x".to_owned(), ..signed(&begun, &mut phone) };
    assert_eq!(step_up(&stage, &ann, guessed), wrong);
    assert!(!format!("{begun:?}").contains(&begun.ceremony), "no secret in a log");

    let (first, second) = (challenge(&stage, "ann"), challenge(&stage, "ann"));
    let begun = begin_second(&stage, &first.challenge);
    let refused = finish(&stage, &second.challenge, signed(&begun, &mut phone));
    assert_eq!(refused.err(), Some(WRONG), "the challenge of another sign-in");
}

#[test]
fn the_passkey_of_another_user_proves_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let (mut phone, _) = protect(&stage, &ann, "ann's phone");
    let (mut other, _) = protect(&stage, &bob, "bob's phone");
    assert_eq!(prove(&stage, &ann, &mut other), Err(StepUpError::Wrong { field: "passkey" }));
    let required = challenge(&stage, "ann");
    let begun = begin_second(&stage, &required.challenge);
    assert_eq!(finish(&stage, &required.challenge, signed(&begun, &mut other)).err(), Some(WRONG));

    // The authenticator names another user than the owner of the passkey, or none.
    let handle = phone.handle.clone();
    for lie in [other.handle.clone(), Some("AAAA".to_owned()), None] {
        phone.handle = lie.clone();
        assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Wrong), "{lie:?}");
    }
    // A proof of a user who is known already needs no handle: old authenticators give none.
    prove(&stage, &ann, &mut phone).expect("proved");
    phone.handle = handle;
    assert_eq!(sign_in(&stage, &mut phone).expect("signed in").user.id, ann.user.id);

    let begun = begin(&stage, &bob);
    assert_eq!(begun.err(), Some(PasskeyError::Password(PasswordError::StepUpRequired(StepUpRequired))));
    prove(&stage, &bob, &mut other).expect("proved");
    let begun = begin(&stage, &bob).expect("begun");
    let stolen = add(&stage, &bob, &begun, &mut phone.clone());
    assert_eq!(stolen.err(), Some(PasskeyError::Refused), "a credential id belongs to one passkey");
    assert_eq!(passkeys(&stage, &bob).len(), 1);
}

#[test]
fn a_copy_of_a_passkey_disables_it_and_the_user_is_told() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (mut phone, codes) = protect(&stage, &ann, "phone");
    let mut copy = phone.clone();
    sign_in(&stage, &mut phone).expect("signed in");
    sign_in(&stage, &mut phone).expect("signed in");
    assert_eq!(sign_in(&stage, &mut copy).err(), Some(PasskeySignInError::Disabled), "an old counter");
    assert_eq!(told(&stage, &ann), ["passkey_disabled", "factor_added"]);
    assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Disabled), "the true one too");
    let required = challenge(&stage, "ann");
    assert_eq!(required.methods, ["recoveryCode"], "the password alone still does not suffice");
    let begun = block_on(stage.app.begin_second_step(&required.challenge, visitor()));
    assert_eq!(begun.err(), Some(CeremonyError::HasNone));

    // The user enters with a recovery code, removes the passkey, and adds it anew.
    let code = Proof::RecoveryCode(codes[0].clone());
    let back =
        block_on(stage.app.sign_in_with_factor(&required.challenge, code, visitor())).expect("signed in");
    let [(id, true)] = passkeys(&stage, &back)[..] else { panic!("one disabled passkey") };
    remove(&stage, &back, id).expect("removed");
    let (mut new, _) = protect(&stage, &back, "phone");
    sign_in(&stage, &mut new).expect("signed in");
}

#[test]
fn a_copy_is_seen_in_the_second_step_and_in_a_session_too() {
    for in_session in [true, false] {
        let stage = Stage::new();
        let ann = stage.user("ann");
        let (mut phone, _) = protect(&stage, &ann, "phone");
        let mut copy = phone.clone();
        prove(&stage, &ann, &mut phone).expect("proved");
        let required = challenge(&stage, "ann");
        if in_session {
            assert_eq!(prove(&stage, &ann, &mut copy), Err(StepUpError::PasskeyDisabled));
        } else {
            let begun = begin_second(&stage, &required.challenge);
            let refused = finish(&stage, &required.challenge, signed(&begun, &mut copy));
            assert_eq!(refused.err(), Some(SecondStepError::PasskeyDisabled));
        }
        assert_eq!((told(&stage, &ann)[0], passkeys(&stage, &ann)[0].1), ("passkey_disabled", true));
    }
}

#[test]
fn of_two_authenticators_with_one_counter_at_the_same_time_one_enters() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, _) = protect(&stage, &ann, "phone");
    let begun: Vec<_> =
        (0..4).map(|_| block_on(stage.app.begin_passkey_sign_in(visitor())).expect("begun")).collect();
    let barrier = Barrier::new(begun.len());
    let entered = thread::scope(|scope| {
        let racing: Vec<_> = begun
            .iter()
            .map(|begun| {
                let (answer, barrier, app) = (signed(begun, &mut phone.clone()), &barrier, &stage.app);
                scope.spawn(move || {
                    barrier.wait();
                    block_on(app.sign_in_with_passkey(answer, visitor())).is_ok()
                })
            })
            .collect();
        racing.into_iter().map(|one| one.join().expect("no panic")).filter(|entered| *entered).count()
    });
    assert_eq!((entered, passkeys(&stage, &ann)[0].1), (1, true));
}

#[test]
fn an_authenticator_without_a_counter_is_never_taken_for_a_copy() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let mut synced = Authenticator::new("synced", ORIGIN);
    synced.counter = None;
    let begun = begin(&stage, &ann).expect("begun");
    add(&stage, &ann, &begun, &mut synced).expect("added");
    for _ in 0..3 {
        sign_in(&stage, &mut synced.clone()).expect("signed in");
    }
}

#[test]
fn removing_a_passkey_begins_a_cooldown_and_the_codes_stay_until_the_last_factor_goes() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (mut phone, _) = protect(&stage, &ann, "phone");
    prove(&stage, &ann, &mut phone).expect("proved");
    let (_, more) = protect(&stage, &ann, "key");
    assert_eq!(more.len(), 0, "the codes of the first factor stay");
    let [(first, _), (second, _)] = passkeys(&stage, &ann)[..] else { panic!("two passkeys") };
    assert_eq!(
        remove(&stage, &ann, first),
        Err(RemovalError::StepUpRequired(StepUpRequired)),
        "a stolen session"
    );
    let proof = Proof::Passkey(signed(&begin_proof(&stage, &ann), &mut phone));
    block_on(stage.app.remove_passkey(owner(&ann), second, Some(proof))).expect("removed with a proof");
    assert!(matches!(stage.withdraw(&ann, 1_000), Err(WithdrawError::Cooldown { .. })));
    assert_eq!(told(&stage, &ann)[0], "factor_removed");
    let left = || stage.app.queries().factors(ann.user.id).expect("readable").recovery_codes_left;
    assert_eq!(left(), 10);
    let bob = stage.user("bob");
    assert_eq!(remove(&stage, &bob, first), Err(RemovalError::HasNone), "of another user");
    remove(&stage, &ann, first).expect("removed");
    assert_eq!(left(), 0);
    assert!(!stage.sign_in("ann", "secret").expect("the password alone").user.has_second_factor);
    assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Wrong), "a removed passkey");
    stage.clock.advance(DAY + HOUR);
    stage.create(&ann, (1_000, "sats"), DAY).expect("the rest is over");
}

#[test]
fn a_registration_needs_the_password_and_ends_in_its_own_session() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let wrong = block_on(stage.app.begin_passkey(owner(&ann), "wrong".to_owned()));
    assert_eq!(wrong.err(), Some(PasskeyError::Password(PasswordError::WrongCurrent)));
    let other = stage.sign_in("ann", "secret").expect("signed in");
    let mut phone = Authenticator::new("phone", ORIGIN);
    let begun = begin(&stage, &ann).expect("begun");
    assert_eq!(add(&stage, &other, &begun, &mut phone).err(), Some(PasskeyError::NotBegun));
    assert_eq!(add(&stage, &ann, &begun, &mut phone).err(), Some(PasskeyError::NotBegun), "used up");

    let begun = begin(&stage, &ann).expect("begun");
    phone.verifies_user = false;
    assert_eq!(add(&stage, &ann, &begun, &mut phone).err(), Some(PasskeyError::Refused));
    phone.verifies_user = true;
    let begun = begin(&stage, &ann).expect("begun");
    stage.clock.advance(5 * MINUTE);
    assert_eq!(add(&stage, &ann, &begun, &mut phone).err(), Some(PasskeyError::NotBegun), "expired");

    let begun = begin(&stage, &ann).expect("begun");
    let root = stage.admin("root");
    block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
    let late = add(&stage, &ann, &begun, &mut phone);
    assert_eq!(late.err(), Some(PasskeyError::Password(PasswordError::SignedOut)), "a reset wins");
}

#[test]
fn a_user_has_at_most_ten_passkeys() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let mut last = Authenticator::new("0", ORIGIN);
    let waiting = begin(&stage, &ann).expect("begun");
    for index in 0..10 {
        let mut device = Authenticator::new(&index.to_string(), ORIGIN);
        let begun = begin(&stage, &ann).expect("begun");
        add(&stage, &ann, &begun, &mut device).expect("added");
        last = device;
    }
    assert_eq!(begin(&stage, &ann).err(), Some(PasskeyError::TooMany));
    let mut eleventh = Authenticator::new("eleventh", ORIGIN);
    assert_eq!(add(&stage, &ann, &waiting, &mut eleventh).err(), Some(PasskeyError::TooMany), "begun before");
    sign_in(&stage, &mut last).expect("signed in");
}

#[test]
fn a_reset_of_the_password_keeps_the_passkey_and_the_operator_removes_it() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (mut phone, _) = protect(&stage, &ann, "phone");
    let root = stage.admin("root");
    let password = block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
    assert!(matches!(stage.sign_in("ann", &password), Err(SignInError::SecondFactorRequired(_))));
    assert_eq!(told(&stage, &ann)[0], "password_set_by_admin");
    let session = sign_in(&stage, &mut phone).expect("signed in");
    block_on(stage.app.reset_second_factors("ann@example.com")).expect("reset").expect("known");
    assert!(!stage.is_alive(&session) && passkeys(&stage, &ann).is_empty());
    assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Wrong));
    assert_eq!(told(&stage, &ann)[0], "factor_removed");
}

#[test]
fn new_recovery_codes_need_a_proof_and_end_the_old_ones_at_once() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let replace = |session: &Session| block_on(stage.app.replace_recovery_codes(owner(session)));
    assert_eq!(replace(&bob).err(), Some(RemovalError::HasNone));
    let (mut phone, old) = protect(&stage, &ann, "phone");
    assert_eq!(replace(&ann).err(), Some(RemovalError::StepUpRequired(StepUpRequired)), "a stolen session");
    prove(&stage, &ann, &mut phone).expect("proved");
    let new = replace(&ann).expect("replaced");
    assert_eq!((new.len(), told(&stage, &ann)[0]), (10, "recovery_codes_replaced"));
    let enter = |code: &str| {
        let required = challenge(&stage, "ann");
        let proof = Proof::RecoveryCode(code.to_owned());
        block_on(stage.app.sign_in_with_factor(&required.challenge, proof, visitor()))
    };
    let wrong = SecondStepError::Wrong { field: "recoveryCode" };
    assert_eq!(enter(&old[0]).err(), Some(wrong));
    enter(new[0].as_str()).expect("signed in");
}

/// The attack: a stranger who learned the id of a passkey sends wrong answers in its name. They are limited, and lock the owner
/// out neither elsewhere nor in a known browser. An unknown passkey gets the same answers, so nothing tells that this one
/// exists.
#[test]
fn wrong_answers_count_for_the_account_in_their_network_alone() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (mut phone, _) = protect(&stage, &ann, "phone");
    let mut lying = phone.clone();
    lying.handle = None;
    let mut unknown = Authenticator::new("unknown", ORIGIN);
    let from = |device: Option<&Session>, network: u8| Visitor {
        device: device.map(|session| session.device.clone()),
        ..Visitor::from(IpAddr::from([198, 51, network, 7]))
    };
    let attempt = |phone: &mut Authenticator, from: Visitor| {
        let begun = block_on(stage.app.begin_passkey_sign_in(from.clone())).expect("begun");
        block_on(stage.app.sign_in_with_passkey(signed(&begun, phone), from))
    };
    for passkey in [&mut lying, &mut unknown] {
        let refusals: Vec<_> = (0..12).map(|_| attempt(passkey, from(None, 100)).err()).collect();
        assert_eq!(refusals[..10], vec![Some(PasskeySignInError::Wrong); 10]);
        for refusal in &refusals[10..] {
            assert!(matches!(refusal, Some(PasskeySignInError::TooMany(_))), "{refusals:?}");
        }
    }
    let refused = attempt(&mut phone, from(None, 100)).err();
    assert!(matches!(refused, Some(PasskeySignInError::TooMany(_))), "{refused:?}");
    attempt(&mut phone, from(Some(&ann), 100)).expect("a browser that Ann used before");
    attempt(&mut phone, from(None, 101)).expect("another network");

    stage.clock.advance(Duration::from_secs(30));
    attempt(&mut phone, from(None, 100)).expect("the wait is over");
    let refusals: Vec<_> = (0..10).map(|_| attempt(&mut lying, from(None, 100)).err()).collect();
    assert_eq!(refusals, vec![Some(PasskeySignInError::Wrong); 10], "a success resets the count");
    // Wrong answers with the cookie of a known browser have a count of their own, and its owner must wait there.
    let refusals: Vec<_> = (0..11).map(|_| attempt(&mut lying, from(Some(&ann), 102)).err()).collect();
    assert!(matches!(refusals[10], Some(PasskeySignInError::TooMany(_))), "{refusals:?}");
}

#[test]
fn a_changed_password_is_told() {
    let stage = Stage::new();
    let mut ann = stage.user("ann");
    assert_eq!(change_password(&stage, &mut ann), Ok(()));
    assert_eq!(told(&stage, &ann), ["password_changed"]);
}
