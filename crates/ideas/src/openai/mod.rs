//! Ideas from a model behind a server with OpenAI's chat completions API.
//!
//! The model gets the user's text as a JSON document, and the instructions call this document data. The
//! answer is validated like the input of a form before the user sees it. So the worst effect of a malicious
//! title is a useless form for its own author.

mod answer;
mod ask;
mod client;

use std::fmt;
use std::time::Duration;

use bolts_bets::Text;
use bolts_kernel::{FieldError, Timestamp};
use bolts_ports::{Idea, IdeaRequest, Ideas, IdeasFailed, Pending, Remark, Wording};
use url::Url;

use crate::{title, wording};
use client::Client;

/// The longest time for an answer of the server, retry included (`docs/product.md#ideas`).
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// The size limit of an answer of the server, in bytes.
pub const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// The API key. Debug output does not contain the key.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Creates a key that can be sent in an HTTP header.
    ///
    /// # Errors
    /// The key is empty or contains characters that are not allowed in a header. The error does not contain
    /// the key.
    pub fn new(text: &str) -> Result<Self, UnusableOptions> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(UnusableOptions("must be visible ASCII characters"));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The reason why an option of the operator is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusableOptions(&'static str);

impl fmt::Display for UnusableOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for UnusableOptions {}

/// The options of the adapter: the server, the model and the time limit.
#[derive(Clone, Debug)]
pub struct Options {
    /// The URL of the API with the path `/chat/completions`.
    pub url: Url,
    /// The key, which is sent as a bearer token. A local server may need no key.
    pub key: Option<Key>,
    /// The name of the model on the server.
    pub model: String,
    /// The longest time for an answer, retry included.
    pub timeout: Duration,
}

impl Options {
    /// Validates the options of the operator and uses the default time limit. `/chat/completions` is added to
    /// the URL if it is missing.
    ///
    /// # Errors
    /// The URL is not an http or https URL, or it contains a name or password. The operator must set the key
    /// instead.
    pub fn new(url: &str, key: Option<Key>, model: &str) -> Result<Self, UnusableOptions> {
        let url =
            Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let mut url = url.ok_or(UnusableOptions("must be an address such as https://api.example.com/v1"))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UnusableOptions("must not carry a name or password"));
        }
        if url.query().is_none() && !url.path().ends_with("/chat/completions") {
            let path = format!("{}/chat/completions", url.path().trim_end_matches('/'));
            url.set_path(&path);
        }
        Ok(Self { url, key, model: model.to_owned(), timeout: TIMEOUT })
    }
}

/// The adapter that gets ideas from a model.
#[derive(Debug)]
pub struct OpenAi {
    client: Client,
}

impl OpenAi {
    /// Creates the adapter. No request is sent yet.
    ///
    /// # Errors
    /// The TLS library cannot be used.
    pub fn new(options: Options) -> Result<Self, IdeasFailed> {
        Ok(Self { client: Client::new(options)? })
    }

    async fn generated(&self, request: IdeaRequest) -> Result<Idea, IdeasFailed> {
        let content = self.client.chat(&ask::generate(request)).await?;
        Idea::judge(answer::idea(&content)?, request.now).map_err(refused)
    }

    async fn completed(&self, title: Text, now: Timestamp) -> Result<Idea, IdeasFailed> {
        let content = self.client.chat(&ask::complete(&title, now)).await?;
        let mut draft = answer::idea(&content)?;
        // The title of the user stays, even if the model returns another title.
        draft.title = title.to_string();
        // If the rules can read a date in the title, the date of the model is ignored. So the same title
        // always gives the same expiry.
        let (by_rules, is_named) = title::expiry_of(&title, now);
        if is_named || draft.expires_at.is_empty() {
            draft.expires_at = by_rules.to_string();
        }
        Idea::judge(draft, now).map_err(refused)
    }

    async fn checked(&self, wording: Wording) -> Vec<Remark> {
        if wording.title.trim().is_empty() {
            return Vec::new();
        }
        let content = self.client.chat(&ask::check(&wording)).await;
        match content.and_then(|content| answer::remarks(&content, &wording)) {
            Ok(remarks) => remarks,
            Err(error) => {
                tracing::warn!(%error, "the model could not check the wording, so the built-in rules check it");
                wording::remarks(&wording)
            }
        }
    }
}

/// An error that names the fields that the form would refuse. The error does not contain their values.
fn refused(errors: Vec<FieldError>) -> IdeasFailed {
    let fields: Vec<&str> = errors.iter().map(|error| error.field).collect();
    IdeasFailed(format!("the form would refuse the answer's {}", fields.join(", ")))
}

impl Ideas for OpenAi {
    fn generate(&self, request: IdeaRequest) -> Pending<'_, Result<Idea, IdeasFailed>> {
        Box::pin(self.generated(request))
    }

    fn complete(&self, title: Text, now: Timestamp) -> Pending<'_, Result<Idea, IdeasFailed>> {
        Box::pin(self.completed(title, now))
    }

    fn check(&self, wording: Wording) -> Pending<'_, Vec<Remark>> {
        Box::pin(self.checked(wording))
    }
}
