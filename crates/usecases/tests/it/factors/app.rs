//! Authenticator apps: adding one, and the proof by a code in a session.

use bolts_ports::FactorQueries;
use bolts_usecases::Rules;
use bolts_usecases::accounts::{
    PasskeyError, PasswordError, Proof, RemovalError, SecondStepError, SignedIn, StepUpError, StepUpRequired,
    TotpError,
};
use futures_executor::block_on;

use super::{
    Authenticator, MINUTE, Phone, STEP, add_app, add_passkey, begin_passkey, challenge, change_password,
    codes_left, finish, prove, register, step_up, wrong_code,
};
use crate::stage::{Stage, owner};

const WRONG: StepUpError = StepUpError::Wrong { field: "code" };

#[test]
fn an_app_is_no_factor_before_its_first_code() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let begin = |password: &str| block_on(stage.app.begin_totp(owner(&ann), password.to_owned()));
    let confirm = |digits: String| block_on(stage.app.confirm_totp(owner(&ann), digits));
    assert_eq!(confirm("000000".to_owned()).err(), Some(TotpError::NotBegun));
    assert_eq!(begin("wrong").err(), Some(TotpError::Password(PasswordError::WrongCurrent)));
    let first = Phone::with(&begin("secret").expect("begun").secret);
    assert!(stage.sign_in("ann", "secret").is_ok(), "the password is enough");
    assert_eq!(step_up(&stage, &ann, first.code(&stage, 0)), Err(WRONG), "the app proves nothing yet");

    let second = Phone::with(&begin("secret").expect("begun again").secret);
    assert_eq!(confirm(first.digits(&stage, 0)).err(), Some(TotpError::WrongCode), "of the replaced secret");
    assert!(!stage.store.factors(ann.user.id).expect("readable").has_totp);
    assert_eq!(confirm(second.digits(&stage, 0)).expect("confirmed").len(), 10);
    assert!(stage.store.factors(ann.user.id).expect("readable").has_totp);
    assert_eq!(challenge(&stage, "ann").methods, ["code", "recoveryCode"]);
    assert_eq!(confirm(second.digits(&stage, 1)).err(), Some(TotpError::HasOne));
    assert_eq!(begin("secret").err(), Some(TotpError::HasOne));
    assert_eq!(stage.notified(&ann).iter().filter(|kind| **kind == "factor_added").count(), 1);
}

#[test]
fn guesses_of_the_first_code_of_an_app_are_limited() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let phone =
        Phone::with(&block_on(stage.app.begin_totp(owner(&ann), "secret".to_owned())).expect("begun").secret);
    let confirm = |digits: String| block_on(stage.app.confirm_totp(owner(&ann), digits)).err();
    for _ in 0..10 {
        assert_eq!(confirm("000000".to_owned()), Some(TotpError::WrongCode));
    }
    assert!(matches!(confirm(phone.digits(&stage, 0)), Some(TotpError::TooMany(_))));
    stage.clock.advance(STEP);
    assert_eq!(confirm(phone.digits(&stage, 0)), None);
}

#[test]
fn a_second_factor_keeps_the_recovery_codes_of_the_first() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (_, codes) = add_passkey(&stage, &ann, "key");
    let (_, more) = add_app(&stage, &ann);
    assert_eq!((codes.len(), more.len(), codes_left(&stage, &ann)), (10, 0, 10));
    assert_eq!(challenge(&stage, "ann").methods, ["passkey", "code", "recoveryCode"]);
    let entered = finish(&stage, &challenge(&stage, "ann"), Proof::RecoveryCode(codes[9].clone()));
    assert!(entered.is_ok_and(|session| session.user.has_second_factor));
}

/// The attack: somebody with the password begins to add a factor, and goes on after the owner has protected the account.
#[test]
fn a_factor_that_was_begun_before_another_one_needs_its_proof() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let thief = stage.sign_in("ann", "secret").expect("signed in");
    let new = block_on(stage.app.begin_totp(owner(&thief), "secret".to_owned())).expect("begun");
    let begun = begin_passkey(&stage, &thief).expect("begun");
    let (mut key, _) = add_passkey(&stage, &ann, "key");
    let phone = Phone::with(&new.secret);
    let confirm = |session| block_on(stage.app.confirm_totp(owner(session), phone.digits(&stage, 0))).err();
    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(confirm(&thief), Some(TotpError::Password(required.clone())));
    let added = register(&stage, &thief, &begun, &mut Authenticator::new("other"));
    assert_eq!(added.err(), Some(PasskeyError::Password(required)));
    assert_eq!(challenge(&stage, "ann").methods, ["passkey", "recoveryCode"]);
    prove(&stage, &thief, &mut key).expect("proved");
    assert_eq!(confirm(&thief), None, "with a proof it goes on");
}

/// The attack: somebody has a session and the password, but not the phone.
#[test]
fn a_stolen_session_changes_nothing_without_the_phone() {
    let stage = Stage::new();
    let mut ann = stage.signed_up("ann");
    let (phone, _) = add_app(&stage, &ann);
    assert_eq!(change_password(&stage, &mut ann), Ok(()), "the first code was a proof");
    stage.clock.advance(4 * MINUTE);
    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(change_password(&stage, &mut ann), Err(required.clone()), "5 minutes later");
    let begun = block_on(stage.app.begin_totp(owner(&ann), "secret".to_owned()));
    assert_eq!(begun.err(), Some(TotpError::Password(required.clone())));
    let replaced = block_on(stage.app.replace_recovery_codes(owner(&ann)));
    assert_eq!(replaced.err(), Some(RemovalError::StepUpRequired(StepUpRequired)));

    assert_eq!(step_up(&stage, &ann, wrong_code()), Err(WRONG));
    assert_eq!(change_password(&stage, &mut ann), Err(required.clone()), "a wrong code proves nothing");
    let until = step_up(&stage, &ann, phone.code(&stage, 0)).expect("proved");
    assert_eq!(until, stage.now().after(5 * MINUTE));
    stage.clock.set(until.before(STEP));
    assert_eq!(change_password(&stage, &mut ann), Ok(()));
    stage.clock.set(until);
    assert_eq!(change_password(&stage, &mut ann), Err(required));
}

/// The attack: somebody who saw a code or a recovery code uses it where it was not used yet.
#[test]
fn a_code_counts_once_for_sign_in_proof_and_removal_together() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (phone, codes) = add_app(&stage, &ann);
    let recovery = Proof::RecoveryCode(codes[0].to_uppercase().replace('-', " "));
    for (proof, field) in [(phone.code(&stage, 0), "code"), (recovery, "recoveryCode")] {
        step_up(&stage, &ann, proof.clone()).expect("proved");
        assert_eq!(step_up(&stage, &ann, proof.clone()), Err(StepUpError::Wrong { field }));
        let entered = finish(&stage, &challenge(&stage, "ann"), proof.clone());
        assert_eq!(entered.err(), Some(SecondStepError::Wrong { field }));
        let removed = block_on(stage.app.remove_totp(owner(&ann), Some(proof)));
        assert_eq!(removed, Err(RemovalError::Proof(StepUpError::Wrong { field })));
    }
    assert_eq!(codes_left(&stage, &ann), 9);
    assert_eq!(stage.notified(&ann)[0], "recovery_code_used");
    assert_eq!(step_up(&stage, &ann, phone.code(&stage, -1)), Err(WRONG), "an older code");
    assert!(step_up(&stage, &ann, phone.code(&stage, 1)).is_ok());
}

#[test]
fn codes_of_another_user_prove_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    add_app(&stage, &ann);
    let (phone, codes) = add_app(&stage, &bob);
    assert_eq!(step_up(&stage, &ann, phone.code(&stage, 0)), Err(WRONG));
    for code in [codes[0].as_str(), "too short"] {
        let refused = step_up(&stage, &ann, Proof::RecoveryCode(code.to_owned()));
        assert_eq!(refused, Err(StepUpError::Wrong { field: "recoveryCode" }), "{code}");
    }
    assert_eq!(codes_left(&stage, &bob), 10);
}

#[test]
fn ten_wrong_codes_make_a_session_wait_and_no_other() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let other = stage.sign_in("ann", "secret").expect("signed in");
    let (phone, _) = add_app(&stage, &ann);
    let wrong = |times: usize| (0..times).all(|_| step_up(&stage, &ann, wrong_code()) == Err(WRONG));
    assert!(wrong(9));
    step_up(&stage, &ann, phone.code(&stage, 0)).expect("proved");
    assert!(wrong(10), "a right code resets the count");
    assert!(matches!(step_up(&stage, &ann, phone.code(&stage, 1)), Err(StepUpError::TooMany(_))));
    step_up(&stage, &other, phone.code(&stage, 1)).expect("proved");
    stage.clock.advance(2 * STEP);
    step_up(&stage, &ann, phone.code(&stage, 1)).expect("the wait is over");
}

/// The attack: somebody with the password opens many sessions before the owner adds a second factor, and guesses in each.
#[test]
fn wrong_codes_count_in_all_sessions_together() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let sessions: Vec<_> = (0..11).map(|_| stage.sign_in("ann", "secret").expect("signed in")).collect();
    let (phone, _) = add_app(&stage, &ann);
    let guesses = |session| (0..10).filter(|_| step_up(&stage, session, wrong_code()) == Err(WRONG)).count();
    assert_eq!(sessions.iter().map(guesses).sum::<usize>(), 100);
    assert!(matches!(step_up(&stage, &ann, phone.code(&stage, 0)), Err(StepUpError::TooMany(_))));
    stage.clock.advance(STEP);
    step_up(&stage, &ann, phone.code(&stage, 0)).expect("the wait is over");
}

/// The session ends between the check of the cookie and the job.
#[test]
fn an_ended_session_proves_and_adds_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (phone, _) = add_app(&stage, &ann);
    block_on(stage.app.begin_totp(owner(&bob), "secret".to_owned())).expect("begun");
    for session in [&ann, &bob] {
        block_on(stage.app.sign_out(session.user.id, &session.secret)).expect("signed out");
    }
    assert_eq!(step_up(&stage, &ann, phone.code(&stage, 0)), Err(StepUpError::SignedOut));
    let late = block_on(stage.app.confirm_totp(owner(&bob), "000000".to_owned()));
    assert_eq!(late.err(), Some(TotpError::Password(PasswordError::SignedOut)));
    let signed_out = RemovalError::Proof(StepUpError::SignedOut);
    let codes = block_on(stage.app.replace_recovery_codes(owner(&ann)));
    assert_eq!(codes.err(), Some(signed_out.clone()));
    assert_eq!(block_on(stage.app.remove_totp(owner(&ann), None)), Err(signed_out));
}

#[test]
fn new_recovery_codes_end_the_old_ones_at_once() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let replaced = block_on(stage.app.replace_recovery_codes(owner(&bob)));
    assert_eq!(replaced.err(), Some(RemovalError::HasNone), "without a second factor");
    let (_, old) = add_app(&stage, &ann);
    let new = block_on(stage.app.replace_recovery_codes(owner(&ann))).expect("replaced");
    assert_eq!((new.len(), stage.notified(&ann)[0]), (10, "recovery_codes_replaced"));
    let enter = |code: &str| finish(&stage, &challenge(&stage, "ann"), Proof::RecoveryCode(code.to_owned()));
    assert_eq!(enter(&old[0]).err(), Some(SecondStepError::Wrong { field: "recoveryCode" }));
    assert!(enter(new[0].as_str()).is_ok());
}

/// The attack: somebody has an old session of an admin, and the admin adds the second factor in another one.
#[test]
fn admin_rights_can_need_a_proof_of_the_second_factor_in_the_same_session() {
    let stage = Stage::with_rules(Rules { require_admin_factor: true, ..Rules::default() });
    let (root, ann) = (stage.signed_up("root"), stage.signed_up("ann"));
    block_on(stage.app.set_admin("root@example.com", true)).expect("stored");
    let older = stage.sign_in("root", "secret").expect("signed in");
    let is_admin = |session: &SignedIn| {
        stage.app.session(&session.secret).expect("readable").expect("alive").user.is_admin
    };
    assert!(!is_admin(&root) && !is_admin(&older));
    let (phone, _) = add_app(&stage, &root);
    assert!(is_admin(&root));
    assert!(!is_admin(&older), "this session has proved nothing");
    step_up(&stage, &older, phone.code(&stage, 0)).expect("proved");
    assert!(is_admin(&older));
    let entered = finish(&stage, &challenge(&stage, "root"), phone.code(&stage, 1)).expect("signed in");
    assert!(is_admin(&entered));
    add_app(&stage, &ann);
    assert!(!is_admin(&ann), "a second factor makes no admin");
}
