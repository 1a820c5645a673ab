//! Withdrawals of a program with an API key.

use bolts_usecases::accounts::{Access, MadeKey, PasswordError, Requester, StepUpRequired};
use bolts_usecases::wallet::{Destination, Withdraw, WithdrawError};
use futures_executor::block_on;

use super::Site;
use crate::keys;

impl Site {
    fn key(&self) -> MadeKey {
        keys::made(&self.stage, self.ann.owner.clone())
    }

    fn withdraw_with(&self, key: &MadeKey, password: &str) -> Result<(), WithdrawError> {
        let access = Access::Key(key.secret.hash());
        let owner = Requester { access, ..self.ann.owner.clone().into() };
        let destination = Destination::Invoice(self.node.invoice(1_000_000));
        let withdraw = Withdraw { owner, password: password.to_owned(), destination };
        block_on(self.wallets.withdraw(withdraw, None)).map(drop)
    }
}

/// Wrong passwords with a key count for this key, so they make neither the user's sessions nor other keys wait.
#[test]
fn ten_wrong_passwords_make_a_key_wait() {
    let site = Site::new();
    let [first, second] = [(); 2].map(|()| site.key());
    for _ in 0..10 {
        let wrong = site.withdraw_with(&first, "wrong");
        assert_eq!(wrong, Err(WithdrawError::Password(PasswordError::WrongCurrent)));
    }
    let limited = site.withdraw_with(&first, "secret");
    assert!(matches!(limited, Err(WithdrawError::Password(PasswordError::TooMany(_)))), "{limited:?}");
    assert_eq!(site.withdraw_with(&second, "secret"), Ok(()));
    assert!(site.withdraw(1_000).is_ok());
}

/// An old key must not become the way around a second factor that was added later.
#[test]
fn a_key_without_a_proof_withdraws_nothing_once_there_is_a_second_factor() {
    let site = Site::new();
    let old = site.key();
    assert_eq!(site.withdraw_with(&old, "secret"), Ok(()), "the password is enough");
    let (user, session, now) = (site.ann.actor.user, site.ann.owner.session.clone(), site.stage.now());
    bolts_testkit::run(&*site.stage.store, move |tx| {
        tx.factors().set_second_factor(user, true)?;
        tx.factors().set_proved(&session, now)
    })
    .expect("stored");
    let required = WithdrawError::Password(PasswordError::StepUpRequired(StepUpRequired));
    assert_eq!(site.withdraw_with(&old, "secret"), Err(required.clone()));
    let proved = site.key();
    site.stage.clock.advance(crate::stage::HOUR);
    assert_eq!(site.withdraw_with(&proved, "secret"), Ok(()), "the proof with which it was made counts");
    block_on(site.stage.app.revoke_key(user, proved.key.id)).expect("revoked");
    assert_eq!(site.withdraw_with(&proved, "secret"), Err(required), "a revoked key proves nothing");
}

#[test]
fn a_revoked_key_withdraws_nothing() {
    let site = Site::new();
    let key = site.key();
    block_on(site.stage.app.revoke_key(site.ann.actor.user, key.key.id)).expect("revoked");
    let late = site.withdraw_with(&key, "secret");
    assert_eq!(late, Err(WithdrawError::Password(PasswordError::SignedOut)));
}
