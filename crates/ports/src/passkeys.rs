//! Passkeys (WebAuthn): the port that checks what authenticators sign, and the stored passkeys and ceremonies.

use bolts_factors::PasskeyName;
use bolts_kernel::{PasskeyId, Timestamp, UserId};
use serde_json::Value;

use crate::error::Result;

/// A ceremony that has begun: an exchange of a challenge and an answer between the site and an authenticator.
#[derive(Clone, Debug, PartialEq)]
pub struct Begun {
    /// The options for the browser, in the JSON form of WebAuthn.
    pub options: Value,
    /// The state against which the answer is checked. It stays on the server.
    pub state: String,
}

/// The public part of a passkey, in the form of the [`RelyingParty`] that wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The id that the authenticator chose, in base64url.
    pub id: String,
    /// The version of the form of `data`.
    pub version: u32,
    /// The public key, and what else the check of a signature needs.
    pub data: String,
}

/// A new passkey whose registration was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The credential.
    pub credential: Credential,
    /// The authenticator's counter of signatures.
    pub counter: u32,
}

/// What an answer says about itself. Nothing of it is checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The id of the credential, in base64url.
    pub credential: String,
    /// The user whom the authenticator names, if it names one.
    pub user: Option<[u8; 16]>,
}

/// The answer of an authenticator was refused. The text says why, for the log. It holds nothing secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadAnswer(pub String);

/// The site as a relying party of WebAuthn: makes challenges, and checks what authenticators answer. Each answer must come
/// from a page of the site's own origin, must sign the challenge of its ceremony, and must say that the authenticator
/// verified the user. The caller checks the counter, because it must hold the lock of the passkey for this.
pub trait RelyingParty: Send + Sync {
    /// Begins the registration of a passkey. The authenticator should not hold one of the `known` credentials already.
    fn begin_registration(
        &self,
        user: UserId,
        email: &str,
        known: &[String],
    ) -> std::result::Result<Begun, BadAnswer>;

    /// Checks the answer to [`RelyingParty::begin_registration`].
    fn finish_registration(&self, state: &str, answer: Value) -> std::result::Result<Registered, BadAnswer>;

    /// Begins a proof with a passkey. `allowed` are the credentials that the browser offers. If there are none, the browser
    /// offers all passkeys of the site.
    fn begin_proof(&self, allowed: &[String]) -> std::result::Result<Begun, BadAnswer>;

    /// Reads which passkey an answer claims to come from.
    fn claim(&self, answer: &Value) -> std::result::Result<Claim, BadAnswer>;

    /// Checks the answer to [`RelyingParty::begin_proof`], and returns the counter that the authenticator signed.
    fn finish_proof(
        &self,
        state: &str,
        credential: &Credential,
        answer: Value,
    ) -> std::result::Result<u32, BadAnswer>;
}

/// A passkey as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPasskey {
    /// The id of the passkey.
    pub id: PasskeyId,
    /// The user.
    pub user: UserId,
    /// The user's name for it.
    pub name: PasskeyName,
    /// The public part.
    pub credential: Credential,
    /// The counter of the last accepted signature.
    pub counter: u32,
    /// The time of the registration.
    pub created_at: Timestamp,
    /// The time of the last accepted signature.
    pub last_used_at: Option<Timestamp>,
    /// The time from which the passkey is refused, because its counter showed a copy.
    pub disabled_at: Option<Timestamp>,
}

/// The purpose of a ceremony. An answer counts only for the purpose of its challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CeremonyPurpose {
    /// A new passkey. Bound to the hash of a session.
    Register,
    /// A sign-in without a password. Bound to nothing but the secret of the ceremony.
    SignIn,
    /// The second step of a sign-in. Bound to the hash of its challenge.
    SecondStep,
    /// A proof in a session. Bound to the hash of the session.
    StepUp,
}

bolts_kernel::named!(CeremonyPurpose {
    Register = "register",
    SignIn = "sign_in",
    SecondStep = "second_step",
    StepUp = "step_up",
});

/// A ceremony that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceremony {
    /// The hash of the ceremony's secret.
    pub hash: String,
    /// The purpose.
    pub purpose: CeremonyPurpose,
    /// The hash of the session or of the challenge in which the ceremony began. Empty for [`CeremonyPurpose::SignIn`].
    pub bound_to: String,
    /// The state of the relying party.
    pub state: String,
    /// The time from which the ceremony is invalid.
    pub expires_at: Timestamp,
}

/// Passkeys and ceremonies. For a change of a user's passkeys, the caller must hold the lock of the user's credentials
/// ([`Users::lock_credentials`](crate::Users::lock_credentials)).
pub trait Passkeys {
    /// The user's passkeys, oldest first. The call must return the latest committed state.
    fn of_user(&mut self, user: UserId) -> Result<Vec<StoredPasskey>>;

    /// The passkey with this credential id. The call does not need the lock.
    fn with_credential(&mut self, credential: &str) -> Result<Option<StoredPasskey>>;

    /// Locks a passkey until the transaction ends, and returns its latest committed state.
    fn lock_passkey(&mut self, id: PasskeyId) -> Result<Option<StoredPasskey>>;

    /// Adds a passkey. Answers `false` if its credential id is known already, whoever has it.
    fn insert_passkey(&mut self, passkey: &StoredPasskey) -> Result<bool>;

    /// Renames a passkey of the user. Answers `false` if the user has no such passkey.
    fn rename_passkey(&mut self, user: UserId, id: PasskeyId, name: &PasskeyName) -> Result<bool>;

    /// Records an accepted signature with this counter.
    fn passkey_used(&mut self, id: PasskeyId, counter: u32, at: Timestamp) -> Result<()>;

    /// Disables a passkey.
    fn disable_passkey(&mut self, id: PasskeyId, at: Timestamp) -> Result<()>;

    /// Removes a passkey of the user. Answers `false` if the user has no such passkey.
    fn remove_passkey(&mut self, user: UserId, id: PasskeyId) -> Result<bool>;

    /// Adds a ceremony.
    fn insert_ceremony(&mut self, ceremony: &Ceremony) -> Result<()>;

    /// Takes the ceremony with this hash away. Of two calls with the same hash, only one may return it.
    fn take_ceremony(&mut self, hash: &str) -> Result<Option<Ceremony>>;

    /// Removes at most `limit` ceremonies that expired at `now` or earlier. Returns their number.
    fn remove_expired_ceremonies(&mut self, now: Timestamp, limit: u32) -> Result<u64>;
}

/// A passkey in the list of the user's passkeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyView {
    /// The id of the passkey.
    pub id: PasskeyId,
    /// The user's name for it.
    pub name: PasskeyName,
    /// The time of the registration.
    pub created_at: Timestamp,
    /// The time of the last accepted signature.
    pub last_used_at: Option<Timestamp>,
    /// Whether the passkey is refused, because its counter showed a copy.
    pub is_disabled: bool,
}

impl From<StoredPasskey> for PasskeyView {
    fn from(passkey: StoredPasskey) -> Self {
        Self {
            id: passkey.id,
            name: passkey.name,
            created_at: passkey.created_at,
            last_used_at: passkey.last_used_at,
            is_disabled: passkey.disabled_at.is_some(),
        }
    }
}
