//! Sign-ins.

use bolts_kernel::{Code, UserId};
use bolts_ports::{Busy, Credentials, Lane, StoreError, submit_for};

use super::credentials::stored_email;
use super::factors::{SecondFactorRequired, begin_challenge};
use super::rate_limit::{Attempt, TooMany, Visitor};
use super::session::open_session;
use super::{Checked, SignedIn};
use crate::secret::random_text;
use crate::{App, Refused};

/// The reason why a sign-in failed. The reason is the same for known and unknown e-mail addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// No user has this e-mail address and this password.
    #[error("Invalid email or password")]
    WrongCredentials,
    /// The password is right, and the user has a second factor.
    #[error("Please enter the code of your second factor.")]
    SecondFactorRequired(SecondFactorRequired),
    /// There were too many attempts.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// Too many passwords are being checked at the moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SignInError> for Refused {
    fn from(error: SignInError) -> Self {
        let detail = error.to_string();
        match error {
            SignInError::WrongCredentials => Self::new(Code::InvalidCredentials, detail),
            SignInError::SecondFactorRequired(_) => Self::new(Code::SecondFactorRequired, detail),
            SignInError::TooMany(error) => error.into(),
            SignInError::Busy(error) => error.into(),
            SignInError::Store(error) => error.into(),
        }
    }
}

job_error!(SignInError);

impl App {
    /// Signs a user in. Takes the same time whether or not the account exists.
    pub async fn sign_in(
        &self,
        email: &str,
        password: String,
        from: impl Into<Visitor>,
    ) -> Result<SignedIn, SignInError> {
        let (email, from) = (stored_email(email), from.into());
        let (attempt, known) = self.begin_sign_in(&email, &from).await?;
        let hash = known.as_ref().map(|credentials| credentials.password_hash.clone());
        let right = self.verify_attempt(&attempt, from.lane(), password, hash).await?;
        match known {
            Some(credentials) if right => self.begin_session(credentials, attempt, from).await,
            Some(_) | None => Err(SignInError::WrongCredentials),
        }
    }

    async fn begin_sign_in(
        &self,
        email: &str,
        from: &Visitor,
    ) -> Result<(Attempt, Option<Credentials>), SignInError> {
        let (now, per_minute) = (self.now(), self.rules.signins_per_minute);
        let (email, visitor) = (email.to_owned(), from.clone());
        submit_for(&*self.store, from.lane(), move |tx| {
            let known = tx.users().credentials(&email)?;
            let attempt = attempt_of(&visitor, &email, known.as_ref().map(|credentials| credentials.user));
            attempt.begin(tx, per_minute, now)??;
            Ok((attempt, known))
        })
        .await
    }

    /// Checks a password. If the check could not run, the attempt does not count as a wrong password.
    pub(super) async fn verify_attempt(
        &self,
        attempt: &Attempt,
        lane: Lane,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, SignInError> {
        let verified = self.environment.passwords.verify(lane, password, hash).await;
        if let Err(Busy) = verified {
            let attempt = attempt.clone();
            submit_for(&*self.store, lane, move |tx| attempt.take_back(tx)).await?;
        }
        Ok(verified?)
    }

    async fn begin_session(
        &self,
        checked: Credentials,
        attempt: Attempt,
        from: Visitor,
    ) -> Result<SignedIn, SignInError> {
        let now = self.now();
        let (secret, session) = self.new_session(checked.user, now, &from, None);
        let device = self.device_of(checked.user, from.device.clone());
        let (challenge, ids) = (random_text::<32>(&*self.environment.random), self.environment.ids.clone());
        // A one-time password is not valid after its expiry.
        if checked.one_time_until.is_some_and(|until| now >= until) {
            return Err(SignInError::WrongCredentials);
        }
        let (user, credentials) = (checked.user, checked.clone());
        let (checked, begun) = (Checked::new(checked, None), challenge.clone());
        let user = submit_for(&*self.store, Lane::User(user), move |tx| {
            if checked.still_holds(tx, now)?.is_err() {
                return Err(SignInError::WrongCredentials);
            }
            attempt.succeeded(tx)?;
            let view = tx.users().view(user)?;
            let view = view.ok_or_else(|| StoreError::Broken(format!("user {user} vanished")))?;
            if view.has_second_factor {
                return Ok(Err(begin_challenge(tx, &credentials, &begun, now)?));
            }
            from.note_new_device(tx, &session, &ids, now)?;
            open_session(tx, &session)?;
            Ok(Ok(view))
        })
        .await?;
        match user {
            Ok(user) => Ok(SignedIn { user, secret, device }),
            Err(methods) => {
                Err(SignInError::SecondFactorRequired(SecondFactorRequired { challenge, methods }))
            }
        }
    }
}

/// The counters for a sign-in. These are the counters of the device if the last sign-in on it was by this user,
/// otherwise those of the e-mail address and the network.
fn attempt_of(from: &Visitor, email: &str, user: Option<UserId>) -> Attempt {
    match &from.device {
        Some(device) if Some(device.user) == user => Attempt::of_device(email, device),
        Some(_) | None => Attempt::of_network(email, from.address),
    }
}
