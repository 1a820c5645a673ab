//! The identity of the site for push services (VAPID, RFC 8292).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_kernel::Timestamp;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;
use url::Url;

/// The lifetime of a signature, in seconds. A push service refuses more than 24 hours.
const VALID_FOR: i64 = 12 * 3_600;

/// The key pair with which the site signs its requests to push services. Browsers bind their subscriptions to its public
/// key, so a site must keep it.
pub struct PushKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl PushKey {
    /// A new key pair, as text for the database.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn fresh() -> Result<String, PushKeyError> {
        let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        pair.map(|pair| URL_SAFE_NO_PAD.encode(pair.as_ref())).map_err(|_| PushKeyError)
    }

    /// Reads the output of [`PushKey::fresh`].
    ///
    /// # Errors
    /// The text is no key pair.
    pub fn read(stored: &str) -> Result<Self, PushKeyError> {
        let random = SystemRandom::new();
        let bytes = URL_SAFE_NO_PAD.decode(stored).map_err(|_| PushKeyError)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &bytes, &random);
        Ok(Self { pair: pair.map_err(|_| PushKeyError)?, random })
    }

    /// The public key in base64url, as browsers expect it when they subscribe.
    pub fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.pair.public_key())
    }

    /// The header `Authorization` of a request to this push service. `contact` is the `mailto:` or `https:` address of the
    /// operator.
    pub(crate) fn authorization(
        &self,
        service: &Url,
        contact: Option<&str>,
        now: Timestamp,
    ) -> Result<String, PushKeyError> {
        let header = json!({"typ": "JWT", "alg": "ES256"});
        let mut claims = json!({
            "aud": service.origin().ascii_serialization(),
            "exp": now.micros() / 1_000_000 + VALID_FOR,
        });
        if let Some(contact) = contact {
            claims["sub"] = contact.into();
        }
        let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let signature = self.pair.sign(&self.random, signed.as_bytes()).map_err(|_| PushKeyError)?;
        let signature = URL_SAFE_NO_PAD.encode(signature.as_ref());
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

/// The key for push messages cannot be made, read or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key for push messages cannot be made, read or used")]
pub struct PushKeyError;
