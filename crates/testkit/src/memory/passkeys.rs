use bolts_factors::PasskeyName;
use bolts_kernel::{PasskeyId, Timestamp, UserId};
use bolts_ports::{Ceremony, Passkeys, Result, StoredPasskey};

use super::removal::Removal;
use super::state::broken;
use super::tx::MemoryTx;

impl MemoryTx {
    fn passkey(&mut self, id: PasskeyId) -> Result<&mut StoredPasskey> {
        self.state.passkeys.get_mut(&id).ok_or_else(|| broken(format!("no passkey {id}")))
    }

    fn is_own(&self, user: UserId, id: PasskeyId) -> bool {
        self.state.passkeys.get(&id).is_some_and(|passkey| passkey.user == user)
    }
}

impl Passkeys for MemoryTx {
    fn of_user(&mut self, user: UserId) -> Result<Vec<StoredPasskey>> {
        Ok(self.state.passkeys.values().filter(|passkey| passkey.user == user).cloned().collect())
    }

    fn with_credential(&mut self, credential: &str) -> Result<Option<StoredPasskey>> {
        Ok(self.state.passkeys.values().find(|passkey| passkey.credential.id == credential).cloned())
    }

    fn lock_passkey(&mut self, id: PasskeyId) -> Result<Option<StoredPasskey>> {
        Ok(self.state.passkeys.get(&id).cloned())
    }

    fn insert_passkey(&mut self, passkey: &StoredPasskey) -> Result<bool> {
        let is_new = self.with_credential(&passkey.credential.id)?.is_none();
        if is_new {
            self.state.passkeys.insert(passkey.id, passkey.clone());
        }
        Ok(is_new)
    }

    fn rename_passkey(&mut self, user: UserId, id: PasskeyId, name: &PasskeyName) -> Result<bool> {
        let is_own = self.is_own(user, id);
        if is_own {
            self.passkey(id)?.name = name.clone();
        }
        Ok(is_own)
    }

    fn passkey_used(&mut self, id: PasskeyId, counter: u32, at: Timestamp) -> Result<()> {
        let passkey = self.passkey(id)?;
        (passkey.counter, passkey.last_used_at) = (counter, Some(at));
        Ok(())
    }

    fn disable_passkey(&mut self, id: PasskeyId, at: Timestamp) -> Result<()> {
        self.passkey(id)?.disabled_at = Some(at);
        Ok(())
    }

    fn remove_passkey(&mut self, user: UserId, id: PasskeyId) -> Result<bool> {
        Ok(self.is_own(user, id) && self.state.passkeys.remove(&id).is_some())
    }

    fn insert_ceremony(&mut self, ceremony: &Ceremony) -> Result<()> {
        match self.state.ceremonies.insert(ceremony.hash.clone(), ceremony.clone()) {
            None => Ok(()),
            Some(_) => Err(broken("there is a ceremony of that hash")),
        }
    }

    fn take_ceremony(&mut self, hash: &str) -> Result<Option<Ceremony>> {
        Ok(self.state.ceremonies.remove(hash))
    }

    fn remove_expired_ceremonies(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        self.state.ceremonies.retain(|_, ceremony| some.keeps(ceremony.expires_at > now));
        Ok(some.removed())
    }
}
