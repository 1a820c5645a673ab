use bolts_factors::RecoveryCode;
use bolts_kernel::{PasskeyId, SessionId, Timestamp};
use bolts_ports::{FactorsView, OwnSession, PasskeyView};
use bolts_usecases::accounts::NewCeremony;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A session of the user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
pub(crate) struct SessionJson {
    /// The id, with which the session can be ended. Nobody can sign in with it.
    #[schema(value_type = String)]
    id: SessionId,
    /// Whether this is the session of the request.
    is_current: bool,
    /// Browser and system in words.
    #[schema(required)]
    device: Option<String>,
    /// The beginning of the address at the sign-in: an IPv4 /24 or an IPv6 /48.
    #[schema(required)]
    network: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The last use. Recorded at most once per hour.
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
}

impl From<OwnSession> for SessionJson {
    fn from(session: OwnSession) -> Self {
        Self {
            id: session.id,
            is_current: session.is_current,
            device: session.origin.device,
            network: session.origin.network,
            created_at: session.created_at,
            last_seen_at: session.last_seen_at,
        }
    }
}

/// The number of ended sessions.
#[derive(Serialize, ToSchema)]
#[schema(as = EndedSessions)]
pub(crate) struct EndedSessionsJson {
    /// The number.
    pub(crate) ended: u64,
}

/// The second factors of the user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Factors)]
pub(crate) struct FactorsJson {
    /// Whether the user has an authenticator app.
    totp: bool,
    /// The passkeys, oldest first.
    passkeys: Vec<PasskeyJson>,
    /// The number of recovery codes that are left.
    recovery_codes_left: u32,
}

impl From<FactorsView> for FactorsJson {
    fn from(factors: FactorsView) -> Self {
        Self {
            totp: factors.has_totp,
            passkeys: factors.passkeys.into_iter().map(PasskeyJson::from).collect(),
            recovery_codes_left: factors.recovery_codes_left,
        }
    }
}

/// A passkey of the user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Passkey)]
pub(crate) struct PasskeyJson {
    #[schema(value_type = String)]
    id: PasskeyId,
    /// The user's name for it.
    name: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_used_at: Option<Timestamp>,
    /// Whether the passkey is refused, because a copy of it may exist.
    is_disabled: bool,
}

impl From<PasskeyView> for PasskeyJson {
    fn from(passkey: PasskeyView) -> Self {
        Self {
            id: passkey.id,
            name: passkey.name.to_string(),
            created_at: passkey.created_at,
            last_used_at: passkey.last_used_at,
            is_disabled: passkey.is_disabled,
        }
    }
}

/// What a browser needs for a ceremony with an authenticator.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Ceremony)]
pub(crate) struct CeremonyJson {
    /// The secret that the answer must present. It is valid for 5 minutes, and for one answer.
    ceremony: String,
    /// The options, in the JSON form of WebAuthn.
    #[schema(value_type = Object)]
    public_key: Value,
}

impl From<NewCeremony> for CeremonyJson {
    fn from(new: NewCeremony) -> Self {
        Self { ceremony: new.ceremony, public_key: new.options }
    }
}

/// An authenticator app that waits for its first code.
#[derive(Serialize, ToSchema)]
#[schema(as = NewAuthenticatorApp)]
pub(crate) struct NewTotpJson {
    /// The secret, for typing it into an app.
    pub(crate) secret: String,
    /// The address for a QR code.
    pub(crate) uri: String,
}

/// The recovery codes of the user. They are shown only once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecoveryCodes)]
pub(crate) struct RecoveryCodesJson {
    recovery_codes: Vec<String>,
}

impl From<Vec<RecoveryCode>> for RecoveryCodesJson {
    fn from(codes: Vec<RecoveryCode>) -> Self {
        Self { recovery_codes: codes.iter().map(|code| code.as_str().to_owned()).collect() }
    }
}

/// The second factor is proved.
#[derive(Serialize, ToSchema)]
#[schema(as = SteppedUp)]
pub(crate) struct SteppedUpJson {
    /// Always true.
    pub(crate) ok: bool,
    /// The proof counts until this time.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) until: Timestamp,
}
