//! API keys for programs.

use bolts_kernel::{ApiKeyId, Timestamp, UserId};
use bolts_keys::{KeyName, Scopes};

use crate::error::Result;
use crate::views::UserView;

/// An API key as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// The id of the key, for lists. Nobody can use the site with it.
    pub id: ApiKeyId,
    /// The user for whom the key acts.
    pub user: UserId,
    /// The hash of the key.
    pub hash: String,
    /// The first characters of the key, by which the user recognises it.
    pub beginning: String,
    /// The user's name for the key.
    pub name: KeyName,
    /// What the key allows.
    pub scopes: Scopes,
    /// The time at which the key was made.
    pub created_at: Timestamp,
    /// The time from which the key is invalid.
    pub expires_at: Timestamp,
    /// The time of the last recorded use.
    pub last_used_at: Option<Timestamp>,
    /// The user's last proof of the second factor when the key was made. `None` if the user had no second factor then.
    pub proved_at: Option<Timestamp>,
}

/// A valid key with its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyView {
    /// The user for whom the key acts.
    pub user: UserView,
    /// What the key allows.
    pub scopes: Scopes,
    /// The time of the last recorded use.
    pub last_used_at: Option<Timestamp>,
}

/// API keys. A key is valid until just before `expires_at`. To add a key, the caller must hold the lock of the user's
/// credentials ([`Users::lock_credentials`](crate::Users::lock_credentials)).
pub trait Keys {
    /// Adds a key.
    fn insert_key(&mut self, key: &StoredKey) -> Result<()>;

    /// The number of the user's keys that are valid at `now`. The call must count what other transactions have committed.
    fn count_keys(&mut self, user: UserId, now: Timestamp) -> Result<u32>;

    /// The key with this hash, if it is valid at `now`. The key stays locked until the transaction ends. The call must
    /// return the latest committed state, even if it had to wait for another writer.
    fn lock_key(&mut self, hash: &str, now: Timestamp) -> Result<Option<StoredKey>>;

    /// Records that the key with this hash was used at this time.
    fn key_used(&mut self, hash: &str, at: Timestamp) -> Result<()>;

    /// Revokes the key with this id, and returns its name, if it belongs to this user. Otherwise the call must change
    /// nothing. Of two calls at the same time, only one may return the name.
    fn revoke_key(&mut self, user: UserId, id: ApiKeyId) -> Result<Option<KeyName>>;

    /// Revokes all keys of the user.
    fn revoke_keys(&mut self, user: UserId) -> Result<()>;

    /// Removes at most `limit` keys that expired at `now` or earlier. Returns their number.
    fn remove_expired_keys(&mut self, now: Timestamp, limit: u32) -> Result<u64>;
}

/// The read side of API keys.
pub trait KeyQueries {
    /// The user's keys that are valid at `now`, oldest first.
    fn keys_of(&self, user: UserId, now: Timestamp) -> Result<Vec<StoredKey>>;

    /// The key with this hash and its user, if the key is valid at `now`.
    fn key(&self, hash: &str, now: Timestamp) -> Result<Option<KeyView>>;
}
