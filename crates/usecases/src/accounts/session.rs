//! Sessions and their limits (`docs/product.md#users-and-sessions`).

use std::time::Duration;

use bolts_kernel::{SessionId, Timestamp, UserId, sha256_hex};
use bolts_ports::{
    About, Hint, Lane, NewSession, Result, SessionView, StoreError, Tx, UserView, submit, submit_for,
};

use super::rate_limit::{Device, Visitor};
use crate::App;
use crate::secret::random_text;

/// A session ends after this time without use: 30 days.
const IDLE: Duration = Duration::from_hours(30 * 24);

/// A session ends at the latest after this time: 90 days.
const LIFETIME: Duration = Duration::from_hours(90 * 24);

/// The use of a session is recorded at most once in this time.
const TOUCH_EVERY: Duration = Duration::from_hours(1);

/// The maximum number of sessions of a user. One more ends the session that was unused longest.
const SESSIONS: u32 = 100;

/// A user with a new session.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// The user who signed in.
    pub user: UserView,
    /// The secret for the cookie: 256 random bits. Only its hash is stored.
    pub secret: String,
    /// The device on which the user signed in.
    pub device: Device,
}

/// The hash that is stored for the secret of a session.
pub fn session_hash(secret: &str) -> String {
    sha256_hex(secret)
}

/// Two times that decide whether a session is live at `now`. The last use must not be before the first time, and the
/// creation must not be before the second time.
pub(crate) fn session_limits(now: Timestamp) -> (Timestamp, Timestamp) {
    (now.before(IDLE), now.before(LIFETIME))
}

/// Adds the session of a sign-in. The caller must have locked the user's credentials, so that two sign-ins at once take turns.
pub(super) fn open_session(tx: &mut dyn Tx, session: &NewSession) -> Result<()> {
    // The new session comes last, so that it stays even if the clock of another process is ahead.
    if tx.sessions().end_unused(session.user, SESSIONS - 1)? > 0 {
        tx.outbox().enqueue(&[Hint { user: session.user, about: About::Sessions }], session.at)?;
    }
    tx.sessions().insert(session)
}

impl App {
    /// A new secret for the cookie of a session, and its hash.
    pub(super) fn new_secret(&self) -> (String, String) {
        let secret = random_text::<32>(&*self.environment.random);
        let hash = session_hash(&secret);
        (secret, hash)
    }

    /// A new secret, and the row of the new session with the hash of the secret. `proved_at` is the time at which the user
    /// proved the second factor.
    pub(super) fn new_session(
        &self,
        user: UserId,
        at: Timestamp,
        from: &Visitor,
        proved_at: Option<Timestamp>,
    ) -> (String, NewSession) {
        let (secret, hash) = self.new_secret();
        let origin = from.origin();
        (secret, NewSession { id: self.id::<SessionId>(), hash, user, at, origin, proved_at })
    }

    /// The device after a sign-in of this user. The device keeps its id if the last sign-in on it was by the same user.
    pub(super) fn device_of(&self, user: UserId, before: Option<Device>) -> Device {
        let new = || Device { id: random_text::<16>(&*self.environment.random), user };
        before.filter(|device| device.user == user).unwrap_or_else(new)
    }

    /// The live session with this secret. Blocks on the database.
    pub fn session(&self, secret: &str) -> Result<Option<SessionView>> {
        Ok(self.sessions(&[secret])?.pop().flatten())
    }

    /// The live sessions with these secrets, in the order of the secrets. If the rules require a second factor of admins, an admin
    /// has admin rights only in a session in which the factor was proved. A thief may use a session that is older than the
    /// factor. Blocks on the database.
    pub fn sessions(&self, secrets: &[&str]) -> Result<Vec<Option<SessionView>>> {
        let (idle_after, born_after) = session_limits(self.now());
        let hashes: Vec<_> = secrets.iter().map(|secret| session_hash(secret)).collect();
        let mut found = self.queries.sessions(&hashes, idle_after, born_after)?;
        if self.rules.require_admin_factor {
            for SessionView { user, proved_at, .. } in found.iter_mut().flatten() {
                user.is_admin &= user.has_second_factor && proved_at.is_some();
            }
        }
        Ok(found)
    }

    /// Whether the use of this session should be recorded now.
    pub fn wants_touch(&self, session: &SessionView) -> bool {
        self.now().since(session.last_seen_at) >= TOUCH_EVERY
    }

    /// Records the use of the session.
    pub async fn touch_session(&self, secret: &str) -> Result<(), StoreError> {
        let (hash, now) = (session_hash(secret), self.now());
        submit(&*self.store, move |tx| tx.sessions().touch(&hash, now)).await
    }

    /// Ends the session of this user with this secret, on every process at once.
    pub async fn sign_out(&self, user: UserId, secret: &str) -> Result<(), StoreError> {
        let (hash, now) = (session_hash(secret), self.now());
        submit_for(&*self.store, Lane::User(user), move |tx| {
            let Some(user) = tx.sessions().end(&hash)? else { return Ok(()) };
            tx.outbox().enqueue(&[Hint { user, about: About::Sessions }], now)
        })
        .await
    }
}
