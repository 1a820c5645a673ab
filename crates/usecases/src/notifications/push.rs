//! The browsers to which a user gets push messages (`docs/product.md#push-messages`).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_delivery::Channel;
use bolts_kernel::{Code, DestinationId, FieldError, NotificationId, Timestamp, UserId};
use bolts_ports::{Browser, Destination, Lane, Secret, StoreError, submit_for};

use super::receiver::{address, count_change, enqueue_test};
use crate::accounts::{TooMany, session_limits};
use crate::{App, Refused};

/// The maximum number of browsers of a user. One more replaces the browser that subscribed first.
const BROWSERS: usize = 10;

/// The maximum length of an address, in bytes. The push service of Windows gives the longest addresses, of up to 1,024.
const LONGEST_ENDPOINT: usize = 1_024;

/// The length of a browser's public key, a point of the curve P-256 that is not compressed.
const PUBLIC_KEY: usize = 65;

/// The first byte of a point that is not compressed (SEC 1).
const UNCOMPRESSED: u8 = 4;

/// The length of a browser's secret (RFC 8291).
const AUTH: usize = 16;

/// The reason why a browser was not subscribed or tested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// The address cannot be that of a push service.
    #[error("{0}")]
    BadEndpoint(&'static str),
    /// The keys are not those of a browser.
    #[error("These are not the keys of a browser")]
    BadKeys,
    /// The session has ended since the request began.
    #[error("Please sign in again.")]
    SignedOut,
    /// The user has no such browser.
    #[error("This browser is not subscribed.")]
    NotFound,
    /// There were too many changes.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PushError> for Refused {
    fn from(error: PushError) -> Self {
        let detail = error.to_string();
        match error {
            PushError::BadEndpoint(_) => Self::invalid(vec![FieldError::new("endpoint", detail)]),
            PushError::BadKeys => Self::invalid(vec![FieldError::new("keys", detail)]),
            PushError::SignedOut => Self::new(Code::NotSignedIn, detail),
            PushError::NotFound => Self::new(Code::PushSubscriptionNotFound, detail),
            PushError::TooMany(error) => error.into(),
            PushError::Store(error) => error.into(),
        }
    }
}

job_error!(PushError);

/// What a browser says when it subscribes.
#[derive(Clone, Debug)]
pub struct Subscription {
    /// The address that the push service gave to the browser.
    pub endpoint: String,
    /// The public key of the browser, in base64url.
    pub p256dh: String,
    /// The secret of the browser, in base64url.
    pub auth: String,
}

/// A subscribed browser, without its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserState {
    /// The id, with which the user can end the subscription from another device.
    pub id: DestinationId,
    /// Browser and system in words.
    pub device: Option<String>,
    /// The address that the push service gave to the browser.
    pub endpoint: String,
    /// The time of the subscription.
    pub since: Timestamp,
    /// Whether the session that asks is the one in which the browser subscribed.
    pub is_current: bool,
}

/// The keys in the form of [`bolts_ports::PushMessage`]. Only the adapter knows whether the point lies on the curve.
fn keys(p256dh: &str, auth: &str) -> Result<Secret, PushError> {
    let decoded = |text: &str| {
        let text = text.trim_end_matches('=');
        URL_SAFE_NO_PAD.decode(text).map_err(|_| PushError::BadKeys)
    };
    let (public, secret) = (decoded(p256dh)?, decoded(auth)?);
    if public.len() != PUBLIC_KEY || public.first() != Some(&UNCOMPRESSED) || secret.len() != AUTH {
        return Err(PushError::BadKeys);
    }
    Ok(Secret::new(format!("{}.{}", URL_SAFE_NO_PAD.encode(public), URL_SAFE_NO_PAD.encode(secret))))
}

impl App {
    /// The user's browsers, the one that subscribed last at the end. `session` is the hash of the session that asks. Blocks
    /// on the database.
    pub fn browsers(&self, user: UserId, session: &str) -> Result<Vec<BrowserState>, StoreError> {
        let state = |one: Destination| {
            let browser = one.browser?;
            let is_current = browser.session == session;
            let (id, endpoint, since) = (one.id, one.address, one.confirmed_at);
            Some(BrowserState { id, device: browser.device, endpoint, since, is_current })
        };
        Ok(self.queries.destinations_of(user)?.into_iter().filter_map(state).collect())
    }

    /// Subscribes a browser in this session. The subscription ends with the session. A browser that another user subscribed
    /// changes its user.
    pub async fn subscribe_browser(
        &self,
        user: UserId,
        browser: Browser,
        new: &Subscription,
    ) -> Result<(), PushError> {
        let endpoint = address(&new.endpoint, LONGEST_ENDPOINT, self.rules.calls_private_receivers);
        let endpoint = endpoint.map_err(PushError::BadEndpoint)?;
        let now = self.now();
        let destination = Destination {
            id: self.id::<DestinationId>(),
            user,
            channel: Channel::Push,
            address: endpoint,
            secret: Some(keys(&new.p256dh, &new.auth)?),
            browser: Some(browser.clone()),
            confirmed_at: now,
            stopped: None,
        };
        let (idle_after, born_after) = session_limits(now);
        submit_for(&*self.store, Lane::User(user), move |tx| {
            // The lock keeps the session from ending before the subscription is stored.
            if tx.sessions().lock_live(&browser.session, idle_after, born_after)? != Some(user) {
                return Err(PushError::SignedOut);
            }
            count_change(tx, "push", user, now)??;
            tx.contacts().put(&destination)?;
            let all = tx.contacts().browsers_of(user)?;
            for superfluous in all.iter().take(all.len().saturating_sub(BROWSERS)) {
                tx.contacts().remove(superfluous.id)?;
            }
            Ok(())
        })
        .await
    }

    /// Ends the subscription of the user's browser with this address. Without one, nothing changes.
    pub async fn unsubscribe_browser(&self, user: UserId, endpoint: String) -> Result<(), StoreError> {
        submit_for(&*self.store, Lane::User(user), move |tx| {
            for browser in tx.contacts().browsers_of(user)? {
                if browser.address == endpoint {
                    tx.contacts().remove(browser.id)?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Ends the subscription of one of the user's browsers from any device.
    pub async fn remove_browser(&self, user: UserId, id: DestinationId) -> Result<(), PushError> {
        submit_for(&*self.store, Lane::User(user), move |tx| {
            let all = tx.contacts().browsers_of(user)?;
            let browser = all.iter().find(|browser| browser.id == id).ok_or(PushError::NotFound)?;
            Ok(tx.contacts().remove(browser.id)?)
        })
        .await
    }

    /// Sends a message of the kind `test` to all browsers of the user.
    pub async fn test_push(&self, user: UserId) -> Result<(), PushError> {
        let (now, id) = (self.now(), self.id::<NotificationId>());
        submit_for(&*self.store, Lane::User(user), move |tx| {
            count_change(tx, "push", user, now)??;
            let all = tx.contacts().browsers_of(user)?;
            if all.is_empty() {
                return Err(PushError::NotFound);
            }
            Ok(all.iter().try_for_each(|browser| enqueue_test(tx, browser, id, now))?)
        })
        .await
    }
}
