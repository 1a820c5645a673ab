use bolts_kernel::{ApiKeyId, Timestamp};
use bolts_ports::StoredKey;
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::scopes_schema;

/// An API key of the user, without the key itself.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApiKey)]
pub(crate) struct ApiKeyJson {
    /// The id, with which the key can be revoked.
    #[schema(value_type = String)]
    id: ApiKeyId,
    /// The user's name for it.
    name: String,
    /// The first characters of the key.
    #[schema(example = "bolts_3xK9aQ")]
    beginning: String,
    #[schema(schema_with = scopes_schema)]
    scopes: Vec<&'static str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The time from which the key is invalid.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// The last use. Recorded at most every 5 minutes.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_used_at: Option<Timestamp>,
}

impl From<StoredKey> for ApiKeyJson {
    fn from(key: StoredKey) -> Self {
        Self {
            id: key.id,
            name: key.name.to_string(),
            beginning: key.beginning,
            scopes: key.scopes.names(),
            created_at: key.created_at,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
        }
    }
}
