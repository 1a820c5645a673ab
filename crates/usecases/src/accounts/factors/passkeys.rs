//! Adding and renaming passkeys.

use bolts_factors::{PASSKEYS, PasskeyName, RecoveryCode};
use bolts_kernel::{Code, FieldError, PasskeyId, UserId};
use bolts_ports::{
    CeremonyPurpose, Factor, Lane, NoticeBody, SecurityNotice, StoreError, StoredPasskey, submit_for,
};

use super::ceremony::{NewCeremony, PasskeyAnswer, not_begun};
use super::proof::lock_session;
use super::{CeremonyError, StepUpError, require_fresh_proof};
use crate::accounts::{PasswordError, PasswordOwner, Stale, count_security_change};
use crate::notifications::tell;
use crate::{App, Refused};

/// The reason why a passkey was not added or renamed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// The operator has not set the address of the site, or the address has no domain.
    #[error("This site has no passkeys.")]
    Off,
    /// The password is wrong or cannot be checked, or the second factor must be proved first.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The user has the maximum number of passkeys.
    #[error("Your account has {PASSKEYS} passkeys already. Remove one first.")]
    TooMany,
    /// No ceremony of this session waits for this answer.
    #[error("This took too long. Please begin again.")]
    NotBegun,
    /// The answer of the authenticator is wrong, or its passkey is known already.
    #[error("The answer of your browser was not accepted. Please try again.")]
    Refused,
    /// The user has no such passkey.
    #[error("Your account has no such passkey.")]
    NotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PasskeyError> for Refused {
    fn from(error: PasskeyError) -> Self {
        let detail = error.to_string();
        match error {
            PasskeyError::Off => CeremonyError::Off.into(),
            PasskeyError::Password(PasswordError::WrongCurrent) => Self::wrong_password(),
            PasskeyError::Password(error) => error.into(),
            PasskeyError::TooMany => Self::new(Code::PasskeyLimitReached, detail),
            PasskeyError::NotBegun => Self::new(Code::FactorNotBegun, detail),
            PasskeyError::Refused => Self::invalid(vec![FieldError::new("credential", detail)]),
            PasskeyError::NotFound => Self::new(Code::FactorNotFound, detail),
            PasskeyError::Store(error) => error.into(),
        }
    }
}

job_error!(PasskeyError);

impl From<Stale> for PasskeyError {
    fn from(stale: Stale) -> Self {
        Self::Password(stale.into())
    }
}

impl From<StepUpError> for PasskeyError {
    fn from(error: StepUpError) -> Self {
        match error {
            StepUpError::Store(error) => Self::Store(error),
            StepUpError::TooMany(error) => Self::Password(PasswordError::TooMany(error)),
            // Only `SignedOut` occurs: the session is locked for a new passkey, and no proof is checked.
            StepUpError::SignedOut | StepUpError::Wrong { .. } | StepUpError::PasskeyDisabled => {
                Self::Password(PasswordError::SignedOut)
            }
        }
    }
}

impl App {
    /// Begins the registration of a passkey. The password, and the second factor if there is one, must be proved.
    pub async fn begin_passkey(
        &self,
        owner: PasswordOwner,
        password: String,
    ) -> Result<NewCeremony, PasskeyError> {
        let site = self.site().ok_or(PasskeyError::Off)?;
        let checked = self.check_password(&owner, password).await?;
        let (now, user, lane) = (self.now(), owner.user, Lane::User(owner.user));
        let known = submit_for(&*self.store, lane, move |tx| {
            checked.still_holds(tx, now)??;
            let known = tx.passkeys().of_user(user)?;
            if known.len() >= PASSKEYS { Err(PasskeyError::TooMany) } else { Ok(known) }
        })
        .await?;
        let known: Vec<String> = known.into_iter().map(|passkey| passkey.credential.id).collect();
        let begun = site.begin_registration(user, &owner.email, &known).map_err(not_begun)?;
        Ok(self.begin_ceremony(lane, CeremonyPurpose::Register, owner.session, begun).await?)
    }

    /// Adds the passkey of an answer to [`App::begin_passkey`] in the same session. With the first factor, the user gets
    /// recovery codes.
    pub async fn add_passkey(
        &self,
        owner: PasswordOwner,
        name: PasskeyName,
        answer: PasskeyAnswer,
    ) -> Result<Vec<RecoveryCode>, PasskeyError> {
        let (site, lane) = (self.site().ok_or(PasskeyError::Off)?, Lane::User(owner.user));
        let begun =
            self.take_ceremony(lane, &answer.ceremony, CeremonyPurpose::Register, &owner.session).await?;
        let state = begun.ok_or(PasskeyError::NotBegun)?.state;
        let registered = site.finish_registration(&state, answer.credential).map_err(|bad| {
            tracing::debug!(%bad, "the registration of a passkey was refused");
            PasskeyError::Refused
        })?;
        let (now, ids, user) = (self.now(), self.environment.ids.clone(), owner.user);
        let passkey = StoredPasskey {
            id: self.id(),
            user,
            name,
            credential: registered.credential,
            counter: registered.counter,
            created_at: now,
            last_used_at: None,
            disabled_at: None,
        };
        let codes = self.recovery_codes();
        let hashes: Vec<String> = codes.iter().map(RecoveryCode::hash).collect();
        let is_first = submit_for(&*self.store, lane, move |tx| {
            lock_session(tx, &owner, now)?;
            // Another factor may have been added since the registration began, by another session too.
            require_fresh_proof(tx, user, &owner.session, now)?.map_err(PasswordError::from)?;
            if tx.passkeys().of_user(user)?.len() >= PASSKEYS {
                return Err(PasskeyError::TooMany);
            }
            count_security_change(tx, user, now)?.map_err(PasswordError::from)?;
            if !tx.passkeys().insert_passkey(&passkey)? {
                return Err(PasskeyError::Refused);
            }
            let is_first = !tx.users().view(user)?.is_some_and(|view| view.has_second_factor);
            if is_first {
                tx.factors().set_second_factor(user, true)?;
                tx.factors().put_recovery_codes(user, &hashes)?;
            }
            // The authenticator verified the user just now.
            tx.factors().set_proved(&owner.session, now)?;
            let body = NoticeBody::Security(SecurityNotice::FactorAdded(Factor::Passkey));
            tell(tx, user, body, &ids, now)?;
            Ok(is_first)
        })
        .await?;
        Ok(if is_first { codes } else { Vec::new() })
    }

    /// Renames a passkey of the user.
    pub async fn rename_passkey(
        &self,
        user: UserId,
        id: PasskeyId,
        name: PasskeyName,
    ) -> Result<(), PasskeyError> {
        let renamed = submit_for(&*self.store, Lane::User(user), move |tx| {
            tx.passkeys().rename_passkey(user, id, &name)
        })
        .await?;
        if renamed { Ok(()) } else { Err(PasskeyError::NotFound) }
    }
}
