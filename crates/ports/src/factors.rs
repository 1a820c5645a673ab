//! Second factors of users, and the sign-ins that wait for one.

use bolts_factors::Totp;
use bolts_kernel::{SessionId, Timestamp, UserId};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::passkeys::PasskeyView;

/// An authenticator app as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTotp {
    /// The app's secret and its last accepted code.
    pub totp: Totp,
    /// The time at which the user entered the first code. Before that time the app is no second factor.
    pub confirmed_at: Option<Timestamp>,
}

/// A sign-in with a right password that waits for the second factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The hash of the challenge's secret.
    pub hash: String,
    /// The user who signs in.
    pub user: UserId,
    /// The [version](crate::Credentials::version) of the credentials that were checked.
    pub credentials: String,
    /// The number of wrong proofs so far.
    pub attempts: u32,
    /// The time from which the challenge is invalid.
    pub expires_at: Timestamp,
}

/// Second factors, recovery codes and challenges. The caller must hold the lock of the user's credentials
/// ([`Users::lock_credentials`](crate::Users::lock_credentials)), so that two requests with the same code take turns.
pub trait Factors {
    /// The user's authenticator app. The call must return the latest committed state.
    fn totp(&mut self, user: UserId) -> Result<Option<StoredTotp>>;

    /// Sets the user's authenticator app.
    fn put_totp(&mut self, user: UserId, totp: &StoredTotp) -> Result<()>;

    /// Removes the user's authenticator app. Answers `false` if there is none.
    fn remove_totp(&mut self, user: UserId) -> Result<bool>;

    /// Records whether the user has a second factor. [`UserView`](crate::UserView) contains this value.
    fn set_second_factor(&mut self, user: UserId, has_one: bool) -> Result<()>;

    /// Replaces the user's recovery codes by the codes with these hashes.
    fn put_recovery_codes(&mut self, user: UserId, hashes: &[String]) -> Result<()>;

    /// Uses up a recovery code of the user. Answers `false` if the user has no such code. Of two calls with the same code,
    /// only one may answer `true`.
    fn take_recovery_code(&mut self, user: UserId, hash: &str) -> Result<bool>;

    /// The number of the user's recovery codes that are left.
    fn recovery_codes_left(&mut self, user: UserId) -> Result<u32>;

    /// Adds a challenge.
    fn insert_challenge(&mut self, challenge: &Challenge) -> Result<()>;

    /// The challenge with this hash. The call must return the latest committed state. It does not need the lock.
    fn challenge(&mut self, hash: &str) -> Result<Option<Challenge>>;

    /// Adds 1 to the number of wrong proofs of a challenge.
    fn count_wrong_proof(&mut self, hash: &str) -> Result<()>;

    /// Removes a challenge.
    fn remove_challenge(&mut self, hash: &str) -> Result<()>;

    /// Removes at most `limit` challenges that expired at `now` or earlier. Returns their number.
    fn remove_expired_challenges(&mut self, now: Timestamp, limit: u32) -> Result<u64>;

    /// Records that the user of a session proved the second factor at this time.
    fn set_proved(&mut self, session: &str, at: Timestamp) -> Result<()>;

    /// The time at which the user of a session last proved the second factor.
    fn proved_at(&mut self, session: &str) -> Result<Option<Timestamp>>;
}

/// The second factors of a user, for the user's own pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactorsView {
    /// Whether the user has an authenticator app.
    pub has_totp: bool,
    /// The passkeys, oldest first.
    pub passkeys: Vec<PasskeyView>,
    /// The number of recovery codes that are left.
    pub recovery_codes_left: u32,
}

/// A session in the list of a user's sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSession {
    /// The id of the session. Nobody can sign in with it.
    pub id: SessionId,
    /// Whether this is the session that asks.
    pub is_current: bool,
    /// The origin of the sign-in.
    pub origin: Origin,
    /// The time of the sign-in.
    pub created_at: Timestamp,
    /// The time of the last recorded use.
    pub last_seen_at: Timestamp,
}

/// The origin of a sign-in, as the user can recognise it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Browser and system in words, such as `Firefox on Linux`. `None` if the browser did not say it.
    pub device: Option<String>,
    /// The beginning of the client's address: an IPv4 /24 or an IPv6 /48. `None` for old sessions.
    pub network: Option<String>,
}

/// The read side of sessions and second factors.
pub trait FactorQueries {
    /// The second factors of a user.
    fn factors(&self, user: UserId) -> Result<FactorsView>;

    /// The user's live sessions, the latest used first. `current` is the hash of the session that asks. The other
    /// arguments are the limits of [`Queries::sessions`](crate::Queries::sessions).
    fn sessions_of(
        &self,
        user: UserId,
        current: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Vec<OwnSession>>;
}

/// A notification about the security of the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecurityNotice {
    /// A second factor was added.
    FactorAdded(Factor),
    /// A second factor was removed.
    FactorRemoved(Factor),
    /// The recovery codes were replaced by new ones.
    RecoveryCodesReplaced,
    /// A passkey was disabled, because the counter in a signature showed a copy of it.
    PasskeyDisabled {
        /// The user's name for the passkey.
        name: String,
    },
    /// A recovery code was used.
    RecoveryCodeUsed {
        /// The number of codes that are left.
        left: u32,
    },
    /// Somebody signed in with a browser that was not used for this account before.
    NewDevice(Origin),
    /// An API key was made.
    ApiKeyMade {
        /// The user's name for the key.
        name: String,
    },
    /// The user revoked an API key.
    ApiKeyRevoked {
        /// The user's name for the key.
        name: String,
    },
    /// All API keys were revoked, together with the end of other sessions.
    ApiKeysRevoked,
    /// The webhook has a new address.
    WebhookChanged,
    /// The webhook was removed, together with the old password.
    WebhookRemoved,
}

/// A kind of second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// An authenticator app.
    Totp,
    /// A passkey.
    Passkey,
    /// All second factors at once.
    All,
}

#[derive(Serialize, Deserialize)]
struct Changed {
    factor: Factor,
}

#[derive(Serialize, Deserialize)]
struct Named {
    name: String,
}

#[derive(Serialize, Deserialize)]
struct CodesLeft {
    left: u32,
}

impl SecurityNotice {
    /// The name of the kind in the database.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::FactorAdded(_) => "factor_added",
            Self::FactorRemoved(_) => "factor_removed",
            Self::RecoveryCodesReplaced => "recovery_codes_replaced",
            Self::PasskeyDisabled { .. } => "passkey_disabled",
            Self::RecoveryCodeUsed { .. } => "recovery_code_used",
            Self::NewDevice(_) => "new_device",
            Self::ApiKeyMade { .. } => "api_key_made",
            Self::ApiKeyRevoked { .. } => "api_key_revoked",
            Self::ApiKeysRevoked => "api_keys_revoked",
            Self::WebhookChanged => "webhook_changed",
            Self::WebhookRemoved => "webhook_removed",
        }
    }

    pub(crate) fn params(&self) -> serde_json::Result<String> {
        match self {
            Self::FactorAdded(factor) | Self::FactorRemoved(factor) => {
                serde_json::to_string(&Changed { factor: *factor })
            }
            Self::RecoveryCodesReplaced
            | Self::ApiKeysRevoked
            | Self::WebhookChanged
            | Self::WebhookRemoved => Ok("{}".to_owned()),
            Self::PasskeyDisabled { name } | Self::ApiKeyMade { name } | Self::ApiKeyRevoked { name } => {
                serde_json::to_string(&Named { name: name.clone() })
            }
            Self::RecoveryCodeUsed { left } => serde_json::to_string(&CodesLeft { left: *left }),
            Self::NewDevice(origin) => serde_json::to_string(origin),
        }
    }

    pub(crate) fn parse(kind: &str, params: &str) -> Option<Self> {
        let factor = || serde_json::from_str(params).ok().map(|Changed { factor }| factor);
        let name = || serde_json::from_str(params).ok().map(|Named { name }| name);
        match kind {
            "factor_added" => factor().map(Self::FactorAdded),
            "factor_removed" => factor().map(Self::FactorRemoved),
            "recovery_codes_replaced" => Some(Self::RecoveryCodesReplaced),
            "passkey_disabled" => name().map(|name| Self::PasskeyDisabled { name }),
            "recovery_code_used" => {
                let CodesLeft { left } = serde_json::from_str(params).ok()?;
                Some(Self::RecoveryCodeUsed { left })
            }
            "new_device" => serde_json::from_str(params).ok().map(Self::NewDevice),
            "api_key_made" => name().map(|name| Self::ApiKeyMade { name }),
            "api_key_revoked" => name().map(|name| Self::ApiKeyRevoked { name }),
            "api_keys_revoked" => Some(Self::ApiKeysRevoked),
            "webhook_changed" => Some(Self::WebhookChanged),
            "webhook_removed" => Some(Self::WebhookRemoved),
            _ => None,
        }
    }
}
