//! A model behind any server that speaks OpenAI's chat completions.
//!
//! What a user typed goes to the model as a JSON document and is called data there; and whatever comes back is judged
//! like a form's input before anybody sees it, so that the worst a title can do is to spoil its own author's form.

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

/// How long an answer may take, everything together (decisions, section 10).
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// The largest answer that is read, in bytes.
pub const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// A secret that is sent and never shown.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Takes a key that fits into a header.
    ///
    /// # Errors
    /// It is empty or holds what no header can carry. The error does not hold the key.
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

/// Why no model can be asked like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusableOptions(&'static str);

impl fmt::Display for UnusableOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for UnusableOptions {}

/// Which server, which model.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address of the API, such as `https://api.example.com/v1`; `/chat/completions` is added where it is missing.
    pub url: Url,
    /// Sent as a bearer token; a server of one's own may need none.
    pub key: Option<Key>,
    /// The model's name there.
    pub model: String,
    /// How long an answer may take, everything together.
    pub timeout: Duration,
}

impl Options {
    /// Judges what an operator typed; with the usual patience.
    ///
    /// # Errors
    /// The address is not an http or https one, or carries a name or password: that is what the key is for.
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

/// Ideas of a model.
#[derive(Debug)]
pub struct OpenAi {
    client: Client,
}

impl OpenAi {
    /// Gets ready to ask; nothing is sent yet.
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
        // The title is the user's, whatever the model would have made of it.
        draft.title = title.to_string();
        // A date that the rules can read is no matter of opinion, so the model's is not even looked at.
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
                tracing::warn!(%error, "the wording is checked by rules");
                wording::remarks(&wording)
            }
        }
    }
}

/// Names the fields that the form would refuse, and not what was in them.
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
