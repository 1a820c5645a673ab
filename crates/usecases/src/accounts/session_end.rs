//! The end of sessions, and the list from which a user ends them.

use std::sync::Arc;

use bolts_kernel::{Code, SessionId, Timestamp, UserId};
use bolts_ports::{
    About, Hint, Ids, Lane, NoticeBody, OwnSession, SecurityNotice, StoreError, Tx, submit_for,
};

use super::session_limits;
use crate::notifications::tell;
use crate::{App, Refused};

/// The reason why a session was not ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndSessionError {
    /// The session does not exist, has ended, or belongs to another user.
    #[error("There is no such session.")]
    NotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<EndSessionError> for Refused {
    fn from(error: EndSessionError) -> Self {
        let detail = error.to_string();
        match error {
            EndSessionError::NotFound => Self::new(Code::SessionNotFound, detail),
            EndSessionError::Store(error) => error.into(),
        }
    }
}

job_error!(EndSessionError);

/// Ends all sessions of the user, on every process at once, except the one with the hash `current`, and revokes all API keys:
/// a thief who used a session may have made one. The user is told if there were keys. Returns the number of ended sessions.
pub(crate) fn end_sessions(
    tx: &mut dyn Tx,
    user: UserId,
    current: Option<&str>,
    (ids, now): (&Arc<dyn Ids>, Timestamp),
) -> Result<u64, StoreError> {
    let ended = tx.sessions().end_others(user, current)?;
    // The sessions come first: a session that is making a key at this moment holds its lock until the key is stored.
    revoke_keys(tx, user, (ids, now))?;
    tx.outbox().enqueue(&[Hint { user, about: About::Sessions }], now)?;
    Ok(ended)
}

/// Revokes all API keys of the user, who is told if there were keys.
pub(crate) fn revoke_keys(
    tx: &mut dyn Tx,
    user: UserId,
    (ids, now): (&Arc<dyn Ids>, Timestamp),
) -> Result<(), StoreError> {
    let keys = tx.keys().count_keys(user, now)?;
    tx.keys().revoke_keys(user)?;
    if keys > 0 {
        tell(tx, user, NoticeBody::Security(SecurityNotice::ApiKeysRevoked), ids, now)?;
    }
    Ok(())
}

impl App {
    /// The user's live sessions. `current` is the hash of the session that asks. Blocks on the database.
    pub fn sessions_of(&self, user: UserId, current: &str) -> Result<Vec<OwnSession>, StoreError> {
        let (idle_after, born_after) = session_limits(self.now());
        self.queries.sessions_of(user, current, idle_after, born_after)
    }

    /// Ends one session of the user, on every process at once.
    pub async fn end_session(&self, user: UserId, id: SessionId) -> Result<(), EndSessionError> {
        let now = self.now();
        submit_for(&*self.store, Lane::User(user), move |tx| {
            if !tx.sessions().end_one(user, id)? {
                return Err(EndSessionError::NotFound);
            }
            Ok(tx.outbox().enqueue(&[Hint { user, about: About::Sessions }], now)?)
        })
        .await
    }

    /// Ends all sessions of the user except the one with this hash, and revokes all API keys. Returns the number of sessions.
    pub async fn end_other_sessions(&self, user: UserId, current: String) -> Result<u64, StoreError> {
        let (now, ids) = (self.now(), self.environment.ids.clone());
        submit_for(&*self.store, Lane::User(user), move |tx| {
            end_sessions(tx, user, Some(&current), (&ids, now))
        })
        .await
    }
}
