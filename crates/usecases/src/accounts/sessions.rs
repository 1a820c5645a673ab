//! The list of a user's sessions, and their end.

use bolts_kernel::{Code, SessionId, UserId};
use bolts_ports::{About, Hint, Lane, OwnSession, StoreError, submit_for};

use super::session_limits;
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

    /// Ends all sessions of the user except the one with this hash. Returns their number.
    pub async fn end_other_sessions(&self, user: UserId, current: String) -> Result<u64, StoreError> {
        let now = self.now();
        submit_for(&*self.store, Lane::User(user), move |tx| {
            let ended = tx.sessions().end_others(user, Some(&current))?;
            tx.outbox().enqueue(&[Hint { user, about: About::Sessions }], now)?;
            Ok(ended)
        })
        .await
    }
}
