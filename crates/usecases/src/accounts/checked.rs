//! Protection against a password change during a password check.

use bolts_kernel::Timestamp;
use bolts_ports::{Credentials, Result, Tx};

use super::{require_fresh_proof, session_limits};

/// A successful password check, with the credentials that it used. The check takes some time, and an admin may
/// reset the password meanwhile. So the credentials must still be the same when the work is committed.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    credentials: Credentials,
    /// The hash of the session that sent the request. `None` for a sign-in, which has no session yet.
    session: Option<String>,
}

/// The reason why a checked password is no longer valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// The session that sent the request has ended.
    SignedOut,
    /// The password was changed or reset.
    Changed,
    /// The user must prove the second factor first.
    StepUpRequired,
}

impl Checked {
    pub(super) fn new(credentials: Credentials, session: Option<String>) -> Self {
        Self { credentials, session }
    }

    /// Checks that the credentials are unchanged, that the session is still live, and that a second factor was proved in
    /// the last 5 minutes, if the user has one. Locks credentials and session until the transaction ends.
    pub(crate) fn still_holds(
        &self,
        tx: &mut dyn Tx,
        now: Timestamp,
    ) -> Result<std::result::Result<(), Stale>> {
        let user = self.credentials.user;
        // A password reset also locks the credentials before the sessions. The same order prevents a deadlock.
        let current = tx.users().lock_credentials(user)?;
        if let Some(hash) = &self.session {
            let (idle_after, born_after) = session_limits(now);
            if tx.sessions().lock_live(hash, idle_after, born_after)? != Some(user) {
                return Ok(Err(Stale::SignedOut));
            }
        }
        if current.as_ref() != Some(&self.credentials) {
            return Ok(Err(Stale::Changed));
        }
        let Some(session) = &self.session else { return Ok(Ok(())) };
        Ok(require_fresh_proof(tx, user, session, now)?.map_err(|_| Stale::StepUpRequired))
    }
}
