use std::net::IpAddr;

use bolts_kernel::UserId;
use bolts_ports::{About, Busy, Hint, JobError, StoreError, submit};

use super::sign_in::SignInError;
use super::throttle::{Attempt, TooMany};
use super::{Checked, Stale};
use crate::App;

/// Why a password was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// That is not the current password.
    #[error("Current password is incorrect")]
    WrongCurrent,
    /// The session ended meanwhile.
    #[error("Please sign in first.")]
    SignedOut,
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

impl From<Stale> for PasswordError {
    fn from(stale: Stale) -> Self {
        match stale {
            Stale::SignedOut => Self::SignedOut,
            Stale::Changed => Self::WrongCurrent,
        }
    }
}

/// Whose password is asked for, and from where.
#[derive(Clone, Debug)]
pub struct PasswordOwner {
    /// The user.
    pub user: UserId,
    /// The user's email.
    pub email: String,
    /// The [hash](super::session_hash) of the session that asks.
    pub session: String,
    /// The client's address, for counting wrong ones.
    pub address: IpAddr,
}

impl App {
    /// Sees that this is the user's current password; wrong ones are counted like those of sign-ins. The job that relies
    /// on it asks [`Checked::still_holds`].
    pub(crate) async fn check_password(
        &self,
        owner: &PasswordOwner,
        password: String,
    ) -> Result<Checked, PasswordError> {
        let (email, address) = (&owner.email, owner.address);
        let known = self.begin_attempt(email, address).await?;
        let hash = known.as_ref().map(|credentials| credentials.password_hash.clone());
        let is_right = self.verify_attempt(email, address, password, hash).await?;
        let Some(credentials) = known.filter(|_| is_right) else {
            return Err(PasswordError::WrongCurrent);
        };
        let attempt = Attempt::new(email, address);
        submit(&*self.store, move |tx| attempt.succeeded(tx)).await?;
        Ok(Checked::new(credentials, Some(owner.session.clone())))
    }

    /// Changes the password and ends every session of the user but the one that asks. `new` has been judged by
    /// [`super::password`].
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn change_password(
        &self,
        owner: PasswordOwner,
        current: String,
        new: String,
    ) -> Result<(), PasswordError> {
        let checked = self.check_password(&owner, current).await?;
        let hash = self.environment.passwords.hash(new).await?;
        let (now, user) = (self.now(), owner.user);
        submit(&*self.store, move |tx| {
            checked.still_holds(tx, now)??;
            tx.users().set_password(user, &hash, None, now)?;
            tx.sessions().end_others(user, Some(&owner.session))?;
            Ok(tx.outbox().owe(&[Hint { user, about: About::Sessions }], now)?)
        })
        .await
    }
}
