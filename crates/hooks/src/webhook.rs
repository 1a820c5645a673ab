//! Webhooks by the rules of Standard Webhooks.

use std::sync::Arc;

use bolts_ports::{Clock, Event, Pending, Undelivered, Webhooks};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::json;
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook};

use crate::post::{BadOption, Post, ReceiverOptions};

/// Signs events and sends them.
pub struct SignedWebhooks {
    post: Post,
    clock: Arc<dyn Clock>,
}

impl SignedWebhooks {
    /// An adapter with these options.
    ///
    /// # Errors
    /// No HTTP client can be built.
    pub fn new(options: ReceiverOptions, clock: Arc<dyn Clock>) -> Result<Self, BadOption> {
        Ok(Self { post: Post::new(options)?, clock })
    }

    async fn attempt(&self, event: Event) -> Result<(), Undelivered> {
        let body = body(&event);
        let headers = self.headers(&event, body.as_bytes())?;
        let status = self.post.send(&event.url, headers, body.into_bytes()).await?;
        match status.as_u16() {
            200..=299 => Ok(()),
            410 => Err(Undelivered::Gone("status 410".to_owned())),
            // A redirect is not followed: the user names the address that answers.
            status => Err(Undelivered::Later(format!("status {status}"))),
        }
    }

    fn headers(&self, event: &Event, body: &[u8]) -> Result<HeaderMap, Undelivered> {
        let broken = |why: &str| Undelivered::Refused(why.to_owned());
        // The signature joins id, timestamp and body by dots, so the id must have none.
        let id = event.name.replace('.', "_");
        let at = self.clock.now().micros() / 1_000_000;
        let key = Webhook::new(event.secret.reveal()).map_err(|_| broken("the secret cannot be read"))?;
        let signature = key.sign(&id, at, body).map_err(|_| broken("the event cannot be signed"))?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in [
            (HEADER_WEBHOOK_ID, id),
            (HEADER_WEBHOOK_TIMESTAMP, at.to_string()),
            (HEADER_WEBHOOK_SIGNATURE, signature),
        ] {
            let value = HeaderValue::from_str(&value).map_err(|_| broken("a header cannot be written"))?;
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok(headers)
    }
}

/// Ids and the kind, and no content: the receiver asks the site for what its user may see.
fn body(event: &Event) -> String {
    json!({
        "type": event.kind,
        "timestamp": event.at,
        "data": {"notificationId": event.notification, "betId": event.bet},
    })
    .to_string()
}

impl Webhooks for SignedWebhooks {
    fn send(&self, event: Event) -> Pending<'_, Result<(), Undelivered>> {
        Box::pin(self.attempt(event))
    }
}
