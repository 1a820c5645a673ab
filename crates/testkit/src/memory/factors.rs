use std::collections::BTreeSet;

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{
    Challenge, FactorQueries, Factors, FactorsView, OwnSession, PasskeyView, Result, StoredTotp,
};

use super::MemoryStore;
use super::removal::Removal;
use super::state::broken;
use super::tx::MemoryTx;

impl Factors for MemoryTx {
    fn totp(&mut self, user: UserId) -> Result<Option<StoredTotp>> {
        Ok(self.state.totp.get(&user).cloned())
    }

    fn put_totp(&mut self, user: UserId, totp: &StoredTotp) -> Result<()> {
        self.state.totp.insert(user, totp.clone());
        Ok(())
    }

    fn remove_totp(&mut self, user: UserId) -> Result<bool> {
        Ok(self.state.totp.remove(&user).is_some())
    }

    fn set_second_factor(&mut self, user: UserId, has_one: bool) -> Result<()> {
        let row = self.state.users.get_mut(&user).ok_or_else(|| broken(format!("no user {user}")))?;
        row.has_second_factor = has_one;
        Ok(())
    }

    fn put_recovery_codes(&mut self, user: UserId, hashes: &[String]) -> Result<()> {
        self.state.recovery_codes.insert(user, hashes.iter().cloned().collect());
        Ok(())
    }

    fn take_recovery_code(&mut self, user: UserId, hash: &str) -> Result<bool> {
        Ok(self.state.recovery_codes.get_mut(&user).is_some_and(|codes| codes.remove(hash)))
    }

    fn recovery_codes_left(&mut self, user: UserId) -> Result<u32> {
        let left = self.state.recovery_codes.get(&user).map_or(0, BTreeSet::len);
        Ok(u32::try_from(left).unwrap_or_default())
    }

    fn insert_challenge(&mut self, challenge: &Challenge) -> Result<()> {
        match self.state.challenges.insert(challenge.hash.clone(), challenge.clone()) {
            None => Ok(()),
            Some(_) => Err(broken("there is a challenge of that hash")),
        }
    }

    fn challenge(&mut self, hash: &str) -> Result<Option<Challenge>> {
        Ok(self.state.challenges.get(hash).cloned())
    }

    fn count_wrong_proof(&mut self, hash: &str) -> Result<()> {
        if let Some(challenge) = self.state.challenges.get_mut(hash) {
            challenge.attempts += 1;
        }
        Ok(())
    }

    fn remove_challenge(&mut self, hash: &str) -> Result<()> {
        self.state.challenges.remove(hash);
        Ok(())
    }

    fn remove_expired_challenges(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        self.state.challenges.retain(|_, challenge| some.keeps(challenge.expires_at > now));
        Ok(some.removed())
    }

    fn set_proved(&mut self, session: &str, at: Timestamp) -> Result<()> {
        if let Some(row) = self.state.sessions.get_mut(session) {
            row.session.proved_at = Some(at);
        }
        Ok(())
    }

    fn proved_at(&mut self, session: &str) -> Result<Option<Timestamp>> {
        Ok(self.state.sessions.get(session).and_then(|row| row.session.proved_at))
    }
}

impl FactorQueries for MemoryStore {
    fn factors(&self, user: UserId) -> Result<FactorsView> {
        let state = self.state();
        let left = state.recovery_codes.get(&user).map_or(0, BTreeSet::len);
        let own = state.passkeys.values().filter(|passkey| passkey.user == user);
        Ok(FactorsView {
            has_totp: state.totp.get(&user).is_some_and(|totp| totp.confirmed_at.is_some()),
            passkeys: own.cloned().map(PasskeyView::from).collect(),
            recovery_codes_left: u32::try_from(left).unwrap_or_default(),
        })
    }

    fn sessions_of(
        &self,
        user: UserId,
        current: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Vec<OwnSession>> {
        let state = self.state();
        let own = state.sessions.iter().filter(|(_, row)| row.session.user == user);
        let live = own.filter(|(_, row)| row.is_live(idle_after, born_after));
        let mut sessions: Vec<_> = live
            .map(|(hash, row)| OwnSession {
                id: row.session.id,
                is_current: hash == current,
                origin: row.session.origin.clone(),
                created_at: row.session.at,
                last_seen_at: row.last_seen_at,
            })
            .collect();
        sessions.sort_by_key(|session| std::cmp::Reverse((session.last_seen_at, session.id)));
        Ok(sessions)
    }
}
