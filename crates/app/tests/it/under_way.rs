//! A password that changes while it is being checked.

use std::sync::Barrier;
use std::thread;

use bolts_testkit::HOUR;
use bolts_usecases::accounts::{PasswordError, SignInError};
use bolts_usecases::wallet::WithdrawError;
use futures_executor::block_on;

use crate::stage::{Session, Stage, email, owner};

/// Changes the password. Returns the new secret of the session.
fn change(stage: &Stage, session: &Session, current: &str, new: &str) -> Result<String, PasswordError> {
    block_on(stage.app.change_password(owner(session), current.to_owned(), new.to_owned()))
}

/// An admin resets Ann's password as soon as the check of a password begins. The receiver gets the one-time
/// password.
fn reset_while_checking(stage: &Stage) -> std::sync::mpsc::Receiver<String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let (app, root) = (stage.app.clone(), stage.admin("root"));
    stage.while_checking.set(async move {
        let password = app.reset_password(root, "ann@example.com").await.expect("reset");
        sender.send(password).expect("the test waits");
    });
    receiver
}

/// Another session of Ann changes the password.
fn changed_elsewhere(stage: &Stage) -> impl Future<Output = ()> + use<> {
    let (app, other) = (stage.app.clone(), stage.sign_in("ann", "secret").expect("signed in"));
    async move {
        let change = app.change_password(owner(&other), "secret".to_owned(), "elsewhere".to_owned());
        change.await.expect("changed");
    }
}

#[test]
fn a_reset_wins_over_a_password_change_under_way() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let reset = reset_while_checking(&stage);
    assert_eq!(change(&stage, &ann, "secret", "thief's own"), Err(PasswordError::SignedOut));
    let one_time = reset.recv().expect("a password");
    assert!(!stage.is_alive(&ann), "the reset ended the session");
    assert_eq!(stage.sign_in("ann", "thief's own").err(), Some(SignInError::WrongCredentials));
    let fresh = stage.sign_in("ann", &one_time).expect("the one-time password opens the account");
    assert!(fresh.user.must_change_password);
}

#[test]
fn a_reset_wins_over_a_sign_in_under_way() {
    let stage = Stage::new();
    stage.user("ann");
    let reset = reset_while_checking(&stage);
    assert_eq!(stage.sign_in("ann", "secret").err(), Some(SignInError::WrongCredentials));
    assert!(stage.sign_in("ann", &reset.recv().expect("a password")).is_ok());
}

#[test]
fn of_two_password_changes_at_once_the_second_is_refused() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.while_checking.set(changed_elsewhere(&stage));
    assert_eq!(change(&stage, &ann, "secret", "here"), Err(PasswordError::SignedOut));
    assert!(stage.sign_in("ann", "elsewhere").is_ok() && stage.sign_in("ann", "here").is_err());
    // Now one session sends both changes. The first one gives the session a new secret, so the second one has a secret that
    // no longer counts.
    let bob = stage.user("bob");
    let (app, own) = (stage.app.clone(), owner(&bob));
    stage.while_checking.set(async move {
        app.change_password(own, "secret".to_owned(), "first".to_owned()).await.expect("changed");
    });
    assert_eq!(change(&stage, &bob, "secret", "second"), Err(PasswordError::SignedOut));
    assert!(stage.sign_in("bob", "first").is_ok() && stage.sign_in("bob", "second").is_err());
}

#[test]
fn a_withdrawal_that_waits_for_an_address_needs_the_password_still_to_be_right() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let root = stage.admin("root");
    let signed_out = Err(WithdrawError::Password(PasswordError::SignedOut));

    stage.while_asking.set(changed_elsewhere(&stage));
    assert_eq!(stage.withdraw(&ann, 1_000), signed_out);

    let back = stage.sign_in("ann", "elsewhere").expect("signed in");
    let back = Session { secret: change(&stage, &back, "elsewhere", "secret").expect("changed"), ..back };
    let (app, user, session) = (stage.app.clone(), back.user.id, back.secret.clone());
    stage.while_asking.set(async move { app.sign_out(user, &session).await.expect("signed out") });
    assert_eq!(stage.withdraw(&back, 1_000), signed_out);

    let again = stage.sign_in("ann", "secret").expect("signed in");
    let app = stage.app.clone();
    stage.while_asking.set(async move {
        app.reset_password(root, "ann@example.com").await.expect("reset");
    });
    assert_eq!(stage.withdraw(&again, 1_000), signed_out);
    assert_eq!(stage.sats(&ann), 10_000);
    // Without an interruption the withdrawal succeeds.
    let bob = stage.user("bob");
    stage.add_sats(&bob, 10_000);
    stage.withdraw(&bob, 1_000).expect("held");
    assert_eq!(stage.sats(&bob), 10_000 - 1_010);
    stage.assert_audit_clean();
}

#[test]
fn thirty_at_once_leave_nothing_of_the_old_password_after_a_reset() {
    for round in 0..5 {
        let stage = Stage::new();
        let ann = stage.user("ann");
        stage.add_sats(&ann, 50_000);
        let root = stage.admin("root");
        let sessions: Vec<Session> =
            (0..20).map(|_| stage.sign_in("ann", "secret").expect("signed in")).collect();
        let barrier = Barrier::new(31);
        let (fresh, one_time, before) = thread::scope(|scope| {
            let (stage, barrier) = (&stage, &barrier);
            let changing = sessions.iter().enumerate().map(|(number, session)| {
                scope.spawn(move || {
                    barrier.wait();
                    if number % 2 == 0 {
                        let secret = change(stage, session, "secret", &format!("new password {number}"));
                        return Some(Session { secret: secret.ok()?, ..session.clone() });
                    }
                    drop(stage.withdraw(session, 100));
                    None
                })
            });
            let changing: Vec<_> = changing.collect();
            let signing_in: Vec<_> = (0..10)
                .map(|_| {
                    scope.spawn(move || {
                        barrier.wait();
                        stage.sign_in("ann", "secret").ok()
                    })
                })
                .collect();
            barrier.wait();
            let one_time = block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
            let before = stage.sats(&ann);
            let started = signing_in.into_iter().chain(changing);
            let fresh = started.filter_map(|one| one.join().expect("no panic"));
            (fresh.collect::<Vec<_>>(), one_time, before)
        });
        assert_eq!(stage.sats(&ann), before, "round {round}: nothing is withdrawn after the reset");
        for session in sessions.iter().chain(&fresh) {
            assert!(!stage.is_alive(session), "round {round}: a session outlived the reset");
        }
        // Each refusal counted as a wrong password, so the rate limit requires a wait.
        stage.clock.advance(HOUR);
        assert!(stage.sign_in("ann", &one_time).is_ok(), "round {round}: the one-time password opens it");
        stage.assert_audit_clean();
    }
}
