use bolts_kernel::{SessionId, Timestamp};
use bolts_ports::{FactorsView, OwnSession};
use serde::Serialize;
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
    /// The number of recovery codes that are left.
    recovery_codes_left: u32,
}

impl From<FactorsView> for FactorsJson {
    fn from(factors: FactorsView) -> Self {
        Self { totp: factors.has_totp, recovery_codes_left: factors.recovery_codes_left }
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
    pub(crate) recovery_codes: Vec<String>,
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
