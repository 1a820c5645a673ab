use std::time::Duration;

use bolts_kernel::Timestamp;

/// The number of failures in a row that open the breaker.
const FAILURES: u32 = 5;

/// The first time for which the breaker is open. It doubles with each failed test.
const FIRST_REST: Duration = Duration::from_secs(30);

/// The longest time for which the breaker is open.
const LONGEST_REST: Duration = Duration::from_mins(10);

/// Stops the attempts on a server that fails. Otherwise each waiting mail would wait for the time limit
/// of an attempt, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Breaker {
    failures: u32,
    opened_at: Option<Timestamp>,
}

/// The number of attempts that a breaker allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Any number.
    Many,
    /// One attempt, as a test.
    One,
    /// None.
    None,
}

impl Breaker {
    /// The number of attempts that are allowed now.
    pub fn permit(&self, now: Timestamp) -> Permit {
        match self.opened_at {
            None => Permit::Many,
            Some(at) if now.since(at) >= self.rest() => Permit::One,
            Some(_) => Permit::None,
        }
    }

    /// Whether the last attempt did not fail.
    pub const fn is_closed(&self) -> bool {
        self.failures == 0
    }

    /// The server answered. The caller decides which refusals count as failures.
    pub fn answered(&mut self) {
        *self = Self::default();
    }

    /// The server failed. Returns whether this failure opened the breaker. Attempts that were under way when the
    /// breaker opened are not counted: each of them would double the time for which it is open.
    pub fn failed(&mut self, now: Timestamp) -> bool {
        if self.permit(now) == Permit::None {
            return false;
        }
        let was_closed = self.opened_at.is_none();
        self.failures = self.failures.saturating_add(1);
        if self.failures >= FAILURES {
            self.opened_at = Some(now);
        }
        was_closed && self.opened_at.is_some()
    }

    fn rest(&self) -> Duration {
        let doublings = self.failures.saturating_sub(FAILURES).min(16);
        FIRST_REST.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_REST)
    }
}
