//! The adapter that checks passkeys with webauthn-rs. Nothing else in the project knows this library.

use std::time::Duration;

use bolts_kernel::UserId;
use bolts_ports::{BadAnswer, Begun, Claim, Credential, Registered, RelyingParty};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;
use webauthn_rs::prelude::{
    Credential as Key, DiscoverableAuthentication, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Webauthn, WebauthnBuilder,
};

/// The name of the site in the dialogs of browsers.
const NAME: &str = "Bolts";

/// The time that a browser waits for the authenticator.
const TIMEOUT: Duration = Duration::from_mins(5);

/// The version of the stored credentials: the JSON of webauthn-rs 0.6, with the counter 0.
const VERSION: u32 = 1;

/// The address of the site cannot have passkeys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("passkeys need a domain name, and {0} has none")]
pub struct NoDomain(String);

/// The site at one origin. Its domain is the id of the relying party. Passkeys belong to this id, so they are of no use
/// after a change of the domain.
#[derive(Clone, Debug)]
pub struct Site(Webauthn);

impl Site {
    /// The site at an origin such as `https://bets.example.com`. Browsers accept `http` only for `localhost`, and no
    /// addresses in numbers.
    pub fn at(origin: &str) -> Result<Self, NoDomain> {
        let none = || NoDomain(origin.to_owned());
        let url = Url::parse(origin).map_err(|_| none())?;
        let domain = url.domain().filter(|domain| url.scheme() == "https" || *domain == "localhost");
        let builder = WebauthnBuilder::new(domain.ok_or_else(none)?, &url).map_err(|_| none())?;
        builder.rp_name(NAME).timeout(TIMEOUT).build().map(Self).map_err(|_| none())
    }
}

fn bad(error: impl std::fmt::Display) -> BadAnswer {
    BadAnswer(error.to_string())
}

fn written(value: &impl Serialize) -> Result<String, BadAnswer> {
    serde_json::to_string(value).map_err(bad)
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, BadAnswer> {
    serde_json::from_str(text).map_err(bad)
}

fn read<T: DeserializeOwned>(answer: Value) -> Result<T, BadAnswer> {
    serde_json::from_value(answer).map_err(bad)
}

fn credential_list(ids: &[String]) -> Value {
    ids.iter().map(|id| json!({"type": "public-key", "id": id})).collect()
}

/// The bytes in base64url, as webauthn-rs writes them in its JSON.
fn encoded(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

impl RelyingParty for Site {
    fn begin_registration(&self, user: UserId, email: &str, known: &[String]) -> Result<Begun, BadAnswer> {
        let handle = Uuid::from_bytes(user.to_bytes());
        let (challenge, state) =
            self.0.start_passkey_registration(handle, email, email, None).map_err(bad)?;
        let mut options = serde_json::to_value(challenge.public_key).map_err(bad)?;
        // A passkey must be found without its id, for sign-ins without an e-mail address. Another authenticator may hold
        // the known credentials, so this list is only for the browser.
        options["authenticatorSelection"]["residentKey"] = json!("required");
        options["authenticatorSelection"]["requireResidentKey"] = json!(true);
        options["excludeCredentials"] = credential_list(known);
        Ok(Begun { options, state: written(&state)? })
    }

    fn finish_registration(&self, state: &str, answer: Value) -> Result<Registered, BadAnswer> {
        let (answer, state) =
            (read::<RegisterPublicKeyCredential>(answer)?, parsed::<PasskeyRegistration>(state)?);
        let passkey = self.0.finish_passkey_registration(&answer, &state).map_err(bad)?;
        let mut key = Key::from(passkey);
        // The counter is stored beside the credential, and the caller compares it with the row locked. With 0 here, the
        // library accepts every counter.
        let counter = std::mem::take(&mut key.counter);
        let credential = Credential { id: encoded(&key.cred_id), version: VERSION, data: written(&key)? };
        Ok(Registered { credential, counter })
    }

    fn begin_proof(&self, allowed: &[String]) -> Result<Begun, BadAnswer> {
        let (challenge, state) = self.0.start_discoverable_authentication().map_err(bad)?;
        let mut options = serde_json::to_value(challenge.public_key).map_err(bad)?;
        options["allowCredentials"] = credential_list(allowed);
        if let Some(options) = options.as_object_mut() {
            options.remove("extensions");
        }
        Ok(Begun { options, state: written(&state)? })
    }

    fn claim(&self, answer: &Value) -> Result<Claim, BadAnswer> {
        let answer = read::<PublicKeyCredential>(answer.clone())?;
        let user = match answer.get_user_unique_id() {
            Some(handle) => Some(handle.try_into().map_err(bad)?),
            None => None,
        };
        Ok(Claim { credential: encoded(answer.get_credential_id()), user })
    }

    fn finish_proof(&self, state: &str, credential: &Credential, answer: Value) -> Result<u32, BadAnswer> {
        if credential.version != VERSION {
            return Err(BadAnswer(format!("a credential of the unknown version {}", credential.version)));
        }
        let (answer, state) =
            (read::<PublicKeyCredential>(answer)?, parsed::<DiscoverableAuthentication>(state)?);
        let key: Key = parsed(&credential.data)?;
        let result = self.0.finish_discoverable_authentication_v2(&answer, state, &key).map_err(bad)?;
        if !result.user_verified() {
            return Err(BadAnswer("the authenticator did not verify the user".to_owned()));
        }
        Ok(result.counter())
    }
}
