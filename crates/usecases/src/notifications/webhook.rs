//! The user's webhook: its address, its secret, and a test.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bolts_delivery::Channel;
use bolts_kernel::{Code, DestinationId, FieldError, NotificationId, Timestamp, UserId};
use bolts_ports::{
    Destination, Ids, Lane, NoticeBody, Randomness, Secret, SecurityNotice, StoreError, Tx, submit_for,
};

use super::receiver::{address, count_change, enqueue_test};
use super::tell;
use crate::accounts::{TooMany, require_here};
use crate::{App, Refused};

/// The maximum length of an address, in bytes.
const LONGEST_URL: usize = 500;

/// The reason why a webhook was not stored or tested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// The address cannot be a webhook.
    #[error("{0}")]
    BadUrl(&'static str),
    /// The user has no webhook that works.
    #[error("There is no webhook that works.")]
    NotFound,
    /// There were too many changes.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<WebhookError> for Refused {
    fn from(error: WebhookError) -> Self {
        let detail = error.to_string();
        match error {
            WebhookError::BadUrl(_) => Self::invalid(vec![FieldError::new("url", detail)]),
            WebhookError::NotFound => Self::new(Code::WebhookNotFound, detail),
            WebhookError::TooMany(error) => error.into(),
            WebhookError::Store(error) => error.into(),
        }
    }
}

job_error!(WebhookError);

/// The user's webhook, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookState {
    /// Its address.
    pub url: String,
    /// The time at which its address and secret were set.
    pub since: Timestamp,
    /// The reason why it gets no more events.
    pub stopped: Option<String>,
}

impl From<Destination> for WebhookState {
    fn from(destination: Destination) -> Self {
        let Destination { address, confirmed_at, stopped, .. } = destination;
        Self { url: address, since: confirmed_at, stopped }
    }
}

/// A new secret in the form of Standard Webhooks: 32 random bytes.
fn secret(random: &dyn Randomness) -> Secret {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    Secret::new(format!("whsec_{}", STANDARD.encode(bytes)))
}

/// Counts a change, and stores the webhook. The user is told of a new address: a thief with a stolen session may have set it.
pub(super) fn put(tx: &mut dyn Tx, new: &Destination, ids: &Arc<dyn Ids>) -> Result<(), WebhookError> {
    count_change(tx, "webhook", new.user, new.confirmed_at)??;
    let known = tx.contacts().webhook_of(new.user)?;
    if known.is_none_or(|known| known.address != new.address) {
        let body = NoticeBody::Security(SecurityNotice::WebhookChanged);
        tell(tx, new.user, body, ids, new.confirmed_at)?;
    }
    Ok(tx.contacts().put(new)?)
}

/// Removes the user's webhook. Returns whether there was one.
pub(super) fn remove(tx: &mut dyn Tx, user: UserId) -> Result<bool, StoreError> {
    let Some(webhook) = tx.contacts().webhook_of(user)? else { return Ok(false) };
    tx.contacts().remove(webhook.id)?;
    Ok(true)
}

/// Removes the user's webhook together with the old password, because a thief with the old password may have set it. The user is
/// told if there was one.
pub(crate) fn remove_with_password(
    tx: &mut dyn Tx,
    user: UserId,
    (ids, now): (&Arc<dyn Ids>, Timestamp),
) -> Result<(), StoreError> {
    if remove(tx, user)? {
        tell(tx, user, NoticeBody::Security(SecurityNotice::WebhookRemoved), ids, now)?;
    }
    Ok(())
}

impl App {
    /// The user's webhook. Blocks on the database.
    pub fn webhook(&self, user: UserId) -> Result<Option<WebhookState>, StoreError> {
        Ok(self.queries.webhook(user)?.map(WebhookState::from))
    }

    /// Sets the user's webhook. Each call makes a new secret: another receiver must not know the old one. A webhook that
    /// was stopped works again.
    pub async fn set_webhook(&self, user: UserId, url: &str) -> Result<(WebhookState, Secret), WebhookError> {
        let (new, secret) = self.new_webhook(user, url)?;
        let ids = self.environment.ids.clone();
        submit_for(&*self.store, Lane::User(user), move |tx| {
            require_here(tx, user)?;
            put(tx, &new, &ids)?;
            Ok::<_, WebhookError>((WebhookState::from(new.clone()), secret.clone()))
        })
        .await
    }

    /// A webhook of the user at this address, and its new secret.
    pub(super) fn new_webhook(&self, user: UserId, url: &str) -> Result<(Destination, Secret), WebhookError> {
        let address = address(url, LONGEST_URL, self.rules.calls_private_receivers);
        let address = address.map_err(WebhookError::BadUrl)?;
        let secret = secret(&*self.environment.random);
        let destination = Destination {
            id: self.id::<DestinationId>(),
            user,
            channel: Channel::Webhook,
            address,
            secret: Some(secret.clone()),
            browser: None,
            confirmed_at: self.now(),
            stopped: None,
        };
        Ok((destination, secret))
    }

    /// Removes the user's webhook. Events that wait for it are dropped.
    pub async fn remove_webhook(&self, user: UserId) -> Result<(), StoreError> {
        submit_for(&*self.store, Lane::User(user), move |tx| remove(tx, user).map(drop)).await
    }

    /// Sends an event of the kind `test` to the user's webhook.
    pub async fn test_webhook(&self, user: UserId) -> Result<(), WebhookError> {
        let (now, id) = (self.now(), self.id::<NotificationId>());
        submit_for(&*self.store, Lane::User(user), move |tx| {
            require_here(tx, user)?;
            count_change(tx, "webhook", user, now)??;
            let webhook = tx.contacts().webhook_of(user)?.filter(|webhook| webhook.stopped.is_none());
            let webhook = webhook.ok_or(WebhookError::NotFound)?;
            Ok(enqueue_test(tx, &webhook, id, now)?)
        })
        .await
    }
}
