//! API keys (`docs/product.md#api-keys`).

use super::{HOUR, Verdict, World, refused, refused_on};

/// The most valid keys of a user.
const KEYS: usize = 10;

/// An API key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    user: usize,
    expires_at: i64,
    is_revoked: bool,
}

impl World {
    /// The ends of the user's valid keys, the oldest key first.
    pub fn keys(&self, user: usize) -> Vec<i64> {
        let own = self.keys.iter().filter(|key| key.user == user && self.is_valid(key));
        own.map(|key| key.expires_at).collect()
    }

    const fn is_valid(&self, key: &Key) -> bool {
        !key.is_revoked && self.now < key.expires_at
    }

    pub(super) fn make_key(&mut self, user: usize, days: i64, is_right: bool) -> Verdict {
        if !(1..=365).contains(&days) {
            return refused_on("invalid_fields", "expiresInDays");
        }
        if !is_right {
            return refused_on("invalid_fields", "password");
        }
        if self.keys(user).len() >= KEYS {
            return refused("key_limit_reached");
        }
        self.keys.push(Key { user, expires_at: self.now + days * 24 * HOUR, is_revoked: false });
        self.tell_alone(user, "New API Key", Vec::new());
        Ok(())
    }

    /// A key that has expired may be revoked too, as long as the site has not removed it.
    pub(super) fn revoke_key(&mut self, user: usize, key: usize) -> Verdict {
        match self.keys.get_mut(key).filter(|key| key.user == user && !key.is_revoked) {
            Some(key) => {
                key.is_revoked = true;
                self.tell_alone(user, "API Key Revoked", Vec::new());
                Ok(())
            }
            None => refused("key_not_found"),
        }
    }

    /// A new password, and the deletion of the account, revoke all keys of the user. The user is told if one was valid.
    pub(super) fn revoke_keys(&mut self, user: usize) {
        if !self.keys(user).is_empty() {
            self.tell_alone(user, "API Keys Revoked", Vec::new());
        }
        self.keys.iter_mut().filter(|key| key.user == user).for_each(|key| key.is_revoked = true);
    }

    pub(super) fn use_key(&self, key: usize) -> Verdict {
        if self.keys.get(key).is_some_and(|key| self.is_valid(key)) { Ok(()) } else { refused("invalid_key") }
    }

    /// The number of keys so far, and the user of each.
    pub(super) fn owners_of_keys(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys.iter().map(|key| key.user)
    }
}
