//! The HTTP client for the collector.

use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use reqwest::Client;
use reqwest::redirect::Policy;

/// The maximum time to send a batch of spans. Meanwhile further spans wait in the queue.
const WITHIN: Duration = Duration::from_secs(10);

/// The maximum size of an answer, in bytes. The answer to a batch has a few bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Sends requests to the collector. Each batch has its own connection, because nothing reads from an idle connection, and
/// the collector may have closed it.
#[derive(Debug)]
pub(super) struct Collector(Client);

impl Collector {
    pub(super) fn new() -> reqwest::Result<Self> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .pool_max_idle_per_host(0)
            .user_agent("bolts")
            .timeout(WITHIN);
        client.build().map(Self)
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        // The address may contain a secret, and the log has the error.
        let sent = self.0.execute(request.try_into()?).await;
        let mut answer = sent.map_err(reqwest::Error::without_url)?;
        let mut response = Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            headers.clone_from(answer.headers());
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_BODY_BYTES {
                return Err("the collector's answer is too long".into());
            }
        }
        Ok(response.body(body.into())?)
    }
}
