//! What a request shows to act for its user, and whether that still counts.

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Result, Tx};

use super::rate_limit::Attempt;
use super::{PasswordOwner, StepUpRequired, require_fresh_proof, session_limits};

/// What a request shows to act for its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// A session, by its hash.
    Session(String),
    /// An API key, by its hash.
    Key(String),
}

/// The user of a request that asks the password, and what the request shows to act for the user.
#[derive(Clone, Debug)]
pub struct Requester {
    /// The id of the user.
    pub user: UserId,
    /// The user's e-mail address.
    pub email: String,
    /// What the request shows.
    pub access: Access,
}

impl From<PasswordOwner> for Requester {
    fn from(owner: PasswordOwner) -> Self {
        Self { user: owner.user, email: owner.email, access: Access::Session(owner.session) }
    }
}

impl Access {
    /// The counter of wrong passwords. Each session and each key has its own count, so that nobody without it can lock the
    /// user out.
    pub(super) fn attempt(&self) -> Attempt {
        match self {
            Self::Session(hash) => Attempt::of_session(hash),
            Self::Key(hash) => Attempt::of_key(hash),
        }
    }

    /// The user, if the session has not ended, or the key is valid. Locks session or key until the transaction ends.
    pub(super) fn lock(&self, tx: &mut dyn Tx, now: Timestamp) -> Result<Option<UserId>> {
        match self {
            Self::Session(hash) => {
                let (idle_after, born_after) = session_limits(now);
                tx.sessions().lock_live(hash, idle_after, born_after)
            }
            Self::Key(hash) => Ok(tx.keys().lock_key(hash, now)?.map(|key| key.user)),
        }
    }

    /// Requires a proof of the second factor, if the user has one. A session needs a proof of the last 5 minutes. A program
    /// cannot prove a second factor. So an API key needs a proof at the time when the user made the key. A key that is older
    /// than the user's second factor has no proof.
    pub(super) fn require_proof(
        &self,
        tx: &mut dyn Tx,
        user: UserId,
        now: Timestamp,
    ) -> Result<std::result::Result<(), StepUpRequired>> {
        match self {
            Self::Session(hash) => require_fresh_proof(tx, user, hash, now),
            Self::Key(hash) => {
                let is_proved = tx.keys().lock_key(hash, now)?.is_some_and(|key| key.proved_at.is_some());
                let has_one = tx.users().view(user)?.is_some_and(|view| view.has_second_factor);
                Ok(if has_one && !is_proved { Err(StepUpRequired) } else { Ok(()) })
            }
        }
    }
}
