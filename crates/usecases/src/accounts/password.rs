use std::net::IpAddr;

use bolts_kernel::UserId;
use bolts_ports::{About, Busy, Hint, JobError, StoreError, submit};

use super::session_hash;
use super::sign_in::SignInError;
use super::throttle::{Attempt, TooMany};
use crate::App;

/// Why a password was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// That is not the current password.
    #[error("Current password is incorrect")]
    WrongCurrent,
    /// Too many wrong ones.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// Too many passwords are being checked.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl JobError for PasswordError {
    fn as_store(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

impl From<SignInError> for PasswordError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::WrongCredentials => Self::WrongCurrent,
            SignInError::TooMany(error) => Self::TooMany(error),
            SignInError::Busy(error) => Self::Busy(error),
            SignInError::Store(error) => Self::Store(error),
        }
    }
}

/// Who changes the password, and from where.
#[derive(Clone, Debug)]
pub struct PasswordOwner {
    /// The user.
    pub user: UserId,
    /// The user's email.
    pub email: String,
    /// The client's address, for counting wrong ones.
    pub address: IpAddr,
}

impl App {
    /// Sees that this is the user's current password; wrong ones are counted like those of sign-ins.
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn check_password(&self, owner: &PasswordOwner, password: String) -> Result<(), PasswordError> {
        let (email, address) = (&owner.email, owner.address);
        let known = self.begin_attempt(email, address).await?;
        let hash = known.map(|credentials| credentials.password_hash);
        if !self.verify_attempt(email, address, password, hash).await? {
            return Err(PasswordError::WrongCurrent);
        }
        let attempt = Attempt::new(email, address);
        Ok(submit(&*self.store, move |tx| attempt.succeeded(tx)).await?)
    }

    /// Changes the password and ends every session of the user but the one of `secret`. `new` has been judged by
    /// [`super::password`].
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn change_password(
        &self,
        owner: PasswordOwner,
        current: String,
        new: String,
        secret: &str,
    ) -> Result<(), PasswordError> {
        self.check_password(&owner, current).await?;
        let hash = self.environment.passwords.hash(new).await?;
        let (now, keep, user) = (self.now(), session_hash(secret), owner.user);
        Ok(submit(&*self.store, move |tx| {
            tx.users().set_password(user, &hash, None, now)?;
            tx.sessions().end_others(user, Some(&keep))?;
            tx.outbox().owe(&[Hint { user, about: About::Sessions }], now)
        })
        .await?)
    }
}
