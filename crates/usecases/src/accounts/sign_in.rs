use std::net::IpAddr;

use bolts_ports::{Busy, Credentials, JobError, StoreError, submit};

use super::throttle::{Attempt, TooMany};
use super::{Checked, SignedIn};
use crate::App;

/// Why nobody was signed in. The same for known and unknown emails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// No user has this email and this password.
    #[error("Invalid email or password")]
    WrongCredentials,
    /// Too many attempts.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// Too many passwords are being checked.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl JobError for SignInError {
    fn as_store(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

impl App {
    /// Signs in with what was typed; takes the same time whether or not the account exists.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn sign_in(
        &self,
        email: &str,
        password: String,
        address: IpAddr,
    ) -> Result<SignedIn, SignInError> {
        let email = email.trim().to_lowercase();
        let known = self.begin_attempt(&email, address).await?;
        let hash = known.as_ref().map(|credentials| credentials.password_hash.clone());
        let right = self.verify_attempt(&email, address, password, hash).await?;
        match known {
            Some(credentials) if right => self.begin_session(email, credentials, address).await,
            Some(_) | None => Err(SignInError::WrongCredentials),
        }
    }

    pub(super) async fn begin_attempt(
        &self,
        email: &str,
        address: IpAddr,
    ) -> Result<Option<Credentials>, SignInError> {
        let (now, per_minute) = (self.now(), self.rules.signins_per_minute);
        let (attempt, email) = (Attempt::new(email, address), email.to_owned());
        submit(&*self.store, move |tx| {
            attempt.begin(tx, per_minute, now)??;
            Ok(tx.users().credentials(&email)?)
        })
        .await
    }

    /// Whether the password has that hash. One that nobody had time to look at does not count as wrong.
    pub(super) async fn verify_attempt(
        &self,
        email: &str,
        address: IpAddr,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, SignInError> {
        let verified = self.environment.passwords.verify(password, hash).await;
        if let Err(Busy) = verified {
            let attempt = Attempt::new(email, address);
            submit(&*self.store, move |tx| attempt.take_back(tx)).await?;
        }
        Ok(verified?)
    }

    async fn begin_session(
        &self,
        email: String,
        checked: Credentials,
        address: IpAddr,
    ) -> Result<SignedIn, SignInError> {
        let now = self.now();
        let (secret, session) = self.new_session(checked.user, now);
        let attempt = Attempt::new(&email, address);
        // A one-time password opens nothing once its day is over.
        if checked.one_time_until.is_some_and(|until| now >= until) {
            return Err(SignInError::WrongCredentials);
        }
        let user = checked.user;
        let checked = Checked::new(checked, None);
        let user = submit(&*self.store, move |tx| {
            if checked.still_holds(tx, now)?.is_err() {
                return Err(SignInError::WrongCredentials);
            }
            attempt.succeeded(tx)?;
            tx.sessions().insert(&session)?;
            let view = tx.users().view(user)?;
            view.ok_or_else(|| StoreError::Broken(format!("user {user} vanished")).into())
        })
        .await?;
        Ok(SignedIn { user, secret })
    }
}
