//! API keys: the list, making and revoking one, and the look-up of the key of a request (`docs/product.md#api-keys`).

use std::net::IpAddr;
use std::time::Duration;

use bolts_kernel::{ApiKeyId, Code, UserId};
use bolts_keys::{ApiKey, KEYS, KeyName, Scopes, TOUCH_EVERY};
use bolts_ports::{KeyView, Lane, NoticeBody, SecurityNotice, StoreError, StoredKey, submit, submit_for};

use super::rate_limit::{Attempt, TooMany, count_security_change};
use super::{PasswordError, PasswordOwner, Stale};
use crate::notifications::tell;
use crate::secret::random_text;
use crate::{App, Refused};

/// What the user chose for a new key.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The user's name for the key.
    pub name: KeyName,
    /// What the key allows.
    pub scopes: Scopes,
    /// The time for which the key is valid.
    pub lifetime: Duration,
}

/// A key that was just made.
#[derive(Clone, Debug)]
pub struct MadeKey {
    /// The key as it is stored.
    pub key: StoredKey,
    /// The key itself. Nobody can read it again.
    pub secret: ApiKey,
}

/// The reason why a key was not made or revoked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The password is wrong or cannot be checked, or the second factor must be proved first.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The user has the maximum number of keys.
    #[error("Your account has {KEYS} API keys already. Revoke one first.")]
    TooMany,
    /// The user has no such key.
    #[error("Your account has no such API key.")]
    NotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<KeyError> for Refused {
    fn from(error: KeyError) -> Self {
        let detail = error.to_string();
        match error {
            KeyError::Password(PasswordError::WrongCurrent) => Self::wrong_password(),
            KeyError::Password(error) => error.into(),
            KeyError::TooMany => Self::new(Code::KeyLimitReached, detail),
            KeyError::NotFound => Self::new(Code::KeyNotFound, detail),
            KeyError::Store(error) => error.into(),
        }
    }
}

job_error!(KeyError);

impl From<Stale> for KeyError {
    fn from(stale: Stale) -> Self {
        Self::Password(stale.into())
    }
}

/// The reason why a request with a key was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongKey {
    /// There is no such key, or it has expired or was revoked.
    #[error("This API key is wrong, has expired, or was revoked.")]
    Unknown,
    /// Too many sign-ins and wrong keys came from this network.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<WrongKey> for Refused {
    fn from(error: WrongKey) -> Self {
        match error {
            WrongKey::Unknown => Self::new(Code::InvalidKey, error.to_string()),
            WrongKey::TooMany(error) => error.into(),
            WrongKey::Store(error) => error.into(),
        }
    }
}

job_error!(WrongKey);

impl App {
    /// The user's valid keys, oldest first. Blocks on the database.
    pub fn keys_of(&self, user: UserId) -> Result<Vec<StoredKey>, StoreError> {
        self.queries.keys_of(user, self.now())
    }

    /// Makes a key. The password, and the second factor if there is one, must be proved.
    pub async fn make_key(
        &self,
        owner: PasswordOwner,
        password: String,
        new: NewKey,
    ) -> Result<MadeKey, KeyError> {
        let checked = self.check_password(&owner, password).await?;
        let secret = ApiKey::from_random(&random_text::<32>(&*self.environment.random));
        let (now, ids, user) = (self.now(), self.environment.ids.clone(), owner.user);
        let key = StoredKey {
            id: self.id(),
            user,
            hash: secret.hash(),
            beginning: secret.beginning(),
            name: new.name,
            scopes: new.scopes,
            created_at: now,
            expires_at: now.after(new.lifetime),
            last_used_at: None,
            proved_at: None,
        };
        let key = submit_for(&*self.store, Lane::User(user), move |tx| {
            checked.still_holds(tx, now)??;
            count_security_change(tx, user, now)?.map_err(PasswordError::from)?;
            if tx.keys().count_keys(user, now)? >= KEYS {
                return Err(KeyError::TooMany);
            }
            let is_protected = tx.users().view(user)?.is_some_and(|view| view.has_second_factor);
            let proved_at = tx.factors().proved_at(&owner.session)?.filter(|_| is_protected);
            let key = StoredKey { proved_at, ..key.clone() };
            tx.keys().insert_key(&key)?;
            let name = key.name.to_string();
            tell(tx, user, NoticeBody::Security(SecurityNotice::ApiKeyMade { name }), &ids, now)?;
            Ok(key)
        })
        .await?;
        Ok(MadeKey { key, secret })
    }

    /// Revokes a key of the user, on every process at once.
    pub async fn revoke_key(&self, user: UserId, id: ApiKeyId) -> Result<(), KeyError> {
        let (now, ids) = (self.now(), self.environment.ids.clone());
        submit_for(&*self.store, Lane::User(user), move |tx| {
            let revoked = tx.keys().revoke_key(user, id)?;
            let name = revoked.ok_or(KeyError::NotFound)?.to_string();
            let body = NoticeBody::Security(SecurityNotice::ApiKeyRevoked { name });
            Ok(tell(tx, user, body, &ids, now)?)
        })
        .await
    }

    /// The rights of this key, if it is valid, and its user. A key has no admin rights, whoever its user is. Blocks on the
    /// database.
    pub fn key(&self, key: &ApiKey) -> Result<Option<KeyView>, StoreError> {
        // The key is looked up by its hash, so the time of the answer tells nothing about other keys.
        let mut found = self.queries.key(&key.hash(), self.now())?;
        if let Some(found) = &mut found {
            found.user.is_admin = false;
        }
        Ok(found)
    }

    /// Counts a wrong key like a sign-in of this network, and returns the refusal. Right keys are not counted, so others in
    /// the same network lock no program out.
    pub async fn refuse_key(&self, from: IpAddr) -> WrongKey {
        let (now, per_minute) = (self.now(), self.rules.signins_per_minute);
        let attempt = Attempt::of_network_alone(from);
        let counted = submit_for(&*self.store, Lane::visitor(from), move |tx| {
            Ok::<_, WrongKey>(attempt.begin(tx, per_minute, now)??)
        });
        counted.await.err().unwrap_or(WrongKey::Unknown)
    }

    /// Whether the use of this key should be recorded now.
    pub fn wants_key_touch(&self, key: &KeyView) -> bool {
        key.last_used_at.is_none_or(|at| self.now().since(at) >= TOUCH_EVERY)
    }

    /// Records the use of the key with this hash.
    pub async fn touch_key(&self, hash: String) -> Result<(), StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| tx.keys().key_used(&hash, now)).await
    }
}
