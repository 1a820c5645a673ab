//! What the writers know about an outage of the server.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bolts_ports::{Result, StoreError};

/// After a failed attempt to connect, jobs are refused for this time without a new attempt. Otherwise a
/// server that accepts packets but does not answer would delay each job by the connection time-out.
const GIVEN_UP_FOR: Duration = Duration::from_millis(500);

/// The results of the last attempts to reach the server.
#[derive(Default)]
pub(super) struct Outage(Mutex<Attempts>);

#[derive(Default)]
struct Attempts {
    /// The time of the last failure. `None` while the server can be reached.
    failed: Option<Instant>,
    /// The last time at which the server answered.
    reached: Option<Instant>,
}

impl Outage {
    /// Begins an attempt to connect. Returns the time of its beginning.
    ///
    /// # Errors
    /// An attempt failed a moment ago.
    pub(super) fn begin(&self) -> Result<Instant> {
        let (mut attempts, now) = (self.attempts(), Instant::now());
        if attempts.failed.is_some_and(|at| now.duration_since(at) < GIVEN_UP_FOR) {
            let why = "the database could not be reached a moment ago";
            return Err(StoreError::Unavailable(why.to_owned()));
        }
        // During an outage one writer tries to connect. The others refuse their jobs meanwhile.
        if attempts.failed.is_some() {
            attempts.failed = Some(now);
        }
        Ok(now)
    }

    /// Notes the failure of an attempt. `begun` is the time at which the attempt began. The failure does not count if the
    /// server was reached after this time.
    pub(super) fn failed(&self, begun: Instant) {
        let mut attempts = self.attempts();
        if attempts.reached.is_none_or(|at| at < begun) {
            attempts.failed = Some(Instant::now());
        }
    }

    /// Notes that the server answers.
    pub(super) fn reached(&self) {
        *self.attempts() = Attempts { failed: None, reached: Some(Instant::now()) };
    }

    fn attempts(&self) -> MutexGuard<'_, Attempts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_refused_after_a_failure_until_the_server_is_reached() {
        let outage = Outage::default();
        outage.failed(outage.begin().unwrap());
        assert!(outage.begin().is_err());
        outage.reached();
        assert!(outage.begin().is_ok());
    }

    #[test]
    fn a_failure_that_began_before_the_server_was_reached_is_no_outage() {
        let outage = Outage::default();
        let begun = outage.begin().unwrap();
        outage.reached();
        outage.failed(begun);
        assert!(outage.begin().is_ok());
    }
}
