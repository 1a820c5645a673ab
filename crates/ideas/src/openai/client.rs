//! One question over HTTP: within its time, with one retry, and never more of an answer than fits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use bolts_ports::IdeasFailed;
use chrono::{DateTime, Utc};
use reqwest::header::{DATE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Response, StatusCode, redirect};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use super::ask::Ask;
use super::{MAX_ANSWER_BYTES, Options, answer};

/// How long the one retry waits where the server does not say.
const PAUSE: Duration = Duration::from_millis(500);

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// Speaks to the server.
#[derive(Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    options: Options,
    /// Whether the server has shown that it knows no schemas, and answers without one.
    is_plain: AtomicBool,
}

/// Why an attempt gave no text.
enum Failure {
    /// The server does not know what was asked of it, which may be the schema.
    NotUnderstood(String),
    /// It may do better in a moment; so long, if it says.
    Again(String, Option<Duration>),
    /// There is no point in asking again.
    Final(IdeasFailed),
}

impl Failure {
    fn into_error(self) -> IdeasFailed {
        match self {
            Self::NotUnderstood(why) | Self::Again(why, _) => IdeasFailed(why),
            Self::Final(error) => error,
        }
    }
}

impl Client {
    pub(super) fn new(options: Options) -> Result<Self, IdeasFailed> {
        // A redirect could carry the key elsewhere.
        let http = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT.min(options.timeout))
            .timeout(options.timeout)
            .build()
            .map_err(|error| IdeasFailed(format!("no HTTP client: {error}")))?;
        Ok(Self { http, options, is_plain: AtomicBool::new(false) })
    }

    /// What the model wrote in answer to this.
    pub(super) async fn chat(&self, ask: &Ask) -> Result<String, IdeasFailed> {
        let patience = self.options.timeout;
        let late = |_| IdeasFailed(format!("no answer within {} ms", patience.as_millis()));
        timeout(patience, self.by_schema_or_plain(ask)).await.map_err(late)?
    }

    async fn by_schema_or_plain(&self, ask: &Ask) -> Result<String, IdeasFailed> {
        let mut budget = Budget { deadline: Instant::now() + self.options.timeout, may_retry: true };
        if !self.is_plain.load(Ordering::Relaxed) {
            match self.persistently(&self.body(ask, true), &mut budget).await {
                Err(Failure::NotUnderstood(_)) => {}
                other => return other.map_err(Failure::into_error),
            }
        }
        let content = self.persistently(&self.body(ask, false), &mut budget).await;
        if content.is_ok() {
            self.is_plain.store(true, Ordering::Relaxed);
        }
        content.map_err(Failure::into_error)
    }

    /// Asks, and once more where the server may do better.
    async fn persistently(&self, body: &Value, budget: &mut Budget) -> Result<String, Failure> {
        match self.attempt(body).await {
            Err(Failure::Again(why, after)) => {
                let pause = after.unwrap_or(PAUSE);
                if !budget.allows(pause) {
                    return Err(Failure::Again(why, after));
                }
                budget.may_retry = false;
                sleep(pause).await;
                self.attempt(body).await
            }
            other => other,
        }
    }

    fn body(&self, ask: &Ask, by_schema: bool) -> Value {
        let form = if by_schema {
            String::new()
        } else {
            format!("\n\nThe object has to fit this JSON schema: {}", ask.schema)
        };
        let mut body = json!({
            "model": self.options.model,
            "messages": [
                {"role": "system", "content": format!("{}{form}", ask.instructions)},
                {"role": "user", "content": ask.document.to_string()},
            ],
        });
        if by_schema {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": {"name": ask.name, "strict": true, "schema": ask.schema},
            });
        }
        body
    }

    async fn attempt(&self, body: &Value) -> Result<String, Failure> {
        let mut request = self.http.post(self.options.url.clone()).json(body);
        if let Some(key) = &self.options.key {
            request = request.header(reqwest::header::AUTHORIZATION, bearer(&key.0)?);
        }
        let response = request.send().await.map_err(broken)?;
        let status = response.status();
        let why = format!("the server answered {}", status.as_u16());
        match status {
            status if status.is_success() => {
                let bytes = read(response).await?;
                answer::content(&bytes).map_err(Failure::Final)
            }
            StatusCode::BAD_REQUEST
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
            | StatusCode::NOT_IMPLEMENTED => Err(Failure::NotUnderstood(why)),
            status if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
                Err(Failure::Again(why, retry_after(response.headers(), our_clock())))
            }
            _ => Err(Failure::Final(IdeasFailed(why))),
        }
    }
}

/// What is left for one question.
struct Budget {
    deadline: Instant,
    may_retry: bool,
}

impl Budget {
    /// Whether there is a retry left, and time for it after that pause.
    fn allows(&self, pause: Duration) -> bool {
        self.may_retry && pause < self.deadline.saturating_duration_since(Instant::now())
    }
}

/// The key as a header that no log shows.
fn bearer(key: &str) -> Result<HeaderValue, Failure> {
    let unusable = |_| Failure::Final(IdeasFailed("the key fits into no header".to_owned()));
    let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(unusable)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Reads the body as far as it may go; a longer one is refused before it is read.
async fn read(mut response: Response) -> Result<Vec<u8>, Failure> {
    let too_long = || Failure::Final(IdeasFailed(format!("an answer of more than {MAX_ANSWER_BYTES} bytes")));
    let limit = u64::try_from(MAX_ANSWER_BYTES).unwrap_or(u64::MAX);
    if response.content_length().is_some_and(|length| length > limit) {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if bytes.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(too_long());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// A broken connection, without the address: it may be nobody's business.
fn broken(error: reqwest::Error) -> Failure {
    let what = if error.is_timeout() {
        "the server took too long"
    } else if error.is_connect() {
        "the server cannot be reached"
    } else {
        "the connection to the server broke"
    };
    Failure::Final(IdeasFailed(what.to_owned()))
}

#[expect(
    clippy::disallowed_methods,
    reason = "a server's date is measured while its answer comes in, by real time"
)]
fn our_clock() -> SystemTime {
    SystemTime::now()
}

/// How long the server wants us to wait: seconds, or a date, which is measured by the server's own clock, and by ours
/// where it does not show its own.
fn retry_after(headers: &HeaderMap, ours: SystemTime) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok();
    let asked = text(RETRY_AFTER)?.trim();
    if let Ok(seconds) = asked.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let time = |text: &str| Some(DateTime::parse_from_rfc2822(text).ok()?.to_utc());
    let now = text(DATE).and_then(time).unwrap_or_else(|| DateTime::<Utc>::from(ours));
    (time(asked)? - now).to_std().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(pairs: &[(&'static str, &'static str)]) -> Option<Duration> {
        let named = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let ours: DateTime<Utc> = "2026-11-21T12:00:02Z".parse().unwrap();
        retry_after(&pairs.iter().map(named).collect(), ours.into())
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(waits(&[("retry-after", "3")]), Some(Duration::from_secs(3)));
        let date = ("date", "Sat, 21 Nov 2026 12:00:00 GMT");
        let later = ("retry-after", "Sat, 21 Nov 2026 12:00:07 GMT");
        assert_eq!(waits(&[date, later]), Some(Duration::from_secs(7)));
        assert_eq!(waits(&[later]), Some(Duration::from_secs(5)), "without a clock of the server's, by ours");
        assert_eq!(waits(&[("date", "today"), later]), Some(Duration::from_secs(5)));
        assert_eq!(waits(&[("retry-after", "Sat, 21 Nov 2026 11:00:00 GMT")]), None);
        assert_eq!(waits(&[("retry-after", "18446744073709551615")]), Some(Duration::from_secs(u64::MAX)));
        assert_eq!(waits(&[("retry-after", "soon")]), None);
        assert_eq!(waits(&[]), None);
    }

    #[test]
    fn a_key_is_not_shown() {
        let key = super::super::Key::new("sk-secret").unwrap();
        let options = Options::new("http://localhost:1/v1", Some(key), "m").unwrap();
        let shown = format!("{:?}", Client::new(options).unwrap());
        assert!(!shown.contains("sk-secret") && shown.contains("Key(…)"), "{shown}");
    }
}
