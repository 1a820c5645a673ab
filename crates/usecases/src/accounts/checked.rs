use bolts_kernel::Timestamp;
use bolts_ports::{Credentials, Result, Tx};

use super::session_limits;

/// A password that was found right, and what must not have changed when the work that needed it is done: checking a
/// password takes a while, and an admin may reset it meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    credentials: Credentials,
    /// The hash of the session that asked; `None` for a sign-in, which has none yet.
    session: Option<String>,
}

/// Why a checked password no longer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// The session that asked has ended.
    SignedOut,
    /// The password was changed.
    Changed,
}

impl Checked {
    pub(super) fn new(credentials: Credentials, session: Option<String>) -> Self {
        Self { credentials, session }
    }

    /// Whether the credentials are still those that were checked, and the session that asked still lives. Both stay so
    /// until the transaction ends.
    pub(crate) fn still_holds(
        &self,
        tx: &mut dyn Tx,
        now: Timestamp,
    ) -> Result<std::result::Result<(), Stale>> {
        let user = self.credentials.user;
        // Locked before the sessions, as by a reset, so that two of them never wait for each other.
        let current = tx.users().lock_credentials(user)?;
        if let Some(hash) = &self.session {
            let (idle_after, born_after) = session_limits(now);
            if tx.sessions().lock_live(hash, idle_after, born_after)? != Some(user) {
                return Ok(Err(Stale::SignedOut));
            }
        }
        let is_same = current.as_ref() == Some(&self.credentials);
        Ok(if is_same { Ok(()) } else { Err(Stale::Changed) })
    }
}
