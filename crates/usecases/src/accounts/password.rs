//! Checks and changes of the user's own password.

use std::sync::Arc;

use bolts_kernel::{Code, FieldError, Timestamp, UserId};
use bolts_ports::{AccountEvent, Busy, Ids, Lane, NoticeBody, Purpose, StoreError, Tx, submit_for};

use super::rate_limit::{TooMany, count_security_change};
use super::session_end::end_sessions;
use super::sign_in::SignInError;
use super::{Checked, Requester, Stale, StepUpRequired};
use crate::notifications::{remove_with_password, tell};
use crate::{App, Refused};

/// The reason why a password was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// The given password is not the current one.
    #[error("Current password is incorrect")]
    WrongCurrent,
    /// The session ended during the request.
    #[error("Please sign in first.")]
    SignedOut,
    /// The user must prove the second factor first.
    #[error(transparent)]
    StepUpRequired(#[from] StepUpRequired),
    /// There were too many wrong passwords.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// Too many passwords are being checked at the moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PasswordError> for Refused {
    fn from(error: PasswordError) -> Self {
        let detail = error.to_string();
        match error {
            PasswordError::WrongCurrent => Self::invalid(vec![FieldError::new("currentPassword", detail)]),
            PasswordError::SignedOut => Self::new(Code::NotSignedIn, detail),
            PasswordError::StepUpRequired(error) => error.into(),
            PasswordError::TooMany(error) => error.into(),
            PasswordError::Busy(error) => error.into(),
            PasswordError::Store(error) => error.into(),
        }
    }
}

job_error!(PasswordError);

impl From<SignInError> for PasswordError {
    fn from(error: SignInError) -> Self {
        match error {
            // `SecondFactorRequired` occurs only at a sign-in.
            SignInError::WrongCredentials | SignInError::SecondFactorRequired(_) => Self::WrongCurrent,
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
            Stale::StepUpRequired => Self::StepUpRequired(StepUpRequired),
        }
    }
}

/// The user and session of a password check.
#[derive(Clone, Debug)]
pub struct PasswordOwner {
    /// The id of the user.
    pub user: UserId,
    /// The user's e-mail address.
    pub email: String,
    /// The [hash](super::session_hash) of the session. Wrong passwords count per session, so that nobody
    /// without the session can lock the user out.
    pub session: String,
}

/// Sets a password. Ends the links in mails that set one, and all sessions except the one with the hash `current`. Also ends a
/// requested change of the address and the webhook, because a thief may have requested and set them.
/// `one_time_until` is the expiry of a one-time password.
pub(crate) fn replace_password(
    tx: &mut dyn Tx,
    user: UserId,
    hash: &str,
    one_time_until: Option<Timestamp>,
    current: Option<&str>,
    (ids, now): (&Arc<dyn Ids>, Timestamp),
) -> Result<(), StoreError> {
    tx.users().set_password(user, hash, one_time_until, now)?;
    tx.tokens().remove(user, Purpose::ResetPassword)?;
    if let Some(view) = tx.users().view(user)? {
        tx.tokens().remove_requested(user, &view.email)?;
    }
    remove_with_password(tx, user, (ids, now))?;
    end_sessions(tx, user, current, (ids, now)).map(drop)
}

impl App {
    /// Checks the user's current password in a session, see [`App::check_password_of`].
    pub(crate) async fn check_password(
        &self,
        owner: &PasswordOwner,
        password: String,
    ) -> Result<Checked, PasswordError> {
        self.check_password_of(&owner.clone().into(), password).await
    }

    /// Checks the user's current password. A user with a second factor must have proved it first, so a person with a stolen
    /// session cannot even guess the password. Wrong passwords count per session or key. The job that relies on the check
    /// must call [`Checked::still_holds`].
    pub(crate) async fn check_password_of(
        &self,
        asking: &Requester,
        password: String,
    ) -> Result<Checked, PasswordError> {
        let (now, user, email) = (self.now(), asking.user, asking.email.clone());
        let (lane, attempt) = (Lane::User(user), asking.access.attempt());
        let (begun, access) = (attempt.clone(), asking.access.clone());
        let known = submit_for(&*self.store, lane, move |tx| {
            access.require_proof(tx, user, now)??;
            begun.begin(tx, 0, now)??;
            Ok::<_, PasswordError>(tx.users().credentials(&email)?)
        })
        .await?;
        let hash = known.as_ref().map(|credentials| credentials.password_hash.clone());
        let is_right = self.verify_attempt(&attempt, lane, password, hash).await?;
        let Some(credentials) = known.filter(|_| is_right) else {
            return Err(PasswordError::WrongCurrent);
        };
        submit_for(&*self.store, lane, move |tx| attempt.succeeded(tx)).await?;
        Ok(Checked::new(credentials, Some(asking.access.clone())))
    }

    /// Changes the password and ends all other sessions of the user. Returns the new secret of the session: a thief may have
    /// copied the old one, so it no longer counts. `new` must have passed [`super::password`].
    pub async fn change_password(
        &self,
        owner: PasswordOwner,
        current: String,
        new: String,
    ) -> Result<String, PasswordError> {
        let checked = self.check_password(&owner, current).await?;
        let lane = Lane::User(owner.user);
        let hash = self.environment.passwords.hash(lane, new).await?;
        let (now, user, ids) = (self.now(), owner.user, self.environment.ids.clone());
        let (secret, session) = self.new_secret();
        submit_for(&*self.store, lane, move |tx| {
            checked.still_holds(tx, now)??;
            count_security_change(tx, user, now)??;
            replace_password(tx, user, &hash, None, Some(&owner.session), (&ids, now))?;
            tx.sessions().renew(&owner.session, &session)?;
            let event = AccountEvent::PasswordChanged;
            Ok::<_, PasswordError>(tell(tx, user, NoticeBody::Account { event }, &ids, now)?)
        })
        .await?;
        Ok(secret)
    }
}
