//! Adding and renaming passkeys, and the proof by one in a session.

use bolts_ports::{FactorQueries, SecurityNotice};
use bolts_usecases::accounts::{
    CeremonyError, PasskeyAnswer, PasskeyError, PasskeySignInError, PasswordError, Proof, StepUpError,
    StepUpRequired,
};
use futures_executor::block_on;
use serde_json::{Value, json};

use super::{
    Authenticator, MINUTE, STEP, add_passkey, begin_passkey, begin_proof, change_password, codes_left, enter,
    known, name, passkeys, prove, register, signed, step_up,
};
use crate::log::{details, warnings};
use crate::stage::{ADDRESS, Stage, owner};

const WRONG: StepUpError = StepUpError::Wrong { field: "passkey" };

#[test]
fn a_site_without_an_address_has_no_passkeys() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let off = stage.without_passkeys();
    assert!(stage.app.has_passkeys() && !off.has_passkeys());
    let answer = || PasskeyAnswer { ceremony: "x".to_owned(), credential: json!({}) };
    let begun = block_on(off.begin_passkey(owner(&ann), "secret".to_owned()));
    assert_eq!(begun.err(), Some(PasskeyError::Off));
    let added = block_on(off.add_passkey(owner(&ann), name("Key"), answer()));
    assert_eq!(added.err(), Some(PasskeyError::Off));
    assert_eq!(block_on(off.begin_passkey_sign_in(ADDRESS)).err(), Some(CeremonyError::Off));
    assert_eq!(block_on(off.begin_step_up(owner(&ann))).err(), Some(CeremonyError::Off));
    let entered = block_on(off.sign_in_with_passkey(answer(), ADDRESS));
    assert_eq!(entered.err(), Some(PasskeySignInError::Wrong));
}

#[test]
fn the_first_passkey_protects_the_account() {
    let stage = Stage::new();
    let mut ann = stage.signed_up("ann");
    assert_eq!(block_on(stage.app.begin_step_up(owner(&ann))).err(), Some(CeremonyError::HasNone));
    let (mut first, codes) = add_passkey(&stage, &ann, "first");
    assert_eq!((codes.len(), stage.notified(&ann)[0]), (10, "factor_added"));
    let begun = begin_passkey(&stage, &ann).expect("the new passkey was a proof");
    assert_eq!(begun.options["known"], json!([first.credential()]));
    stage.clock.advance(5 * MINUTE);
    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(change_password(&stage, &mut ann), Err(required.clone()));
    assert_eq!(begin_passkey(&stage, &ann).err(), Some(PasskeyError::Password(required)));
    let until = prove(&stage, &ann, &mut first).expect("proved");
    assert_eq!(until, stage.now().after(5 * MINUTE));
    let (second, more) = add_passkey(&stage, &ann, "second");
    assert_eq!((more.len(), codes_left(&stage, &ann)), (0, 10), "the codes of the first factor stay");
    let allowed = begin_proof(&stage, &ann).options["allowed"].clone();
    assert_eq!(allowed, json!([first.credential(), second.credential()]));
}

#[test]
fn a_registration_needs_the_password_and_ends_in_its_own_session() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let wrong = block_on(stage.app.begin_passkey(owner(&ann), "wrong".to_owned()));
    assert_eq!(wrong.err(), Some(PasskeyError::Password(PasswordError::WrongCurrent)));
    let other = stage.sign_in("ann", "secret").expect("signed in");
    let mut key = Authenticator::new("key");
    let begun = begin_passkey(&stage, &ann).expect("begun");
    assert_eq!(register(&stage, &other, &begun, &mut key).err(), Some(PasskeyError::NotBegun));
    assert_eq!(register(&stage, &ann, &begun, &mut key).err(), Some(PasskeyError::NotBegun), "used up");

    let begun = begin_passkey(&stage, &ann).expect("begun");
    stage.clock.advance(5 * MINUTE);
    assert_eq!(register(&stage, &ann, &begun, &mut key).err(), Some(PasskeyError::NotBegun), "expired");

    let begun = begin_passkey(&stage, &ann).expect("begun");
    let lie = PasskeyAnswer { ceremony: begun.ceremony, credential: json!({"challenge": "another"}) };
    let refused = block_on(stage.app.add_passkey(owner(&ann), name("Key"), lie));
    assert_eq!(refused.err(), Some(PasskeyError::Refused));

    let begun = begin_passkey(&stage, &ann).expect("begun");
    let root = stage.admin("root");
    block_on(stage.app.reset_password(root, "ann@example.com")).expect("reset");
    let late = register(&stage, &ann, &begun, &mut key);
    assert_eq!(late.err(), Some(PasskeyError::Password(PasswordError::SignedOut)), "a reset wins");
    assert_eq!(passkeys(&stage, &ann), []);
}

#[test]
fn a_credential_belongs_to_one_passkey() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (key, _) = add_passkey(&stage, &ann, "key");
    let begun = begin_passkey(&stage, &bob).expect("begun");
    let stolen = register(&stage, &bob, &begun, &mut key.clone());
    assert_eq!(stolen.err(), Some(PasskeyError::Refused));
    assert!(stage.sign_in("bob", "secret").is_ok_and(|session| !session.user.has_second_factor));
}

#[test]
fn a_user_has_at_most_ten_passkeys() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let waiting = begin_passkey(&stage, &ann).expect("begun");
    for number in 0..10 {
        add_passkey(&stage, &ann, &number.to_string());
    }
    assert_eq!(begin_passkey(&stage, &ann).err(), Some(PasskeyError::TooMany));
    let eleventh = register(&stage, &ann, &waiting, &mut Authenticator::new("eleventh"));
    assert_eq!(eleventh.err(), Some(PasskeyError::TooMany), "begun before");
}

#[test]
fn a_user_renames_own_passkeys_only() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    add_passkey(&stage, &ann, "key");
    let id = passkeys(&stage, &ann)[0].0;
    let names = || {
        let factors = stage.store.factors(ann.user.id).expect("readable");
        factors.passkeys.iter().map(|passkey| passkey.name.to_string()).collect::<Vec<_>>()
    };
    let renamed = block_on(stage.app.rename_passkey(bob.user.id, id, name("Stolen")));
    assert_eq!((renamed, names()), (Err(PasskeyError::NotFound), vec!["Key".to_owned()]));
    assert_eq!(block_on(stage.app.rename_passkey(ann.user.id, id, name("Phone"))), Ok(()));
    assert_eq!(names(), ["Phone"]);
}

#[test]
fn an_answer_counts_once_in_its_own_session_for_its_own_purpose_and_for_5_minutes() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (mut key, _) = add_passkey(&stage, &ann, "key");
    let other = enter(&stage, &mut key, ADDRESS).expect("signed in");
    let try_in = |session, answer| step_up(&stage, session, Proof::Passkey(answer)).map(drop);

    let begun = begin_proof(&stage, &ann);
    assert_eq!(try_in(&other, signed(&begun, &mut key)), Err(WRONG), "in another session of the same user");
    assert_eq!(try_in(&ann, signed(&begun, &mut key)), Err(WRONG), "the attempt used the challenge up");

    let begun = begin_proof(&stage, &ann);
    let answer = signed(&begun, &mut key);
    stage.clock.advance(5 * MINUTE - STEP);
    assert_eq!(try_in(&ann, answer.clone()), Ok(()));
    assert_eq!(try_in(&ann, answer), Err(WRONG), "a replayed answer");

    let begun = begin_proof(&stage, &ann);
    stage.clock.advance(5 * MINUTE);
    assert_eq!(try_in(&ann, signed(&begun, &mut key)), Err(WRONG), "an expired challenge");

    let begun = begin_proof(&stage, &ann);
    let misused = block_on(stage.app.sign_in_with_passkey(signed(&begun, &mut key), ADDRESS));
    assert_eq!(misused.err(), Some(PasskeySignInError::Wrong), "a challenge for a proof opens no session");
    let begun = block_on(stage.app.begin_passkey_sign_in(ADDRESS)).expect("begun");
    assert_eq!(try_in(&ann, signed(&begun, &mut key)), Err(WRONG), "and the other way round");
    let guessed = PasskeyAnswer { ceremony: "x".to_owned(), ..signed(&begun, &mut key) };
    assert_eq!(try_in(&ann, guessed), Err(WRONG));
    let begun = begin_proof(&stage, &ann);
    let unreadable = PasskeyAnswer { ceremony: begun.ceremony, credential: json!({}) };
    assert_eq!(try_in(&ann, unreadable), Err(WRONG));
}

#[test]
fn the_passkey_of_another_user_proves_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.signed_up("ann"), stage.signed_up("bob"));
    let (mut key, _) = add_passkey(&stage, &ann, "ann's key");
    let (mut other, _) = add_passkey(&stage, &bob, "bob's key");
    assert_eq!(prove(&stage, &ann, &mut other), Err(WRONG));
    // The session names the user, so the authenticator need not. An answer that names another user is refused.
    key.user = Value::Null;
    assert!(prove(&stage, &ann, &mut key).is_ok());
    key.user = other.user.clone();
    assert_eq!(prove(&stage, &ann, &mut key), Err(WRONG));
    key.user = Value::Null;
    key.key = "another key".to_owned();
    let logged = details(|| assert_eq!(prove(&stage, &ann, &mut key), Err(WRONG), "a wrong signature"));
    assert_eq!(logged, ["the answer of an authenticator was refused"], "the reason goes to the log only");
}

#[test]
fn a_copy_of_a_passkey_disables_it_and_the_user_is_told() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (mut key, _) = add_passkey(&stage, &ann, "key");
    let mut copy = key.clone();
    prove(&stage, &ann, &mut key).expect("proved");
    let warned = warnings(|| {
        assert_eq!(prove(&stage, &ann, &mut copy), Err(StepUpError::PasskeyDisabled), "an old counter");
    });
    assert_eq!(warned, ["the counter of a passkey went back: the passkey is disabled"]);
    let notices = bolts_ports::Queries::notifications(&*stage.store, ann.user.id).expect("readable");
    let told = SecurityNotice::PasskeyDisabled { name: "Key".to_owned() };
    assert_eq!(notices[0].body, bolts_ports::NoticeBody::Security(told));
    assert!(passkeys(&stage, &ann)[0].1);
    let true_one = enter(&stage, &mut key, known(&ann));
    assert_eq!(true_one.err(), Some(PasskeySignInError::Disabled), "nobody knows which one is the copy");
    assert_eq!(block_on(stage.app.begin_step_up(owner(&ann))).err(), Some(CeremonyError::HasNone));
}
