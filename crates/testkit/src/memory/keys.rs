use bolts_kernel::{ApiKeyId, Timestamp, UserId};
use bolts_keys::KeyName;
use bolts_ports::{KeyQueries, KeyView, Keys, Result, StoredKey};

use super::MemoryStore;
use super::removal::Removal;
use super::state::broken;
use super::tx::MemoryTx;

impl Keys for MemoryTx {
    fn insert_key(&mut self, key: &StoredKey) -> Result<()> {
        match self.state.keys.insert(key.id, key.clone()) {
            None => Ok(()),
            Some(_) => Err(broken(format!("there is a key {}", key.id))),
        }
    }

    fn count_keys(&mut self, user: UserId, now: Timestamp) -> Result<u32> {
        let valid = self.state.keys.values().filter(|key| key.user == user && now < key.expires_at);
        Ok(u32::try_from(valid.count()).unwrap_or(u32::MAX))
    }

    fn lock_key(&mut self, hash: &str, now: Timestamp) -> Result<Option<StoredKey>> {
        Ok(self.state.keys.values().find(|key| key.hash == hash && now < key.expires_at).cloned())
    }

    fn key_used(&mut self, hash: &str, at: Timestamp) -> Result<()> {
        let found = self.state.keys.values_mut().filter(|key| key.hash == hash);
        found.for_each(|key| key.last_used_at = Some(at));
        Ok(())
    }

    fn revoke_key(&mut self, user: UserId, id: ApiKeyId) -> Result<Option<KeyName>> {
        let is_own = self.state.keys.get(&id).is_some_and(|key| key.user == user);
        Ok(is_own.then(|| self.state.keys.remove(&id)).flatten().map(|key| key.name))
    }

    fn revoke_keys(&mut self, user: UserId) -> Result<()> {
        self.state.keys.retain(|_, key| key.user != user);
        Ok(())
    }

    fn remove_expired_keys(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        self.state.keys.retain(|_, key| some.keeps(now < key.expires_at));
        Ok(some.removed())
    }
}

impl KeyQueries for MemoryStore {
    fn keys_of(&self, user: UserId, now: Timestamp) -> Result<Vec<StoredKey>> {
        let state = self.state();
        let own = state.keys.values().filter(|key| key.user == user && now < key.expires_at);
        Ok(own.cloned().collect())
    }

    fn key(&self, hash: &str, now: Timestamp) -> Result<Option<KeyView>> {
        let state = self.state();
        let found = state.keys.values().find(|key| key.hash == hash && now < key.expires_at);
        let Some(key) = found else { return Ok(None) };
        let user = state.user(key.user)?;
        Ok(user.map(|user| KeyView { user, scopes: key.scopes, last_used_at: key.last_used_at }))
    }
}
