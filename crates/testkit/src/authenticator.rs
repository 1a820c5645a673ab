//! An authenticator in software (WebAuthn, level 2), with one passkey. It signs as real ones do, and tests can make it lie.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_kernel::sha256;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};

/// The user touched the authenticator.
const PRESENT: u8 = 1;
/// The authenticator verified the user, with a PIN or a finger.
const VERIFIED: u8 = 1 << 2;
/// A new credential follows.
const HAS_CREDENTIAL: u8 = 1 << 6;

/// An authenticator and the browser in front of it.
#[derive(Clone)]
pub struct Authenticator {
    key: SigningKey,
    credential: Vec<u8>,
    /// The user handle that the site gave at the registration.
    pub handle: Option<String>,
    /// The counter of signatures. `None` if the authenticator has no counter.
    pub counter: Option<u32>,
    /// The origin of the page that asks.
    pub origin: String,
    /// The id of the relying party.
    pub site: String,
    /// Whether the authenticator verifies the user.
    pub verifies_user: bool,
}

impl Authenticator {
    /// An authenticator whose key follows from `name`, and a page of this origin.
    pub fn new(name: &str, origin: &str) -> Self {
        let host = origin.split("//").nth(1).unwrap_or(origin);
        Self {
            key: SigningKey::from_slice(&sha256(format!("key of {name}"))).expect("a key"),
            credential: sha256(format!("credential of {name}")).to_vec(),
            handle: None,
            counter: Some(0),
            origin: origin.to_owned(),
            site: host.split(':').next().unwrap_or(host).to_owned(),
            verifies_user: true,
        }
    }

    /// The id of the credential, in base64url.
    pub fn credential(&self) -> String {
        URL_SAFE_NO_PAD.encode(&self.credential)
    }

    /// The answer to the options of a registration.
    pub fn register(&mut self, options: &Value) -> Value {
        self.handle = options["user"]["id"].as_str().map(str::to_owned);
        let object = attestation(&self.data(HAS_CREDENTIAL));
        let client = self.client_data("webauthn.create", options);
        let transports = json!(["internal"]);
        json!({
            "id": self.credential(), "rawId": self.credential(), "type": "public-key", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": URL_SAFE_NO_PAD.encode(client), "transports": transports,
                "attestationObject": URL_SAFE_NO_PAD.encode(object),
            },
        })
    }

    /// The answer to the options of a proof.
    pub fn sign(&mut self, options: &Value) -> Value {
        self.counter = self.counter.map(|count| count.wrapping_add(1));
        let data = self.data(0);
        let client = self.client_data("webauthn.get", options);
        let signature: Signature = self.key.sign(&[&data[..], &sha256(&client)].concat());
        json!({
            "id": self.credential(), "rawId": self.credential(), "type": "public-key", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": URL_SAFE_NO_PAD.encode(client), "userHandle": self.handle,
                "authenticatorData": URL_SAFE_NO_PAD.encode(data),
                "signature": URL_SAFE_NO_PAD.encode(signature.to_der().as_bytes()),
            },
        })
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data = json!({
            "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false,
        });
        data.to_string().into_bytes()
    }

    /// The authenticator data (section 6.1).
    fn data(&self, flags: u8) -> Vec<u8> {
        let verified = if self.verifies_user { VERIFIED } else { 0 };
        let mut data = sha256(&self.site).to_vec();
        data.push(flags | PRESENT | verified);
        data.extend(self.counter.unwrap_or_default().to_be_bytes());
        if flags & HAS_CREDENTIAL > 0 {
            // No model of an authenticator.
            data.extend([0; 16]);
            data.extend(u16::try_from(self.credential.len()).expect("short").to_be_bytes());
            data.extend(&self.credential);
            data.extend(self.public_key());
        }
        data
    }

    /// The public key as a COSE key (RFC 9053): EC2, ES256, P-256, x, y.
    fn public_key(&self) -> Vec<u8> {
        let point = self.key.verifying_key().to_sec1_point(false);
        let (x, y) = (point.x().expect("x"), point.y().expect("y"));
        let head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01];
        [&head[..], &[0x21, 0x58, 32], x, &[0x22, 0x58, 32], y].concat()
    }
}

/// The attestation object without an attestation, in CBOR: a map with the format, an empty statement, and the data.
pub fn attestation(data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).expect("short").to_be_bytes();
    [
        &[0xa3, 0x63][..],
        b"fmt",
        &[0x64],
        b"none",
        &[0x67],
        b"attStmt",
        &[0xa0, 0x68],
        b"authData",
        &[0x59],
        &length,
        data,
    ]
    .concat()
}
