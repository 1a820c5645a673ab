//! Calls to servers that may be slow, broken or hostile. The time and size of answers are limited. Only JSON is
//! accepted, no redirect is followed, and errors contain no secrets.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, RequestBuilder, Response};
use serde_json::Value;

use crate::BadOption;
use crate::evidence::shortened;

/// The maximum size of an answer, and of a line of a stream, in bytes. Valid ones are much shorter.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// The maximum size of all lines of a stream, in bytes. Each update of a payment repeats all attempts to pay it, so many
/// updates are much longer than one.
const MAX_STREAM_BYTES: usize = 16 * 1024 * 1024;

/// The maximum size of one page of a list, in bytes. A page can be large, because LND describes every hop of every
/// route that a payment tried.
const MAX_LIST_BYTES: usize = 32 * 1024 * 1024;

/// The time-outs of calls to a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// The maximum time until the connection is open.
    pub connect: Duration,
    /// The maximum time until the answer is complete.
    pub answer: Duration,
    /// The maximum time until the answer to a payment is complete. This answer arrives only when the payment has
    /// ended. If LND says that the payment is in flight, and then nothing for the time of an answer, the call ends
    /// earlier.
    pub payment: Duration,
}

impl Timeouts {
    /// The time-outs, calculated from the time for an answer. The connection gets the same time. A payment gets three
    /// times as much.
    pub fn of(answer: Duration) -> Self {
        Self { connect: answer, answer, payment: answer * 3 }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::of(Duration::from_secs(15))
    }
}

/// The reason why a request got no usable answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The connection could not be opened, so nothing was sent.
    NoConnection(String),
    /// Any other error. The server may have carried out the request.
    NoAnswer(String),
}

impl Failure {
    /// The reason of the failure, in words.
    pub(crate) fn into_words(self) -> String {
        match self {
            Self::NoConnection(why) => format!("no connection: {why}"),
            Self::NoAnswer(why) => why,
        }
    }
}

/// An answer in JSON.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// Builds the HTTP client of an adapter.
pub(crate) fn client(builder: ClientBuilder, timeouts: &Timeouts) -> Result<Client, BadOption> {
    bolts_outbound::client(builder, timeouts.connect)
        .map_err(|error| BadOption(format!("no HTTP client can be made: {}", words(error))))
}

/// Sends a request and reads the complete answer.
pub(crate) async fn ask(request: RequestBuilder, within: Duration) -> Result<Answer, Failure> {
    read(Stream::open(request, within).await?).await
}

/// Sends a request for a page of a list and reads the complete answer. The answer may be larger than other answers.
pub(crate) async fn ask_for_list(request: RequestBuilder, within: Duration) -> Result<Answer, Failure> {
    let stream = Stream::open(request, within).await?;
    read(Stream { longest: MAX_LIST_BYTES, ..stream }).await
}

async fn read(mut stream: Stream) -> Result<Answer, Failure> {
    while stream.read().await? {}
    let body = serde_json::from_slice(&stream.unread)
        .map_err(|_| Failure::NoAnswer(format!("status {} with a body that is not JSON", stream.status)))?;
    Ok(Answer { status: stream.status, body })
}

/// An answer that consists of lines of JSON, which arrive one by one.
pub(crate) struct Stream {
    response: Response,
    pub(crate) status: u16,
    unread: Vec<u8>,
    /// The number of bytes at the beginning of `unread` that contain no end of a line.
    searched: usize,
    read: usize,
    /// The maximum size of `unread`.
    longest: usize,
}

impl Stream {
    /// Sends a request and reads the status and the headers of the answer.
    pub(crate) async fn open(request: RequestBuilder, within: Duration) -> Result<Self, Failure> {
        let response = request.timeout(within).send().await.map_err(failure)?;
        let status = response.status().as_u16();
        Ok(Self { response, status, unread: Vec::new(), searched: 0, read: 0, longest: MAX_BODY_BYTES })
    }

    /// Waits for the next line. `None` at the end of the answer.
    pub(crate) async fn next(&mut self) -> Result<Option<Value>, Failure> {
        loop {
            let found = self.unread.iter().skip(self.searched).position(|byte| *byte == b'\n');
            if let Some(end) = found {
                let rest = self.unread.split_off(self.searched + end + 1);
                self.searched = 0;
                let line = std::mem::replace(&mut self.unread, rest);
                if line.trim_ascii().is_empty() {
                    continue;
                }
                return self.parse(&line).map(Some);
            }
            self.searched = self.unread.len();
            if !self.read().await? {
                self.searched = 0;
                let line = std::mem::take(&mut self.unread);
                return if line.trim_ascii().is_empty() { Ok(None) } else { self.parse(&line).map(Some) };
            }
        }
    }

    fn parse(&self, line: &[u8]) -> Result<Value, Failure> {
        serde_json::from_slice(line)
            .map_err(|_| Failure::NoAnswer(format!("status {} with a line that is not JSON", self.status)))
    }

    /// Waits for the next part of the answer and stores it. `false` at the end of the answer.
    async fn read(&mut self) -> Result<bool, Failure> {
        let Some(chunk) = self.response.chunk().await.map_err(failure)? else { return Ok(false) };
        self.read += chunk.len();
        let is_too_long = self.unread.len() + chunk.len() > self.longest;
        if is_too_long || self.read > MAX_STREAM_BYTES.max(self.longest) {
            return Err(Failure::NoAnswer("the answer is too long".to_owned()));
        }
        self.unread.extend_from_slice(&chunk);
        Ok(true)
    }
}

fn failure(error: reqwest::Error) -> Failure {
    if error.is_connect() {
        Failure::NoConnection(words(error))
    } else if error.is_timeout() {
        Failure::NoAnswer("it did not answer in time".to_owned())
    } else {
        Failure::NoAnswer(words(error))
    }
}

/// The text of an error, in a limited length.
fn words(error: reqwest::Error) -> String {
    shortened(&bolts_outbound::words(error))
}
