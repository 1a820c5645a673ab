//! Sends a request to the model server over HTTP, with a time limit, one retry and a size limit for the answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use bolts_ports::{IdeasFailed, TRACED};
use chrono::{DateTime, Utc};
use reqwest::header::{DATE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Response, StatusCode, redirect};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use tracing::{Instrument, debug_span};

use super::ask::Ask;
use super::{MAX_ANSWER_BYTES, Options, answer};

/// The pause before the retry if the server sends no `Retry-After`.
const PAUSE: Duration = Duration::from_millis(500);

/// The time limit for opening a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// The HTTP client for the model server.
#[derive(Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    options: Options,
    /// Whether requests go without a schema. True after the server refused a request with a schema and answered
    /// a request without a schema.
    is_plain: AtomicBool,
}

/// Counts a call when it ends. A call whose user closes the page counts too, because the operator may have to pay for it.
struct Call {
    request: &'static str,
    result: &'static str,
}

impl Drop for Call {
    fn drop(&mut self) {
        let Self { request, result } = *self;
        metrics::counter!("bolts_model_calls_total", "request" => request, "result" => result).increment(1);
    }
}

/// The reason why an attempt failed.
enum Failure {
    /// The server does not support the request. The schema may be the cause.
    Unsupported(String),
    /// A retry may succeed. The value has the pause that the server asks for, if any.
    Retry(String, Option<Duration>),
    /// A retry is useless.
    Final(IdeasFailed),
}

impl Failure {
    fn into_error(self) -> IdeasFailed {
        match self {
            Self::Unsupported(why) | Self::Retry(why, _) => IdeasFailed(why),
            Self::Final(error) => error,
        }
    }
}

impl Client {
    pub(super) fn new(options: Options) -> Result<Self, IdeasFailed> {
        // Redirects are not followed, because a redirect could send the key to another server.
        let http = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT.min(options.timeout))
            .timeout(options.timeout)
            .build()
            .map_err(|error| IdeasFailed(format!("the HTTP client cannot be created: {error}")))?;
        Ok(Self { http, options, is_plain: AtomicBool::new(false) })
    }

    /// Sends the request and returns the text of the model.
    pub(super) async fn chat(&self, ask: &Ask) -> Result<String, IdeasFailed> {
        let time_limit = self.options.timeout;
        let late = |_| IdeasFailed(format!("the server did not answer within {} ms", time_limit.as_millis()));
        let span = debug_span!(target: TRACED, "model", otel.kind = "client", model.request = ask.name);
        let mut call = Call { request: ask.name, result: "broken_off" };
        let said = timeout(time_limit, self.with_schema_or_without(ask)).instrument(span).await;
        let said = said.map_err(late).flatten();
        call.result = if said.is_ok() { "answered" } else { "failed" };
        said
    }

    async fn with_schema_or_without(&self, ask: &Ask) -> Result<String, IdeasFailed> {
        let mut budget = Budget { deadline: Instant::now() + self.options.timeout, may_retry: true };
        if !self.is_plain.load(Ordering::Relaxed) {
            match self.with_retry(&self.body(ask, true), &mut budget).await {
                Err(Failure::Unsupported(_)) => {}
                other => return other.map_err(Failure::into_error),
            }
        }
        let content = self.with_retry(&self.body(ask, false), &mut budget).await;
        if content.is_ok() {
            self.is_plain.store(true, Ordering::Relaxed);
        }
        content.map_err(Failure::into_error)
    }

    /// Sends the request. Sends it once more if a retry may succeed and enough time is left.
    async fn with_retry(&self, body: &Value, budget: &mut Budget) -> Result<String, Failure> {
        match self.attempt(body).await {
            Err(Failure::Retry(why, after)) => {
                let pause = after.unwrap_or(PAUSE);
                if !budget.allows(pause) {
                    return Err(Failure::Retry(why, after));
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
            | StatusCode::NOT_IMPLEMENTED => Err(Failure::Unsupported(why)),
            status if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
                Err(Failure::Retry(why, retry_after(response.headers(), our_clock())))
            }
            _ => Err(Failure::Final(IdeasFailed(why))),
        }
    }
}

/// The remaining time for a request, and whether a retry is left.
struct Budget {
    deadline: Instant,
    may_retry: bool,
}

impl Budget {
    /// Whether the retry is unused and some time is left after this pause.
    fn allows(&self, pause: Duration) -> bool {
        self.may_retry && pause < self.deadline.saturating_duration_since(Instant::now())
    }
}

/// The value of the header with the key, marked as sensitive, so that logs do not show it.
fn bearer(key: &str) -> Result<HeaderValue, Failure> {
    let unusable = |_| Failure::Final(IdeasFailed("the key cannot be sent in a header".to_owned()));
    let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(unusable)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Reads the body up to the size limit. A longer body is refused. If `Content-Length` is too large, the body is
/// not read at all.
async fn read(mut response: Response) -> Result<Vec<u8>, Failure> {
    let too_long =
        || Failure::Final(IdeasFailed(format!("the server's answer has more than {MAX_ANSWER_BYTES} bytes")));
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

/// The failure of a connection. The message does not contain the URL, which may be confidential.
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
    reason = "a date in Retry-After is compared with the real time at which the answer arrives"
)]
fn our_clock() -> SystemTime {
    SystemTime::now()
}

/// The pause that the server asks for in `Retry-After`: a number of seconds or a date. A date is compared
/// with the server's `Date` header or, without this header, with the local clock.
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
        assert_eq!(
            waits(&[later]),
            Some(Duration::from_secs(5)),
            "without a date header, by the local clock"
        );
        assert_eq!(waits(&[("date", "today"), later]), Some(Duration::from_secs(5)));
        assert_eq!(waits(&[("retry-after", "Sat, 21 Nov 2026 11:00:00 GMT")]), None);
        assert_eq!(waits(&[("retry-after", "18446744073709551615")]), Some(Duration::from_secs(u64::MAX)));
        assert_eq!(waits(&[("retry-after", "soon")]), None);
        assert_eq!(waits(&[]), None);
    }

    #[test]
    fn debug_output_does_not_contain_the_key() {
        let key = super::super::Key::new("sk-secret").unwrap();
        let options = Options::new("http://localhost:1/v1", Some(key), "m").unwrap();
        let shown = format!("{:?}", Client::new(options).unwrap());
        assert!(!shown.contains("sk-secret") && shown.contains("Key(…)"), "{shown}");
    }
}
