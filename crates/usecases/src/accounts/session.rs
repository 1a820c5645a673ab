use std::fmt::Write;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_kernel::{SessionId, Timestamp, UserId};
use bolts_ports::{About, Hint, NewSession, Result, SessionView, StoreError, UserView, submit};
use sha2::{Digest, Sha256};

use super::rate_limit::Device;
use crate::App;

/// A session ends when it was not used for so long (decisions, section 7).
const IDLE: Duration = Duration::from_secs(30 * 24 * 3_600);

/// And at the latest after so long.
const LIFETIME: Duration = Duration::from_secs(90 * 24 * 3_600);

/// That a session is in use is written at most so often.
const TOUCH_EVERY: Duration = Duration::from_secs(3_600);

/// A user with a fresh session.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who.
    pub user: UserView,
    /// What the cookie carries: 256 random bits. Only its hash is stored.
    pub secret: String,
    /// The browser, by which the user's next sign-in there is known.
    pub device: Device,
}

/// The hash under which a session's secret is stored.
pub fn session_hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Since when a session must have been used, and since when begun, to be alive at `now`.
pub(crate) fn session_limits(now: Timestamp) -> (Timestamp, Timestamp) {
    (now.before(IDLE), now.before(LIFETIME))
}

impl App {
    /// A fresh secret and the session row that goes with it.
    pub(super) fn new_session(&self, user: UserId, at: Timestamp) -> (String, NewSession) {
        let mut bytes = [0; 32];
        self.environment.random.fill(&mut bytes);
        let secret = URL_SAFE_NO_PAD.encode(bytes);
        let hash = session_hash(&secret);
        (secret, NewSession { id: self.id(SessionId::from_uuid), hash, user, at })
    }

    /// The device after a sign-in of this user: the same one where it was the user's before.
    pub(super) fn device_of(&self, user: UserId, before: Option<Device>) -> Device {
        before.filter(|device| device.user == user).unwrap_or_else(|| {
            let mut bytes = [0; 16];
            self.environment.random.fill(&mut bytes);
            Device { id: URL_SAFE_NO_PAD.encode(bytes), user }
        })
    }

    /// The live session of that secret. Blocks on the database.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn session(&self, secret: &str) -> Result<Option<SessionView>> {
        let (idle_after, born_after) = session_limits(self.now());
        self.queries.session(&session_hash(secret), idle_after, born_after)
    }

    /// Whether it is time to note that this session is in use.
    pub fn wants_touch(&self, session: &SessionView) -> bool {
        self.now().since(session.last_seen_at) >= TOUCH_EVERY
    }

    /// Notes that the session is in use.
    ///
    /// # Errors
    /// The store's.
    pub async fn touch_session(&self, secret: &str) -> Result<(), StoreError> {
        let (hash, now) = (session_hash(secret), self.now());
        submit(&*self.store, move |tx| tx.sessions().touch(&hash, now)).await
    }

    /// Ends the session of that secret, on every process at once.
    ///
    /// # Errors
    /// The store's.
    pub async fn sign_out(&self, secret: &str) -> Result<(), StoreError> {
        let (hash, now) = (session_hash(secret), self.now());
        submit(&*self.store, move |tx| {
            let Some(user) = tx.sessions().end(&hash)? else { return Ok(()) };
            tx.outbox().owe(&[Hint { user, about: About::Sessions }], now)
        })
        .await
    }
}
