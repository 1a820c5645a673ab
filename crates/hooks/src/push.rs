//! Push messages to browsers (RFC 8030), encrypted so that the push service cannot read them (RFC 8291).

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_ports::{Clock, Pending, PushMessage, Pusher, Undelivered};
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use url::Url;
use web_push_native::{Auth, encrypt, p256::PublicKey};

use crate::post::{BadOption, Post, ReceiverOptions};
use crate::vapid::PushKey;

/// The time for which a push service keeps a message for a device that is off, in seconds: a day.
const TTL: &str = "86400";

/// The maximum length of the content, in bytes. Push services take 4,096 bytes after the encryption (RFC 8291, section 4).
const LONGEST_CONTENT: usize = 3_993;

/// Encrypts messages and sends them to push services.
pub struct EncryptedPushes {
    post: Post,
    clock: Arc<dyn Clock>,
    key: Arc<PushKey>,
    contact: Option<String>,
}

impl EncryptedPushes {
    /// An adapter that signs with this key. `contact` is the `mailto:` or `https:` address at which a push service can
    /// reach the operator.
    ///
    /// # Errors
    /// No HTTP client can be built.
    pub fn new(
        options: ReceiverOptions,
        clock: Arc<dyn Clock>,
        key: Arc<PushKey>,
        contact: Option<String>,
    ) -> Result<Self, BadOption> {
        Ok(Self { post: Post::new(options)?, clock, key, contact })
    }

    async fn attempt(&self, message: PushMessage) -> Result<(), Undelivered> {
        if message.content.len() > LONGEST_CONTENT {
            return Err(Undelivered::Refused("the message is too long".to_owned()));
        }
        let (public, auth) = keys(message.keys.reveal())
            .ok_or_else(|| Undelivered::Gone("the keys of the browser cannot be used".to_owned()))?;
        let headers = self.headers(&message)?;
        let body = encrypt(message.content.into_bytes(), &public, &auth)
            .map_err(|_| Undelivered::Refused("the message cannot be encrypted".to_owned()))?;
        let status = self.post.send(&message.endpoint, headers, body).await?.as_u16();
        let said = format!("status {status}");
        match status {
            200..=299 => Ok(()),
            404 | 410 => Err(Undelivered::Gone(said)),
            _ => Err(Undelivered::Refused(said)),
        }
    }

    fn headers(&self, message: &PushMessage) -> Result<HeaderMap, Undelivered> {
        let broken = |_| Undelivered::Refused("the request cannot be signed".to_owned());
        let service = Url::parse(&message.endpoint).map_err(|_| broken(()))?;
        let signed = self.key.authorization(&service, self.contact.as_deref(), self.clock.now());
        let signed = signed.map_err(|_| broken(()))?;
        let signed = HeaderValue::from_str(&signed).map_err(|_| broken(()))?;
        let urgency = if message.is_urgent { "high" } else { "normal" };
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, signed);
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        headers.insert(HeaderName::from_static("ttl"), HeaderValue::from_static(TTL));
        headers.insert(HeaderName::from_static("urgency"), HeaderValue::from_static(urgency));
        Ok(headers)
    }
}

/// The public key and the secret of a browser.
fn keys(stored: &str) -> Option<(PublicKey, Auth)> {
    let (public, auth) = stored.split_once('.')?;
    let public = PublicKey::from_sec1_bytes(&URL_SAFE_NO_PAD.decode(public).ok()?).ok()?;
    Some((public, Auth::from_exact_iter(URL_SAFE_NO_PAD.decode(auth).ok()?)?))
}

impl Pusher for EncryptedPushes {
    fn send(&self, message: PushMessage) -> Pending<'_, Result<(), Undelivered>> {
        Box::pin(self.attempt(message))
    }
}
