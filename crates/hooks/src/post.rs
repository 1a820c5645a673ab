//! One POST to a server that a user named.

use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::may_call;
use bolts_outbound::{PublicOnly, words};
use bolts_ports::Undelivered;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, StatusCode};
use url::Url;

/// The maximum length of a reason, in characters.
const REASON: usize = 300;

/// The longest wait that a receiver can ask for.
const LONGEST_WAIT: Duration = Duration::from_hours(6);

/// The rules for calls to the servers of users.
#[derive(Clone, Copy, Debug)]
pub struct ReceiverOptions {
    /// Whether servers in private networks may be called, also over http.
    pub allow_private: bool,
    /// The maximum time of a call.
    pub within: Duration,
}

impl Default for ReceiverOptions {
    fn default() -> Self {
        Self { allow_private: false, within: Duration::from_secs(10) }
    }
}

/// No HTTP client can be built. The message is a sentence for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadOption(pub String);

/// Calls servers that users named.
#[derive(Clone)]
pub(crate) struct Post {
    options: ReceiverOptions,
    client: Client,
}

impl Post {
    pub(crate) fn new(options: ReceiverOptions) -> Result<Self, BadOption> {
        let resolver = Arc::new(PublicOnly { allow_private: options.allow_private });
        let client = bolts_outbound::client(Client::builder().dns_resolver(resolver), options.within)
            .map_err(|error| BadOption(format!("no HTTP client can be made: {}", words(error))))?;
        Ok(Self { options, client })
    }

    /// Sends the request. The body of the answer is never read, so it cannot be too long.
    pub(crate) async fn send(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<StatusCode, Undelivered> {
        let url = Url::parse(url).ok().filter(|url| may_call(url, self.options.allow_private));
        let url = url.ok_or_else(|| Undelivered::Refused("the address may not be called".to_owned()))?;
        let request = self.client.post(url).headers(headers).body(body).timeout(self.options.within);
        let answer =
            request.send().await.map_err(|error| Undelivered::Unavailable(shortened(&words(error))))?;
        let status = answer.status();
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            let said = format!("status {}", status.as_u16());
            return Err(match wait(answer.headers()) {
                Some(wait) => Undelivered::Wait(wait, said),
                None => Undelivered::Later(said),
            });
        }
        Ok(status)
    }
}

/// The wait that the answer asks for, in seconds. The form with a date is rare, and then the usual wait applies.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_WAIT))
}

fn shortened(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(REASON).collect()
}
