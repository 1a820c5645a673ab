//! Removing second factors.

use std::sync::Arc;

use bolts_kernel::{Code, PasskeyId, Timestamp, UserId};
use bolts_ports::{
    CeremonyPurpose, Factor, Ids, JobError, Lane, NoticeBody, Result, SecurityNotice, StoreError, Tx, submit,
    submit_for,
};

use super::proof::{lock_session, step_up};
use super::{Proof, StepUpError, StepUpRequired, require_fresh_proof};
use crate::accounts::session_end::{end_sessions, revoke_keys};
use crate::accounts::{PasswordOwner, begin_cooldown, stored_email};
use crate::notifications::tell;
use crate::operator::record;
use crate::{App, Refused};

/// The reason why a second factor was not removed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemovalError {
    /// The proof was refused.
    #[error(transparent)]
    Proof(#[from] StepUpError),
    /// The request has no proof, and the last one is more than 5 minutes old.
    #[error(transparent)]
    StepUpRequired(#[from] StepUpRequired),
    /// The account has no such factor.
    #[error("Your account has no such second factor.")]
    HasNone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<RemovalError> for Refused {
    fn from(error: RemovalError) -> Self {
        let detail = error.to_string();
        match error {
            RemovalError::Proof(error) => error.into(),
            RemovalError::StepUpRequired(error) => error.into(),
            RemovalError::HasNone => Self::new(Code::FactorNotFound, detail),
            RemovalError::Store(error) => error.into(),
        }
    }
}

impl JobError for RemovalError {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Proof(error) => error.as_store(),
            Self::Store(error) => Some(error),
            Self::StepUpRequired(_) | Self::HasNone => None,
        }
    }
}

impl App {
    /// Removes the user's authenticator app. Without a proof, the session needs a fresh one. Withdrawals and stakes of
    /// sats are blocked for 24 hours, so that a thief of one code cannot take the sats.
    pub async fn remove_totp(
        &self,
        owner: PasswordOwner,
        proof: Option<Proof>,
    ) -> std::result::Result<(), RemovalError> {
        self.remove_factor(owner, None, proof).await
    }

    /// Removes a passkey of the user, on the conditions of [`App::remove_totp`].
    pub async fn remove_passkey(
        &self,
        owner: PasswordOwner,
        id: PasskeyId,
        proof: Option<Proof>,
    ) -> std::result::Result<(), RemovalError> {
        self.remove_factor(owner, Some(id), proof).await
    }

    /// Removes this passkey. `None` means the authenticator app.
    async fn remove_factor(
        &self,
        owner: PasswordOwner,
        passkey: Option<PasskeyId>,
        proof: Option<Proof>,
    ) -> std::result::Result<(), RemovalError> {
        let (now, ids, lane) = (self.now(), self.environment.ids.clone(), Lane::User(owner.user));
        let proof = match proof {
            None => None,
            Some(proof) => Some(self.examine(lane, proof, CeremonyPurpose::StepUp, &owner.session).await?),
        };
        submit_for(&*self.store, lane, move |tx| {
            let user = owner.user;
            match &proof {
                Some(proof) => {
                    let judged = step_up(tx, &owner, proof, &ids, now)?;
                    if let Err(wrong) = judged {
                        // An error would undo the job, and with it the count of wrong proofs. So the refusal is a result.
                        return Ok(Err(wrong.into()));
                    }
                }
                None => {
                    lock_session(tx, &owner, now)?;
                    require_fresh_proof(tx, user, &owner.session, now)??;
                }
            }
            let (removed, factor) = match passkey {
                Some(id) => (tx.passkeys().remove_passkey(user, id)?, Factor::Passkey),
                None => (has_app(tx, user)? && tx.factors().remove_totp(user)?, Factor::Totp),
            };
            if !removed {
                return Err(RemovalError::HasNone);
            }
            if !has_app(tx, user)? && tx.passkeys().of_user(user)?.is_empty() {
                forget_all(tx, user)?;
                // A key keeps the proof with which it was made, and the factor of this proof is gone.
                revoke_keys(tx, user, (&ids, now))?;
            }
            begin_cooldown_and_tell(tx, user, factor, &ids, now)?;
            Ok(Ok(()))
        })
        .await?
    }

    /// Removes all second factors of the user with this e-mail address and ends the user's sessions, on a command of the
    /// operator. Returns the user, if there is one.
    pub async fn reset_second_factors(&self, email: &str) -> std::result::Result<Option<UserId>, StoreError> {
        let (now, ids, email) = (self.now(), self.environment.ids.clone(), stored_email(email));
        submit(&*self.store, move |tx| {
            let Some(known) = tx.users().credentials(&email)? else { return Ok(None) };
            let user = known.user;
            if tx.users().lock_credentials(user)?.is_none() {
                return Ok(None);
            }
            tx.factors().remove_totp(user)?;
            for passkey in tx.passkeys().of_user(user)? {
                tx.passkeys().remove_passkey(user, passkey.id)?;
            }
            forget_all(tx, user)?;
            begin_cooldown_and_tell(tx, user, Factor::All, &ids, now)?;
            end_sessions(tx, user, None, (&ids, now))?;
            record(tx, "reset_second_factor", Some(user), None, now)?;
            Ok::<_, StoreError>(Some(user))
        })
        .await
    }
}

/// Whether the user has an authenticator app that was confirmed.
fn has_app(tx: &mut dyn Tx, user: UserId) -> Result<bool> {
    Ok(tx.factors().totp(user)?.is_some_and(|known| known.confirmed_at.is_some()))
}

/// Forgets the recovery codes of a user who has no second factor any more.
fn forget_all(tx: &mut dyn Tx, user: UserId) -> Result<()> {
    tx.factors().put_recovery_codes(user, &[])?;
    tx.factors().set_second_factor(user, false)
}

fn begin_cooldown_and_tell(
    tx: &mut dyn Tx,
    user: UserId,
    factor: Factor,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<()> {
    begin_cooldown(tx, user, now)?;
    tell(tx, user, NoticeBody::Security(SecurityNotice::FactorRemoved(factor)), ids, now)
}
