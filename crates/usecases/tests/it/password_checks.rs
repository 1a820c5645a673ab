//! What changes while a password is checked. The check takes a moment, and its result must still hold afterwards.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_kernel::Code;
use bolts_keys::{KeyName, Scopes, lifetime};
use bolts_ports::{Busy, KeyQueries, Lane, Passwords, Pending};
use bolts_testkit::PlainPasswords;
use bolts_usecases::accounts::{NewKey, PasswordError, PasswordOwner, SignInError, StepUpRequired};
use bolts_usecases::{App, Refused};
use futures_executor::block_on;

use crate::stage::{ADDRESS, Stage, owner};

/// A password service during whose first check something happens.
struct Meanwhile(Mutex<Option<Pending<'static, ()>>>, PlainPasswords);

impl Passwords for Meanwhile {
    fn hash(&self, lane: Lane, password: String) -> Pending<'_, Result<String, Busy>> {
        self.1.hash(lane, password)
    }

    fn verify(&self, lane: Lane, password: String, hash: Option<String>) -> Pending<'_, Result<bool, Busy>> {
        let (happens, verified) =
            (self.0.lock().expect("no panic").take(), self.1.verify(lane, password, hash));
        Box::pin(async {
            if let Some(happens) = happens {
                happens.await;
            }
            verified.await
        })
    }
}

fn while_checking(stage: &Stage, happens: impl Future<Output = ()> + Send + 'static) -> App {
    let happens: Pending<'static, ()> = Box::pin(happens);
    stage.with_passwords(Arc::new(Meanwhile(Mutex::new(Some(happens)), PlainPasswords::default())))
}

/// The attack: a thief with the old password signs in at the moment at which an admin resets it.
#[test]
fn a_reset_wins_over_a_sign_in_under_way() {
    let stage = Stage::new();
    stage.user("ann");
    let (root, app) = (stage.admin("root"), stage.app.clone());
    let late = while_checking(&stage, async move {
        app.reset_password(root, "ann@example.com").await.expect("reset");
    });
    let entered = block_on(late.sign_in("ann@example.com", "secret".to_owned(), ADDRESS));
    assert_eq!(entered.err(), Some(SignInError::WrongCredentials));
}

/// What asks for the password, and the refusal of each.
const REQUESTS: [fn(&App, PasswordOwner) -> Option<Refused>; 6] = [
    |app, owner| {
        let changed = app.change_password(owner, "secret".to_owned(), "another".to_owned());
        block_on(changed).err().map(Refused::from)
    },
    |app, owner| {
        let requested = app.request_email_change(owner, "secret".to_owned(), "new@example.com".to_owned());
        block_on(requested).err().map(Refused::from)
    },
    |app, owner| block_on(app.begin_totp(owner, "secret".to_owned())).err().map(Refused::from),
    |app, owner| block_on(app.begin_passkey(owner, "secret".to_owned())).err().map(Refused::from),
    |app, owner| {
        let new = NewKey {
            name: KeyName::parse("Bot").expect("a name"),
            scopes: Scopes::stored("read").expect("a scope"),
            lifetime: lifetime(None).expect("90 days"),
        };
        block_on(app.make_key(owner, "secret".to_owned(), new)).err().map(Refused::from)
    },
    |app, owner| block_on(app.delete_account(owner, "secret".to_owned())).err().map(Refused::from),
];

/// The owner ends the session of a thief, who has just sent a request with the password.
#[test]
fn a_session_that_ends_during_the_check_does_nothing() {
    for (number, request) in REQUESTS.into_iter().enumerate() {
        let stage = Stage::new();
        let ann = stage.signed_up("ann");
        let (app, user, secret) = (stage.app.clone(), ann.user.id, ann.secret.clone());
        let late =
            while_checking(&stage, async move { app.sign_out(user, &secret).await.expect("signed out") });
        let refused = request(&late, owner(&ann)).expect("a refusal");
        assert_eq!(refused.code, Code::NotSignedIn, "request {number}");
        assert!(stage.sign_in("ann", "secret").is_ok(), "request {number}");
        assert!(stage.store.keys_of(ann.user.id, stage.now()).expect("readable").is_empty());
    }
}

#[test]
fn a_proof_that_grows_old_during_the_check_changes_nothing() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let (user, session, now) = (ann.user.id, owner(&ann).session, stage.now());
    bolts_testkit::run(&*stage.store, move |tx| {
        tx.factors().set_second_factor(user, true)?;
        tx.factors().set_proved(&session, now)
    })
    .expect("stored");
    let clock = stage.clock.clone();
    let late = while_checking(&stage, async move { clock.advance(Duration::from_mins(5)) });
    let changed = block_on(late.change_password(owner(&ann), "secret".to_owned(), "another".to_owned()));
    assert_eq!(changed, Err(PasswordError::StepUpRequired(StepUpRequired)));
}
