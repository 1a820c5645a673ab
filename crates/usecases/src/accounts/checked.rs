//! Protection against a password change during a password check.

use bolts_kernel::Timestamp;
use bolts_ports::{Credentials, Result, Tx};

use super::Access;

/// A successful password check, with the credentials that it used. The check takes some time, and an admin may
/// reset the password meanwhile. So the credentials must still be the same when the work is committed.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    credentials: Credentials,
    /// What the request shows to act for the user. `None` for a sign-in, which shows nothing yet.
    access: Option<Access>,
}

/// The reason why a checked password is no longer valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// The session that sent the request has ended, or its key is no longer valid.
    SignedOut,
    /// The password was changed or reset.
    Changed,
    /// The user must prove the second factor first.
    StepUpRequired,
}

impl Checked {
    pub(super) fn new(credentials: Credentials, access: Option<Access>) -> Self {
        Self { credentials, access }
    }

    /// Checks that the credentials are unchanged, that the session or key is still valid, and that a second factor was
    /// proved, if the user has one. Locks credentials and session or key until the transaction ends.
    pub(crate) fn still_holds(
        &self,
        tx: &mut dyn Tx,
        now: Timestamp,
    ) -> Result<std::result::Result<(), Stale>> {
        let user = self.credentials.user;
        // A password reset also locks the credentials before the sessions. The same order prevents a deadlock.
        let current = tx.users().lock_credentials(user)?;
        if let Some(access) = &self.access
            && access.lock(tx, now)? != Some(user)
        {
            return Ok(Err(Stale::SignedOut));
        }
        if current.as_ref() != Some(&self.credentials) {
            return Ok(Err(Stale::Changed));
        }
        let Some(access) = &self.access else { return Ok(Ok(())) };
        Ok(access.require_proof(tx, user, now)?.map_err(|_| Stale::StepUpRequired))
    }
}
