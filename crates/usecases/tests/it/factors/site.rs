//! A site and its authenticators without cryptography: a signature is the name of its key. The tests show how the use cases
//! treat right and wrong answers.

use std::sync::atomic::{AtomicU64, Ordering};

use bolts_kernel::UserId;
use bolts_ports::{BadAnswer, Begun, Claim, Credential, Registered, RelyingParty};
use serde_json::{Value, json};

/// The site as a relying party.
#[derive(Default)]
pub(crate) struct FakeSite(AtomicU64);

impl FakeSite {
    fn begin(&self, mut options: Value) -> Begun {
        let challenge = format!("challenge {}", self.0.fetch_add(1, Ordering::Relaxed));
        options["challenge"] = json!(challenge);
        Begun { options, state: challenge }
    }
}

fn text(answer: &Value, field: &str) -> Result<String, BadAnswer> {
    let text = answer[field].as_str().map(str::to_owned);
    text.ok_or_else(|| BadAnswer(format!("the answer has no {field}")))
}

/// The counter of an answer to this challenge, if its signature is of this key.
fn checked(state: &str, key: &str, answer: &Value) -> Result<u32, BadAnswer> {
    if text(answer, "challenge")? != state || text(answer, "key")? != key {
        return Err(BadAnswer("the signature is wrong".to_owned()));
    }
    let counter = answer["counter"].as_u64().and_then(|counter| u32::try_from(counter).ok());
    counter.ok_or_else(|| BadAnswer("the answer has no counter".to_owned()))
}

impl RelyingParty for FakeSite {
    fn begin_registration(&self, user: UserId, email: &str, known: &[String]) -> Result<Begun, BadAnswer> {
        Ok(self.begin(json!({"user": user.to_bytes(), "name": email, "known": known})))
    }

    fn finish_registration(&self, state: &str, answer: Value) -> Result<Registered, BadAnswer> {
        let (id, data) = (text(&answer, "credential")?, text(&answer, "key")?);
        let counter = checked(state, &data, &answer)?;
        Ok(Registered { credential: Credential { id, version: 1, data }, counter })
    }

    fn begin_proof(&self, allowed: &[String]) -> Result<Begun, BadAnswer> {
        Ok(self.begin(json!({"allowed": allowed})))
    }

    fn claim(&self, answer: &Value) -> Result<Claim, BadAnswer> {
        let user = serde_json::from_value(answer["user"].clone());
        let user = user.map_err(|error| BadAnswer(error.to_string()))?;
        Ok(Claim { credential: text(answer, "credential")?, user })
    }

    fn finish_proof(&self, state: &str, credential: &Credential, answer: Value) -> Result<u32, BadAnswer> {
        checked(state, &credential.data, &answer)
    }
}

/// An authenticator with one passkey. A clone is a copy of the passkey.
#[derive(Clone)]
pub(crate) struct Authenticator {
    credential: String,
    /// The key with which the authenticator signs.
    pub(super) key: String,
    /// The user whom the authenticator names. Old authenticators name none.
    pub(super) user: Value,
    counter: u32,
}

impl Authenticator {
    pub(super) fn new(name: &str) -> Self {
        Self { credential: name.to_owned(), key: format!("key of {name}"), user: Value::Null, counter: 0 }
    }

    pub(super) fn credential(&self) -> &str {
        &self.credential
    }

    /// The answer to the options of a registration.
    pub(super) fn register(&mut self, options: &Value) -> Value {
        self.user = options["user"].clone();
        self.answer(options)
    }

    /// The answer to the options of a proof.
    pub(super) fn sign(&mut self, options: &Value) -> Value {
        self.counter += 1;
        self.answer(options)
    }

    fn answer(&self, options: &Value) -> Value {
        json!({
            "challenge": options["challenge"], "credential": self.credential, "key": self.key, "user": self.user,
            "counter": self.counter,
        })
    }
}
