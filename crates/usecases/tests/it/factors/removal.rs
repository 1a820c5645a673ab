//! Removing second factors, by the user or by the operator.

use bolts_usecases::accounts::{
    PasskeySignInError, Proof, RemovalError, SecondStepError, StepUpError, StepUpRequired,
};
use futures_executor::block_on;

use super::{
    MINUTE, add_app, add_passkey, challenge, change_password, codes_left, cooldown_until, enter, finish,
    passkeys, prove, wrong_code,
};
use crate::contention::Contended;
use crate::keys::make;
use crate::stage::{ADDRESS, DAY, Stage, owner};

#[test]
fn the_removal_of_a_factor_begins_a_cooldown_of_a_day_and_adding_one_does_not() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (phone, codes) = add_app(&stage, &ann);
    assert_eq!(cooldown_until(&stage, &ann), None);
    let remove = |proof| block_on(stage.app.remove_totp(owner(&ann), proof));
    let wrong = RemovalError::Proof(StepUpError::Wrong { field: "code" });
    assert_eq!(remove(Some(wrong_code())), Err(wrong));
    stage.clock.advance(5 * MINUTE);
    assert_eq!(remove(None), Err(RemovalError::StepUpRequired(StepUpRequired)), "a stolen session");
    assert_eq!(cooldown_until(&stage, &ann), None);

    assert_eq!(remove(Some(phone.code(&stage, 0))), Ok(()));
    assert_eq!(cooldown_until(&stage, &ann), Some(stage.now().after(DAY)));
    assert_eq!((stage.notified(&ann)[0], codes_left(&stage, &ann)), ("factor_removed", 0));
    assert_eq!(remove(None), Err(RemovalError::HasNone));
    let again = stage.sign_in("ann", "secret").expect("the password alone");
    assert!(!again.user.has_second_factor);

    // The codes of the removed factor are of no use with the next one.
    let (next, _) = add_app(&stage, &again);
    let required = challenge(&stage, "ann");
    let old = finish(&stage, &required, Proof::RecoveryCode(codes[0].clone()));
    assert_eq!(old.err(), Some(SecondStepError::Wrong { field: "recoveryCode" }));
    assert!(finish(&stage, &required, next.code(&stage, 0)).is_ok());
}

/// The proof that a key has is of a factor that is gone.
#[test]
fn the_api_keys_go_with_the_last_factor() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    add_passkey(&stage, &ann, "key");
    add_app(&stage, &ann);
    make(&stage, &ann).expect("made");
    assert_eq!(block_on(stage.app.remove_totp(owner(&ann), None)), Ok(()));
    assert_eq!(stage.app.keys_of(ann.user.id).map(|keys| keys.len()), Ok(1));
    let id = passkeys(&stage, &ann)[0].0;
    block_on(stage.app.remove_passkey(owner(&ann), id, None)).expect("removed");
    assert_eq!(stage.app.keys_of(ann.user.id), Ok(vec![]));
    assert!(stage.notified(&ann).contains(&"api_keys_revoked"));
}

#[test]
fn wrong_proofs_of_a_removal_count() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (phone, _) = add_app(&stage, &ann);
    let remove = |proof| block_on(stage.app.remove_totp(owner(&ann), Some(proof)));
    let wrong = RemovalError::Proof(StepUpError::Wrong { field: "code" });
    for _ in 0..10 {
        assert_eq!(remove(wrong_code()), Err(wrong.clone()));
    }
    let limited = remove(phone.code(&stage, 0));
    assert!(matches!(limited, Err(RemovalError::Proof(StepUpError::TooMany(_)))), "{limited:?}");
}

#[test]
fn the_recovery_codes_stay_until_the_last_factor_goes() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (mut key, _) = add_passkey(&stage, &ann, "first");
    add_passkey(&stage, &ann, "second");
    add_app(&stage, &ann);
    prove(&stage, &ann, &mut key).expect("proved");
    let [(first, _), (second, _)] = passkeys(&stage, &ann)[..] else { panic!("two passkeys") };
    let remove = |session, id| block_on(stage.app.remove_passkey(owner(session), id, None));
    assert_eq!(remove(&bob, first), Err(RemovalError::HasNone), "of another user");
    assert_eq!(remove(&ann, second), Ok(()));
    assert_eq!(cooldown_until(&stage, &ann), Some(stage.now().after(DAY)));
    assert_eq!(block_on(stage.app.remove_totp(owner(&ann), None)), Ok(()));
    assert_eq!(
        (codes_left(&stage, &ann), challenge(&stage, "ann").methods),
        (10, vec!["passkey", "recoveryCode"])
    );
    add_app(&stage, &ann);
    assert_eq!(remove(&ann, first), Ok(()));
    assert_eq!(
        (codes_left(&stage, &ann), challenge(&stage, "ann").methods),
        (10, vec!["code", "recoveryCode"])
    );
    assert_eq!(block_on(stage.app.remove_totp(owner(&ann), None)), Ok(()));
    assert_eq!(codes_left(&stage, &ann), 0);
    assert!(stage.sign_in("ann", "secret").is_ok());
    assert_eq!(enter(&stage, &mut key, ADDRESS).err(), Some(PasskeySignInError::Wrong));
}

#[test]
fn an_app_without_its_first_code_is_no_factor_to_remove() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    add_passkey(&stage, &ann, "key");
    block_on(stage.app.begin_totp(owner(&ann), "secret".to_owned())).expect("begun");
    assert_eq!(block_on(stage.app.remove_totp(owner(&ann), None)), Err(RemovalError::HasNone));
    assert_eq!((cooldown_until(&stage, &ann), codes_left(&stage, &ann)), (None, 10));
    // With the last factor that counts, the account is without protection.
    let id = passkeys(&stage, &ann)[0].0;
    block_on(stage.app.remove_passkey(owner(&ann), id, None)).expect("removed");
    assert_eq!(codes_left(&stage, &ann), 0);
    assert!(stage.sign_in("ann", "secret").is_ok());
}

#[test]
fn a_removal_under_contention_runs_again() {
    let stage = Stage::writing_by(Contended);
    let ann = stage.signed_up("ann");
    let (_, codes) = add_app(&stage, &ann);
    let proof = Proof::RecoveryCode(codes[0].clone());
    assert_eq!(block_on(stage.app.remove_totp(owner(&ann), Some(proof))), Ok(()));
    assert!(stage.sign_in("ann", "secret").is_ok());
}

#[test]
fn the_operator_helps_a_user_who_lost_everything() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (mut key, codes) = add_passkey(&stage, &ann, "key");
    let (phone, _) = add_app(&stage, &ann);
    let required = challenge(&stage, "ann");
    let reset = |email: &str| block_on(stage.app.reset_second_factors(email));
    assert_eq!(reset("nobody@example.com"), Ok(None));
    assert_eq!(reset(" Ann@example.com "), Ok(Some(ann.user.id)));
    assert!(!stage.is_alive(&ann), "a thief with a session is signed out too");
    assert_eq!(cooldown_until(&stage, &ann), Some(stage.now().after(DAY)));
    for proof in [phone.code(&stage, 0), Proof::RecoveryCode(codes[0].clone())] {
        assert!(finish(&stage, &required, proof).is_err());
    }
    assert_eq!(enter(&stage, &mut key, ADDRESS).err(), Some(PasskeySignInError::Wrong));
    assert_eq!((codes_left(&stage, &ann), passkeys(&stage, &ann)), (0, vec![]));
    assert_eq!(stage.notified(&ann)[0], "factor_removed");
    let action = stage.store.admin_actions().pop().expect("an action");
    assert_eq!((action.action, action.user, action.admin), ("reset_second_factor", Some(ann.user.id), None));
    let mut fresh = stage.sign_in("ann", "secret").expect("the password alone");
    assert_eq!(change_password(&stage, &mut fresh), Ok(()));
}
