//! The rules of API keys: how long they are valid, and what a second factor protects.

use std::time::Duration;

use bolts_kernel::Amount;
use bolts_keys::{KeyName, Scopes, lifetime};
use bolts_usecases::accounts::{Access, KeyError, MadeKey, NewKey, PasswordError, Requester, StepUpRequired};
use bolts_usecases::wallet::{Destination, Withdraw, WithdrawError};
use futures_executor::block_on;

use crate::passkeys;
use crate::stage::{Session, Stage, owner};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3_600);

fn stored(stage: &Stage, session: &Session, scopes: &str) -> Result<MadeKey, KeyError> {
    let new = NewKey {
        name: KeyName::parse("bot").expect("a name"),
        scopes: Scopes::stored(scopes).expect("scopes"),
        lifetime: lifetime(None).expect("90 days"),
    };
    block_on(stage.app.make_key(owner(session), "secret".to_owned(), new))
}

fn withdraw(stage: &Stage, session: &Session, key: &MadeKey) -> Result<(), WithdrawError> {
    let amount = Amount::new(1_000).expect("an amount");
    let destination = Destination::Address("carol@example.com".to_owned(), amount);
    let access = Access::Key(key.secret.hash());
    let owner = Requester { user: session.user.id, email: session.user.email.clone(), access };
    let withdraw = Withdraw { owner, password: "secret".to_owned(), destination };
    block_on(stage.wallets.withdraw(withdraw, None)).map(drop)
}

/// A thief with a session and the password, but without the second factor, gets no key. An old key without a proof must not
/// become the way around a factor that was added later.
#[test]
fn a_second_factor_protects_keys_and_their_withdrawals() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 50_000);
    let before = stored(&stage, &ann, "withdraw").expect("no factor yet");
    withdraw(&stage, &ann, &before).expect("the password is enough");
    let (mut phone, _) = passkeys::protect(&stage, &ann, "phone");

    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(stored(&stage, &ann, "read").err(), Some(KeyError::Password(required.clone())));
    assert_eq!(withdraw(&stage, &ann, &before), Err(WithdrawError::Password(required.clone())));
    passkeys::prove(&stage, &ann, &mut phone).expect("proved");
    let after = stored(&stage, &ann, "withdraw").expect("proved");
    stage.clock.advance(6 * MINUTE);
    withdraw(&stage, &ann, &after).expect("the proof with which it was made counts");

    block_on(stage.app.revoke_key(ann.user.id, after.key.id)).expect("revoked");
    assert_eq!(
        withdraw(&stage, &ann, &after),
        Err(WithdrawError::Password(required)),
        "a revoked key proves nothing"
    );
}

#[test]
fn a_key_expires_and_its_use_is_recorded_every_five_minutes() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let made = stored(&stage, &ann, "read").expect("made");
    let found = || stage.app.key(&made.secret).expect("readable");
    assert!(stage.app.wants_key_touch(&found().expect("valid")), "its first use");
    block_on(stage.app.touch_key(made.secret.hash())).expect("recorded");
    assert!(!stage.app.wants_key_touch(&found().expect("valid")));
    stage.clock.advance(5 * MINUTE);
    assert!(stage.app.wants_key_touch(&found().expect("valid")));
    assert_eq!(stage.app.keys_of(ann.user.id).expect("readable").len(), 1);
    stage.clock.advance(90 * DAY - 5 * MINUTE);
    assert_eq!((found(), stage.app.keys_of(ann.user.id).expect("readable")), (None, vec![]));
    assert_eq!(stage.database.rows("api_keys"), 1);
    block_on(stage.app.tidy()).expect("tidied");
    assert_eq!(stage.database.rows("api_keys"), 0);
}

/// The requests of a user with a key, for the plans of their statements.
pub(crate) fn live(stage: &Stage, session: &Session) {
    let made = stored(stage, session, "read bet withdraw").expect("made");
    assert!(stage.app.key(&made.secret).expect("readable").is_some());
    block_on(stage.app.touch_key(made.secret.hash())).expect("recorded");
    assert_eq!(stage.app.keys_of(session.user.id).expect("readable").len(), 1);
    stage.add_sats(session, 5_000);
    withdraw(stage, session, &made).expect("held");
    block_on(stage.app.revoke_key(session.user.id, made.key.id)).expect("revoked");
    block_on(stage.app.end_other_sessions(session.user.id, owner(session).session)).expect("ended");
}
