//! Requests with their outcome.

use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::harness::{Answer, Client};

/// A request as it was sent, so that it can be repeated.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) key: String,
    pub(super) body: String,
}

/// What a client knows after a request.
pub(super) enum Outcome {
    /// The server confirmed the effect.
    Confirmed(Answer),
    /// The server refused the request.
    Refused(Answer),
    /// No answer, or a 503: the client does not know if the request happened.
    Unknown,
}

impl Sent {
    pub(super) fn send(&self, client: &Client, tally: &Tally) -> Outcome {
        let headers = [
            ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", "application/json"),
            ("Idempotency-Key", self.key.as_str()),
        ];
        let answer = client.try_send(self.method, &self.path, &headers, self.body.clone().into_bytes());
        match answer {
            Some(answer) if (200..300).contains(&answer.status) => {
                tally.confirmed.fetch_add(1, Ordering::Relaxed);
                Outcome::Confirmed(answer)
            }
            Some(answer) if answer.status != 503 => {
                assert!((400..500).contains(&answer.status), "{self:?}: {answer:?}");
                Outcome::Refused(answer)
            }
            None | Some(_) => Outcome::Unknown,
        }
    }
}

/// Whether the answer is the stored answer to an earlier request.
pub(super) fn is_replayed(answer: &Answer) -> bool {
    answer.headers.contains_key("idempotent-replayed")
}

/// The figures of a run.
#[derive(Default)]
pub(super) struct Tally {
    confirmed: AtomicU64,
    had_happened: AtomicU64,
    had_not: AtomicU64,
}

impl Tally {
    pub(super) fn confirmed(&self) -> u64 {
        self.confirmed.load(Ordering::Relaxed)
    }

    /// Counts an unanswered request whose effect is known by now.
    pub(super) fn settled(&self, happened: bool) {
        let count = if happened { &self.had_happened } else { &self.had_not };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// Asserts that the kills met requests.
    pub(super) fn assert_load(&self) {
        let unanswered = self.had_happened.load(Ordering::Relaxed) + self.had_not.load(Ordering::Relaxed);
        assert!(unanswered > 0, "no kill met a request");
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [had, not] = [&self.had_happened, &self.had_not].map(|count| count.load(Ordering::Relaxed));
        let (all, unanswered) = (self.confirmed(), had + not);
        write!(f, "{all} requests confirmed, {unanswered} unanswered ({had} had happened, {not} had not)")
    }
}
