use bolts_kernel::{SessionId, Timestamp, UserId};
use bolts_ports::{Credentials, NewSession, NewUser, Profile, Result, Sessions, UserView, Users};

use super::removal::Removal;
use super::state::{SessionRow, State, UserRow, broken};
use super::tx::MemoryTx;

impl State {
    pub(super) fn credentials(&self, email: &str) -> Option<Credentials> {
        let (user, row) = self.user_of(email)?;
        Some(row.credentials(user))
    }
}

impl UserRow {
    fn credentials(&self, user: UserId) -> Credentials {
        Credentials {
            user,
            password_hash: self.password_hash.clone(),
            changed_at: self.changed_at,
            one_time_until: self.one_time_until,
        }
    }
}

impl Users for MemoryTx {
    fn insert(&mut self, user: &NewUser) -> Result<bool> {
        if self.state.user_of(&user.email).is_some() {
            return Ok(false);
        }
        let row = UserRow {
            email: user.email.clone(),
            password_hash: user.password_hash.clone(),
            changed_at: user.at,
            one_time_until: None,
            profile: None,
            created_at: user.at,
            is_admin: false,
            has_second_factor: false,
            deleted_at: None,
        };
        match self.state.users.insert(user.id, row) {
            None => Ok(true),
            Some(_) => Err(broken(format!("there is a user {}", user.id))),
        }
    }

    fn view(&mut self, id: UserId) -> Result<Option<UserView>> {
        self.state.user(id)
    }

    fn credentials(&mut self, email: &str) -> Result<Option<Credentials>> {
        Ok(self.state.credentials(email))
    }

    fn lock_credentials(&mut self, user: UserId) -> Result<Option<Credentials>> {
        let here = self.state.users.get(&user).filter(|row| row.deleted_at.is_none());
        Ok(here.map(|row| row.credentials(user)))
    }

    fn begin_cooldown(&mut self, user: UserId, until: Timestamp) -> Result<()> {
        if !self.state.users.contains_key(&user) {
            return Err(broken(format!("no user {user}")));
        }
        self.state.cooldowns.insert(user, until);
        Ok(())
    }

    fn shorten_cooldowns(&mut self, latest: Timestamp) -> Result<()> {
        self.state.cooldowns.values_mut().for_each(|until| *until = latest.min(*until));
        Ok(())
    }

    fn lock_cooldown(&mut self, user: UserId) -> Result<Option<Timestamp>> {
        Ok(self.state.cooldowns.get(&user).copied())
    }

    fn set_admin(&mut self, email: &str, is_admin: bool) -> Result<Option<UserId>> {
        let mut here = self.state.users.iter_mut().filter(|(_, row)| row.deleted_at.is_none());
        let found = here.find(|(_, row)| row.email == email);
        Ok(found.map(|(id, row)| {
            row.is_admin = is_admin;
            *id
        }))
    }

    fn admins(&mut self) -> Result<Vec<UserId>> {
        Ok(self.state.admins())
    }

    fn by_username(&mut self, username: &str) -> Result<Option<UserId>> {
        let name = username.to_lowercase();
        let has_it =
            |row: &UserRow| row.profile.as_ref().is_some_and(|own| own.username.to_lowercase() == name);
        let mut here = self.state.users.iter().filter(|(_, row)| row.deleted_at.is_none());
        Ok(here.find(|(_, row)| has_it(row)).map(|(id, _)| *id))
    }

    fn set_profile(&mut self, id: UserId, profile: &Profile) -> Result<bool> {
        let name = profile.username.to_lowercase();
        let has_it =
            |row: &UserRow| row.profile.as_ref().is_some_and(|own| own.username.to_lowercase() == name);
        if self.state.users.iter().any(|(other, row)| *other != id && has_it(row)) {
            return Ok(false);
        }
        let row = self.state.users.get_mut(&id).ok_or_else(|| broken(format!("no user {id}")))?;
        row.profile = Some(profile.clone());
        Ok(true)
    }

    fn set_password(
        &mut self,
        id: UserId,
        hash: &str,
        one_time_until: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<()> {
        let row = self.state.users.get_mut(&id).ok_or_else(|| broken(format!("no user {id}")))?;
        row.password_hash = hash.to_owned();
        row.changed_at = at;
        row.one_time_until = one_time_until;
        Ok(())
    }
}

impl SessionRow {
    pub(super) fn is_live(&self, idle_after: Timestamp, born_after: Timestamp) -> bool {
        self.last_seen_at >= idle_after && self.session.at >= born_after
    }
}

impl Sessions for MemoryTx {
    fn insert(&mut self, session: &NewSession) -> Result<()> {
        if !self.state.users.contains_key(&session.user) {
            return Err(broken(format!("no user {}", session.user)));
        }
        let row = SessionRow { session: session.clone(), last_seen_at: session.at };
        match self.state.sessions.insert(session.hash.clone(), row) {
            None => Ok(()),
            Some(_) => Err(broken("there is a session of that hash")),
        }
    }

    fn lock_live(
        &mut self,
        hash: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Option<UserId>> {
        let row = self.state.sessions.get(hash).filter(|row| row.is_live(idle_after, born_after));
        Ok(row.map(|row| row.session.user))
    }

    fn touch(&mut self, hash: &str, at: Timestamp) -> Result<()> {
        if let Some(row) = self.state.sessions.get_mut(hash) {
            row.last_seen_at = at;
        }
        Ok(())
    }

    fn renew(&mut self, hash: &str, new: &str) -> Result<()> {
        let row = self.state.sessions.remove(hash);
        let mut row = row.ok_or_else(|| broken("there is no session of that hash"))?;
        row.session.hash = new.to_owned();
        self.state.sessions.insert(new.to_owned(), row);
        self.state.outgoing.move_browsers(hash, new);
        Ok(())
    }

    fn end(&mut self, hash: &str) -> Result<Option<UserId>> {
        self.state.outgoing.forget_browsers(|_, session| session == hash);
        Ok(self.state.sessions.remove(hash).map(|row| row.session.user))
    }

    fn end_one(&mut self, user: UserId, id: SessionId) -> Result<bool> {
        let mut rows = self.state.sessions.iter();
        let found = rows.find(|(_, row)| row.session.user == user && row.session.id == id);
        let hash = found.map(|(hash, _)| hash.clone());
        Ok(hash.is_some_and(|hash| self.end(&hash).is_ok()))
    }

    fn end_others(&mut self, user: UserId, keep: Option<&str>) -> Result<u64> {
        self.state.outgoing.forget_browsers(|browser, session| browser.user == user && Some(session) != keep);
        let before = self.state.sessions.len();
        self.state.sessions.retain(|hash, row| row.session.user != user || Some(hash.as_str()) == keep);
        Ok((before - self.state.sessions.len()) as u64)
    }

    fn end_unused(&mut self, user: UserId, keep: u32) -> Result<u64> {
        let own = self.state.sessions.iter().filter(|(_, row)| row.session.user == user);
        let mut by_use: Vec<_> =
            own.map(|(hash, row)| (row.last_seen_at, row.session.id, hash.clone())).collect();
        by_use.sort();
        let unused = by_use.len().saturating_sub(keep as usize);
        for (_, _, hash) in by_use.iter().take(unused) {
            self.end(hash)?;
        }
        Ok(unused as u64)
    }

    fn remove_dead(&mut self, idle_after: Timestamp, born_after: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        self.state.sessions.retain(|_, row| some.keeps(row.is_live(idle_after, born_after)));
        Ok(some.removed())
    }
}
