//! Proofs of the second factor.

use std::fmt;
use std::sync::Arc;

use bolts_factors::{PROOF_LIFETIME, is_fresh, recovery_hash};
use bolts_kernel::{Code, Timestamp, UserId};
use bolts_ports::{
    CeremonyPurpose, Ids, Lane, NoticeBody, Result, SecurityNotice, StoreError, StoredTotp, Tx, submit_for,
};

use super::ceremony::{DISABLED, Judged, PasskeyAnswer, Signed};
use super::wrong_code;
use crate::accounts::rate_limit::Attempt;
use crate::accounts::{PasswordOwner, TooMany};
use crate::notifications::tell;
use crate::{App, Refused};

/// What a user enters to prove the second factor.
#[derive(Clone, PartialEq, Eq)]
pub enum Proof {
    /// The code of an authenticator app.
    Code(String),
    /// A recovery code.
    RecoveryCode(String),
    /// The answer of an authenticator with a passkey.
    Passkey(PasskeyAnswer),
}

/// A code must not reach a log.
impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proof(…)")
    }
}

/// A proof of which everything is checked that needs no job: the signature of a passkey.
#[derive(Clone)]
pub(super) enum Examined {
    Code(String),
    RecoveryCode(String),
    /// `None` if the signature is wrong.
    Passkey(Option<Signed>),
}

impl Examined {
    /// The name of the form field.
    pub(super) const fn field(&self) -> &'static str {
        match self {
            Self::Code(_) => "code",
            Self::RecoveryCode(_) => "recoveryCode",
            Self::Passkey(_) => "passkey",
        }
    }

    /// Checks the proof and uses it up, so that it counts once. The caller must have locked the user's credentials.
    pub(super) fn take(
        &self,
        tx: &mut dyn Tx,
        user: UserId,
        ids: &Arc<dyn Ids>,
        now: Timestamp,
    ) -> Result<Judged> {
        let is_right = match self {
            Self::Passkey(Some(signed)) => return signed.take(tx, user, ids, now),
            Self::Passkey(None) => false,
            Self::Code(typed) => {
                let known = tx.factors().totp(user)?.filter(|known| known.confirmed_at.is_some());
                let Some(known) = known else { return Ok(Judged::Wrong) };
                take_code(tx, user, known, typed, now)?
            }
            Self::RecoveryCode(typed) => {
                let Some(hash) = recovery_hash(typed) else { return Ok(Judged::Wrong) };
                if !tx.factors().take_recovery_code(user, &hash)? {
                    return Ok(Judged::Wrong);
                }
                let left = tx.factors().recovery_codes_left(user)?;
                let body = NoticeBody::Security(SecurityNotice::RecoveryCodeUsed { left });
                tell(tx, user, body, ids, now)?;
                true
            }
        };
        Ok(if is_right { Judged::Right } else { Judged::Wrong })
    }
}

/// Checks a code of this authenticator app. Stores the step of an accepted code.
pub(super) fn take_code(
    tx: &mut dyn Tx,
    user: UserId,
    mut known: StoredTotp,
    typed: &str,
    now: Timestamp,
) -> Result<bool> {
    let Some(step) = known.totp.accept(typed, now) else { return Ok(false) };
    known.totp.last_step = Some(step);
    tx.factors().put_totp(user, &known)?;
    Ok(true)
}

/// The user has a second factor and must prove it again first: the last proof of this session is more than 5 minutes old.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please confirm this with your second factor.")]
pub struct StepUpRequired;

impl From<StepUpRequired> for Refused {
    fn from(error: StepUpRequired) -> Self {
        Self::new(Code::StepUpRequired, error.to_string())
    }
}

/// Requires a fresh proof of the second factor, if the user has one. `session` is the hash of the session.
///
/// [`App::check_password`] and [`Checked::still_holds`](crate::accounts::Checked::still_holds) call this function, so each
/// action that asks the password also asks the second factor.
pub(crate) fn require_fresh_proof(
    tx: &mut dyn Tx,
    user: UserId,
    session: &str,
    now: Timestamp,
) -> Result<std::result::Result<(), StepUpRequired>> {
    if is_fresh(tx.factors().proved_at(session)?, now) {
        return Ok(Ok(()));
    }
    let has_one = tx.users().view(user)?.is_some_and(|view| view.has_second_factor);
    Ok(if has_one { Err(StepUpRequired) } else { Ok(()) })
}

/// The reason why a proof of the second factor was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepUpError {
    /// The code is wrong or was used before, or the user has no such factor.
    #[error("This code is wrong, or was used before")]
    Wrong {
        /// The form field of the proof.
        field: &'static str,
    },
    /// The passkey is disabled, because a copy of it may exist.
    #[error("{DISABLED}")]
    PasskeyDisabled,
    /// The session ended during the request.
    #[error("Please sign in first.")]
    SignedOut,
    /// There were too many wrong codes.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<StepUpError> for Refused {
    fn from(error: StepUpError) -> Self {
        let detail = error.to_string();
        match error {
            StepUpError::Wrong { field } => Self::invalid(vec![wrong_code(field)]),
            StepUpError::PasskeyDisabled => Self::new(Code::PasskeyDisabled, detail),
            StepUpError::SignedOut => Self::new(Code::NotSignedIn, detail),
            StepUpError::TooMany(error) => error.into(),
            StepUpError::Store(error) => error.into(),
        }
    }
}

job_error!(StepUpError);

impl App {
    /// Checks a proof of the second factor. For 5 minutes, the session may then do what asks for one. Returns the end of
    /// this time.
    pub async fn step_up(
        &self,
        owner: PasswordOwner,
        proof: Proof,
    ) -> std::result::Result<Timestamp, StepUpError> {
        let (now, ids) = (self.now(), self.environment.ids.clone());
        let lane = Lane::User(owner.user);
        let proof = self.examine(lane, proof, CeremonyPurpose::StepUp, &owner.session).await?;
        submit_for(&*self.store, lane, move |tx| step_up(tx, &owner, &proof, &ids, now)).await??;
        Ok(now.after(PROOF_LIFETIME))
    }

    /// Checks what needs no job of a proof. `bound_to` is the hash of the session or of the challenge of the sign-in.
    pub(super) async fn examine(
        &self,
        lane: Lane,
        proof: Proof,
        purpose: CeremonyPurpose,
        bound_to: &str,
    ) -> Result<Examined> {
        Ok(match proof {
            Proof::Code(typed) => Examined::Code(typed),
            Proof::RecoveryCode(typed) => Examined::RecoveryCode(typed),
            Proof::Passkey(answer) => {
                let claimed = self.claimed(lane, answer, purpose, bound_to).await?;
                Examined::Passkey(claimed.and_then(|claimed| self.verified(claimed)))
            }
        })
    }
}

/// Checks a proof in a session. The inner error is a refusal whose count must be kept.
pub(super) fn step_up(
    tx: &mut dyn Tx,
    owner: &PasswordOwner,
    proof: &Examined,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> std::result::Result<std::result::Result<(), StepUpError>, StepUpError> {
    lock_session(tx, owner, now)?;
    let attempt = Attempt::of_factor_in_session(owner.user, &owner.session);
    attempt.begin(tx, 0, now)??;
    match proof.take(tx, owner.user, ids, now)? {
        Judged::Right => {}
        Judged::Wrong => return Ok(Err(StepUpError::Wrong { field: proof.field() })),
        Judged::Disabled => return Ok(Err(StepUpError::PasskeyDisabled)),
    }
    attempt.succeeded(tx)?;
    tx.factors().set_proved(&owner.session, now)?;
    Ok(Ok(()))
}

/// Locks the credentials and then the session, in the order of a password reset.
pub(super) fn lock_session(
    tx: &mut dyn Tx,
    owner: &PasswordOwner,
    now: Timestamp,
) -> std::result::Result<(), StepUpError> {
    tx.users().lock_credentials(owner.user)?;
    let (idle_after, born_after) = crate::accounts::session_limits(now);
    let live = tx.sessions().lock_live(&owner.session, idle_after, born_after)?;
    if live == Some(owner.user) { Ok(()) } else { Err(StepUpError::SignedOut) }
}
