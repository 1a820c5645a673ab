//! The second step of a sign-in.

use std::fmt;

use bolts_factors::{CHALLENGE_ATTEMPTS, CHALLENGE_LIFETIME};
use bolts_kernel::{Code, Timestamp, UserId};
use bolts_ports::{CeremonyPurpose, Challenge, Credentials, NewSession, Result, StoreError, Tx, submit_for};

use super::ceremony::{DISABLED, Judged, has_working_passkey};
use super::{Proof, wrong_code};
use crate::accounts::rate_limit::{Attempt, Visitor};
use crate::accounts::session::open_session;
use crate::accounts::{SignedIn, TooMany, session_hash};
use crate::{App, Refused};

/// A sign-in with a right password that waits for the second factor.
#[derive(Clone, PartialEq, Eq)]
pub struct SecondFactorRequired {
    /// The secret that the second step must present: 256 random bits. Only its hash is stored.
    pub challenge: String,
    /// The names of the proofs that the user can give: the fields of the second step.
    pub methods: Vec<&'static str>,
}

/// The secret must not reach a log.
impl fmt::Debug for SecondFactorRequired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecondFactorRequired({:?})", self.methods)
    }
}

/// The reason why the second step of a sign-in failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecondStepError {
    /// The challenge is unknown or used, has expired, had too many wrong proofs, or the password has changed.
    #[error("This sign-in took too long. Please enter your password again.")]
    ChallengeGone,
    /// The code is wrong or was used before.
    #[error("This code is wrong, or was used before")]
    Wrong {
        /// The form field of the proof.
        field: &'static str,
    },
    /// The passkey is disabled, because a copy of it may exist.
    #[error("{DISABLED}")]
    PasskeyDisabled,
    /// There were too many wrong codes.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SecondStepError> for Refused {
    fn from(error: SecondStepError) -> Self {
        let detail = error.to_string();
        match error {
            SecondStepError::ChallengeGone => Self::new(Code::ChallengeGone, detail),
            SecondStepError::Wrong { field } => Self::invalid(vec![wrong_code(field)]),
            SecondStepError::PasskeyDisabled => Self::new(Code::PasskeyDisabled, detail),
            SecondStepError::TooMany(error) => error.into(),
            SecondStepError::Store(error) => error.into(),
        }
    }
}

job_error!(SecondStepError);

impl App {
    /// Ends the sign-in that `challenge` began, if the proof is right.
    pub async fn sign_in_with_factor(
        &self,
        challenge: &str,
        proof: Proof,
        from: impl Into<Visitor>,
    ) -> std::result::Result<SignedIn, SecondStepError> {
        let (from, now, ids) = (from.into(), self.now(), self.environment.ids.clone());
        let hash = session_hash(challenge);
        let proof = self.examine(from.lane(), proof, CeremonyPurpose::SecondStep, &hash).await?;
        // The session belongs to the user of the challenge, whom only the job reads.
        let (secret, session) = self.new_session(UserId::from(0), now, &from, Some(now));
        let (visitor, per_minute) = (from.clone(), self.rules.signins_per_minute);
        let user = submit_for(&*self.store, from.lane(), move |tx| {
            let Some(challenge) = live_challenge(tx, &hash, now)? else {
                return Err(SecondStepError::ChallengeGone);
            };
            let user = challenge.user;
            let attempt = Attempt::of_factor(user, &visitor);
            attempt.begin(tx, per_minute, now)??;
            let wrong = match proof.take(tx, user, &ids, now)? {
                Judged::Right => None,
                Judged::Wrong => Some(SecondStepError::Wrong { field: proof.field() }),
                Judged::Disabled => Some(SecondStepError::PasskeyDisabled),
            };
            if let Some(wrong) = wrong {
                tx.factors().count_wrong_proof(&hash)?;
                // The counts must be kept, so this is no error of the job.
                return Ok(Err(wrong));
            }
            attempt.succeeded(tx)?;
            tx.factors().remove_challenge(&hash)?;
            let session = NewSession { user, ..session.clone() };
            visitor.note_new_device(tx, &session, &ids, now)?;
            open_session(tx, &session)?;
            let view = tx.users().view(user)?;
            Ok(Ok(view.ok_or_else(|| StoreError::Broken(format!("user {user} vanished")))?))
        })
        .await??;
        let device = self.device_of(user.id, from.device);
        Ok(SignedIn { user, secret, device })
    }
}

/// Adds a challenge for a user whose password is right.
pub(in crate::accounts) fn begin_challenge(
    tx: &mut dyn Tx,
    credentials: &Credentials,
    secret: &str,
    now: Timestamp,
) -> Result<Vec<&'static str>> {
    let user = credentials.user;
    tx.factors().insert_challenge(&Challenge {
        hash: session_hash(secret),
        user,
        credentials: credentials.version(),
        attempts: 0,
        expires_at: now.after(CHALLENGE_LIFETIME),
    })?;
    let has_app = tx.factors().totp(user)?.is_some_and(|known| known.confirmed_at.is_some());
    let has_codes = tx.factors().recovery_codes_left(user)? > 0;
    let has_passkey = has_working_passkey(tx, user)?;
    let methods = [(has_passkey, "passkey"), (has_app, "code"), (has_codes, "recoveryCode")];
    Ok(methods.into_iter().filter_map(|(has_it, name)| has_it.then_some(name)).collect())
}

/// The challenge with this hash, if a proof can still end its sign-in. Locks the user's credentials.
pub(super) fn live_challenge(tx: &mut dyn Tx, hash: &str, now: Timestamp) -> Result<Option<Challenge>> {
    let Some(found) = tx.factors().challenge(hash)? else { return Ok(None) };
    let credentials = tx.users().lock_credentials(found.user)?;
    // Another request may have used the challenge before this one got the lock.
    let Some(challenge) = tx.factors().challenge(hash)? else { return Ok(None) };
    let is_same = credentials.is_some_and(|credentials| {
        // A one-time password is not valid after its expiry.
        credentials.version() == challenge.credentials
            && credentials.one_time_until.is_none_or(|until| now < until)
    });
    let is_live = is_same && now < challenge.expires_at && challenge.attempts < CHALLENGE_ATTEMPTS;
    Ok(is_live.then_some(challenge))
}
