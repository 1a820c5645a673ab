//! Ceremonies: exchanges of a challenge and an answer with an authenticator. The state of a ceremony is a row. Its answer
//! takes the row away, so each challenge counts once, whichever process the answer reaches.

use std::fmt;
use std::sync::Arc;

use bolts_factors::{CEREMONY_LIFETIME, counter_moves_on};
use bolts_kernel::{Code, PasskeyId, Timestamp, UserId};
use bolts_ports::{
    BadAnswer, Begun, Ceremony, CeremonyPurpose, Claim, Ids, Lane, Network, NoticeBody, RelyingParty, Result,
    SecurityNotice, StoreError, StoredPasskey, Tx, submit_for,
};
use serde_json::Value;

use super::second_step::live_challenge;
use crate::accounts::rate_limit::{Visitor, count_network};
use crate::accounts::{PasswordOwner, TooMany, session_hash};
use crate::notifications::tell;
use crate::secret::random_text;
use crate::{App, Refused};

/// The sentence of a refusal because of a disabled passkey.
pub(super) const DISABLED: &str =
    "This passkey is disabled, because a copy of it may exist. Sign in in another way, and remove it.";

/// What a browser needs for a ceremony.
#[derive(Clone, PartialEq)]
pub struct NewCeremony {
    /// The secret that the answer must present: 256 random bits. Only its hash is stored.
    pub ceremony: String,
    /// The options, in the JSON form of WebAuthn.
    pub options: Value,
}

/// The secret must not reach a log.
impl fmt::Debug for NewCeremony {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewCeremony(…)")
    }
}

/// The answer of an authenticator.
#[derive(Clone, PartialEq, Eq)]
pub struct PasskeyAnswer {
    /// The secret of the ceremony.
    pub ceremony: String,
    /// The credential, in the JSON form of WebAuthn.
    pub credential: Value,
}

/// The secret must not reach a log.
impl fmt::Debug for PasskeyAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasskeyAnswer(…)")
    }
}

/// The reason why a ceremony did not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CeremonyError {
    /// The operator has not set the address of the site, or the address has no domain.
    #[error("This site has no passkeys.")]
    Off,
    /// The user has no passkey that works.
    #[error("Your account has no passkey that works.")]
    HasNone,
    /// The challenge of the sign-in is not valid any more.
    #[error("This sign-in took too long. Please enter your password again.")]
    ChallengeGone,
    /// There were too many requests.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<CeremonyError> for Refused {
    fn from(error: CeremonyError) -> Self {
        let detail = error.to_string();
        match error {
            CeremonyError::Off => Self::new(Code::PasskeysOff, detail),
            CeremonyError::HasNone => Self::new(Code::FactorNotFound, detail),
            CeremonyError::ChallengeGone => Self::new(Code::ChallengeGone, detail),
            CeremonyError::TooMany(error) => error.into(),
            CeremonyError::Store(error) => error.into(),
        }
    }
}

job_error!(CeremonyError);

/// The fault of this program that a ceremony could not begin.
pub(super) fn not_begun(error: BadAnswer) -> StoreError {
    StoreError::Broken(format!("no ceremony could begin: {error}"))
}

/// An answer whose signature is right. The counter is not compared yet, because this needs the lock of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signed {
    /// The passkey that signed.
    passkey: PasskeyId,
    /// The user of the passkey.
    pub(super) user: UserId,
    /// The counter in the signature.
    counter: u32,
}

/// An answer to a live ceremony, with the passkey that it names. Its signature is not checked yet, so anybody may have sent
/// it.
pub(super) struct Claimed {
    ceremony: Ceremony,
    credential: Value,
    claim: Claim,
    known: Option<StoredPasskey>,
}

impl Claimed {
    /// The user of the named passkey.
    pub(super) fn user(&self) -> Option<UserId> {
        self.known.as_ref().map(|known| known.user)
    }

    /// The id of the named passkey.
    pub(super) fn passkey(&self) -> &str {
        &self.claim.credential
    }
}

/// The judgement of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// The proof counts.
    Right,
    /// The proof is wrong or was used before.
    Wrong,
    /// The proof is by a passkey of which a copy may exist.
    Disabled,
}

impl Signed {
    /// Compares the counter with the stored one, and stores it. A counter that stays or goes back disables the passkey, and
    /// the user is told. The caller must have locked the credentials of `user`.
    pub(super) fn take(
        self,
        tx: &mut dyn Tx,
        user: UserId,
        ids: &Arc<dyn Ids>,
        now: Timestamp,
    ) -> Result<Judged> {
        // The user may have removed the passkey after the check of the signature.
        let known = tx.passkeys().lock_passkey(self.passkey)?.filter(|known| known.user == user);
        let Some(known) = known else { return Ok(Judged::Wrong) };
        if known.disabled_at.is_some() {
            return Ok(Judged::Disabled);
        }
        if !counter_moves_on(known.counter, self.counter) {
            tracing::warn!(%user, passkey = %known.id, "the counter of a passkey went back: the passkey is disabled");
            tx.passkeys().disable_passkey(known.id, now)?;
            let name = known.name.to_string();
            tell(tx, user, NoticeBody::Security(SecurityNotice::PasskeyDisabled { name }), ids, now)?;
            return Ok(Judged::Disabled);
        }
        tx.passkeys().passkey_used(known.id, self.counter, now)?;
        Ok(Judged::Right)
    }
}

/// The credential ids of the passkeys that work.
fn working(passkeys: &[StoredPasskey]) -> Vec<String> {
    let working = passkeys.iter().filter(|passkey| passkey.disabled_at.is_none());
    working.map(|passkey| passkey.credential.id.clone()).collect()
}

/// Whether the user has a passkey that works.
pub(super) fn has_working_passkey(tx: &mut dyn Tx, user: UserId) -> Result<bool> {
    Ok(!working(&tx.passkeys().of_user(user)?).is_empty())
}

impl App {
    /// Whether the site has passkeys.
    pub fn has_passkeys(&self) -> bool {
        self.environment.passkeys.is_some()
    }

    pub(super) fn site(&self) -> Option<&Arc<dyn RelyingParty>> {
        self.environment.passkeys.as_ref()
    }

    /// Stores the state of a ceremony.
    pub(super) async fn begin_ceremony(
        &self,
        lane: Lane,
        purpose: CeremonyPurpose,
        bound_to: String,
        begun: Begun,
    ) -> Result<NewCeremony> {
        let secret = random_text::<32>(&*self.environment.random);
        let ceremony = Ceremony {
            hash: session_hash(&secret),
            purpose,
            bound_to,
            state: begun.state,
            expires_at: self.now().after(CEREMONY_LIFETIME),
        };
        submit_for(&*self.store, lane, move |tx| tx.passkeys().insert_ceremony(&ceremony)).await?;
        Ok(NewCeremony { ceremony: secret, options: begun.options })
    }

    /// Begins a sign-in without a password. The options are the same for everybody, so they do not tell who has an account.
    pub async fn begin_passkey_sign_in(
        &self,
        from: impl Into<Visitor>,
    ) -> std::result::Result<NewCeremony, CeremonyError> {
        let (site, from) = (self.site().ok_or(CeremonyError::Off)?, from.into());
        self.count_ceremony(&from).await?;
        let begun = site.begin_proof(&[]).map_err(not_begun)?;
        Ok(self.begin_ceremony(from.lane(), CeremonyPurpose::SignIn, String::new(), begun).await?)
    }

    /// Begins the proof with a passkey in the second step of a sign-in.
    pub async fn begin_second_step(
        &self,
        challenge: &str,
        from: impl Into<Visitor>,
    ) -> std::result::Result<NewCeremony, CeremonyError> {
        let (site, from, now) = (self.site().ok_or(CeremonyError::Off)?, from.into(), self.now());
        self.count_ceremony(&from).await?;
        let (hash, lane) = (session_hash(challenge), from.lane());
        let bound_to = hash.clone();
        let passkeys = submit_for(&*self.store, lane, move |tx| {
            let challenge = live_challenge(tx, &hash, now)?.ok_or(CeremonyError::ChallengeGone)?;
            Ok::<_, CeremonyError>(tx.passkeys().of_user(challenge.user)?)
        })
        .await?;
        self.begin_proof_of(site, &passkeys, lane, CeremonyPurpose::SecondStep, bound_to).await
    }

    /// Begins a proof with a passkey in a session.
    pub async fn begin_step_up(
        &self,
        owner: PasswordOwner,
    ) -> std::result::Result<NewCeremony, CeremonyError> {
        let (site, lane) = (self.site().ok_or(CeremonyError::Off)?, Lane::User(owner.user));
        let passkeys = submit_for(&*self.store, lane, move |tx| tx.passkeys().of_user(owner.user)).await?;
        self.begin_proof_of(site, &passkeys, lane, CeremonyPurpose::StepUp, owner.session).await
    }

    async fn begin_proof_of(
        &self,
        site: &Arc<dyn RelyingParty>,
        passkeys: &[StoredPasskey],
        lane: Lane,
        purpose: CeremonyPurpose,
        bound_to: String,
    ) -> std::result::Result<NewCeremony, CeremonyError> {
        let allowed = working(passkeys);
        if allowed.is_empty() {
            return Err(CeremonyError::HasNone);
        }
        let begun = site.begin_proof(&allowed).map_err(not_begun)?;
        Ok(self.begin_ceremony(lane, purpose, bound_to, begun).await?)
    }

    /// Counts a ceremony that begins without a session, so that no network can fill the table of ceremonies.
    async fn count_ceremony(&self, from: &Visitor) -> std::result::Result<(), CeremonyError> {
        let (network, now) = (Network::of(from.address), self.now());
        let per_minute = self.rules.signins_per_minute;
        submit_for(&*self.store, from.lane(), move |tx| {
            let minute = std::time::Duration::from_mins(1);
            Ok::<_, CeremonyError>(count_network(tx, "ceremony", network, per_minute, minute, now)??)
        })
        .await
    }

    /// Takes the ceremony of an answer, if it is a live one for this purpose in this session or sign-in.
    pub(super) async fn take_ceremony(
        &self,
        lane: Lane,
        secret: &str,
        purpose: CeremonyPurpose,
        bound_to: &str,
    ) -> Result<Option<Ceremony>> {
        let (hash, now, bound_to) = (session_hash(secret), self.now(), bound_to.to_owned());
        let taken = submit_for(&*self.store, lane, move |tx| tx.passkeys().take_ceremony(&hash)).await?;
        Ok(taken.filter(|ceremony| {
            ceremony.purpose == purpose && ceremony.bound_to == bound_to && now < ceremony.expires_at
        }))
    }

    /// Reads an answer to a live ceremony, and looks for the passkey that it names. Uses the ceremony up. `None` if there is no
    /// such ceremony, or if the answer cannot be read. The reason goes to the log only.
    pub(super) async fn claimed(
        &self,
        lane: Lane,
        answer: PasskeyAnswer,
        purpose: CeremonyPurpose,
        bound_to: &str,
    ) -> Result<Option<Claimed>> {
        let Some(site) = self.site() else { return Ok(None) };
        let Some(ceremony) = self.take_ceremony(lane, &answer.ceremony, purpose, bound_to).await? else {
            return Ok(None);
        };
        let claim = match site.claim(&answer.credential) {
            Ok(claim) => claim,
            Err(bad) => return Ok(refused(&bad)),
        };
        let credential = claim.credential.clone();
        let known =
            submit_for(&*self.store, lane, move |tx| tx.passkeys().with_credential(&credential)).await?;
        Ok(Some(Claimed { ceremony, credential: answer.credential, claim, known }))
    }

    /// Checks the signature of an answer, outside of all jobs. `None` if anything in it is wrong.
    pub(super) fn verified(&self, claimed: Claimed) -> Option<Signed> {
        let Claimed { ceremony, credential, claim, known } = claimed;
        // Without a user who is known already, the authenticator must name one (WebAuthn, section 7.2, step 6).
        if claim.user.is_none() && ceremony.purpose == CeremonyPurpose::SignIn {
            return refused(&BadAnswer("the answer names no user".to_owned()));
        }
        let Some(known) = known.filter(|known| claim.user.is_none_or(|user| user == known.user.to_bytes()))
        else {
            return refused(&BadAnswer("no user has this passkey".to_owned()));
        };
        match self.site()?.finish_proof(&ceremony.state, &known.credential, credential) {
            Ok(counter) => Some(Signed { passkey: known.id, user: known.user, counter }),
            Err(bad) => refused(&bad),
        }
    }
}

fn refused<T>(bad: &BadAnswer) -> Option<T> {
    tracing::debug!(%bad, "the answer of an authenticator was refused");
    None
}
