//! Sign-ins with a passkey alone. The authenticator verified the user, so such a sign-in counts as both factors.

use bolts_kernel::{Code, UserId};
use bolts_ports::{CeremonyPurpose, StoreError, submit_for};

use super::ceremony::{DISABLED, Judged, PasskeyAnswer};
use crate::accounts::rate_limit::{Attempt, Visitor};
use crate::accounts::session::open_session;
use crate::accounts::{SignedIn, TooMany};
use crate::{App, Refused};

/// The reason why a sign-in with a passkey failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasskeySignInError {
    /// No user has this passkey, its signature is wrong, or its ceremony is over.
    #[error("This passkey was not accepted. Please try again.")]
    Wrong,
    /// The passkey is disabled, because a copy of it may exist.
    #[error("{DISABLED}")]
    Disabled,
    /// There were too many attempts.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PasskeySignInError> for Refused {
    fn from(error: PasskeySignInError) -> Self {
        let detail = error.to_string();
        match error {
            PasskeySignInError::Wrong => Self::new(Code::InvalidCredentials, detail),
            PasskeySignInError::Disabled => Self::new(Code::PasskeyDisabled, detail),
            PasskeySignInError::TooMany(error) => error.into(),
            PasskeySignInError::Store(error) => error.into(),
        }
    }
}

job_error!(PasskeySignInError);

impl App {
    /// Signs in the user whose passkey gave this answer. A wrong answer that names a passkey counts towards its account.
    pub async fn sign_in_with_passkey(
        &self,
        answer: PasskeyAnswer,
        from: impl Into<Visitor>,
    ) -> Result<SignedIn, PasskeySignInError> {
        let (from, now, ids) = (from.into(), self.now(), self.environment.ids.clone());
        let per_minute = self.rules.signins_per_minute;
        // The attempts of a network are limited before a signature is checked, whoever the user is.
        let network = Attempt::of_network_alone(from.address);
        submit_for(&*self.store, from.lane(), move |tx| {
            Ok::<_, PasskeySignInError>(network.begin(tx, per_minute, now)??)
        })
        .await?;
        let claimed = self.claimed(from.lane(), answer, CeremonyPurpose::SignIn, "").await?;
        let claimed = claimed.ok_or(PasskeySignInError::Wrong)?;
        let attempt = Attempt::of_passkey(claimed.user(), claimed.passkey(), &from);
        let begun = attempt.clone();
        submit_for(&*self.store, from.lane(), move |tx| {
            Ok::<_, PasskeySignInError>(begun.begin(tx, per_minute, now)??)
        })
        .await?;
        let signed = self.verified(claimed).ok_or(PasskeySignInError::Wrong)?;
        let user = signed.user;
        let (secret, session) = self.new_session(user, now, &from, Some(now));
        let visitor = from.clone();
        let view = submit_for(&*self.store, from.lane(), move |tx| {
            if tx.users().lock_credentials(user)?.is_none() {
                return Err(PasskeySignInError::Wrong);
            }
            match signed.take(tx, user, &ids, now)? {
                Judged::Right => {}
                Judged::Wrong => return Ok(Err(PasskeySignInError::Wrong)),
                // The note for the user must be kept, so this is no error of the job.
                Judged::Disabled => return Ok(Err(PasskeySignInError::Disabled)),
            }
            attempt.succeeded(tx)?;
            visitor.note_new_device(tx, &session, &ids, now)?;
            open_session(tx, &session)?;
            let view = tx.users().view(user)?;
            Ok::<_, PasskeySignInError>(Ok(view.ok_or_else(|| vanished(user))?))
        })
        .await??;
        let device = self.device_of(user, from.device);
        Ok(SignedIn { user: view, secret, device })
    }
}

fn vanished(user: UserId) -> StoreError {
    StoreError::Broken(format!("user {user} vanished"))
}
