//! When each user got the last hint, for pages whose event stream opens after their first reads.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use bolts_kernel::UserId;

/// The time after which a new generation of hints begins. A hint is forgotten when its generation is the third newest.
const GENERATION: Duration = Duration::from_mins(1);

/// Remembers the last hint of each user for a minute at least. It keeps two generations of hints, so that it can
/// forget old hints without a search.
pub(crate) struct LastHints {
    current: HashMap<UserId, Instant>,
    previous: HashMap<UserId, Instant>,
    current_since: Instant,
    previous_since: Instant,
}

impl Default for LastHints {
    fn default() -> Self {
        Self::starting(Instant::now())
    }
}

impl LastHints {
    fn starting(now: Instant) -> Self {
        Self { current: HashMap::new(), previous: HashMap::new(), current_since: now, previous_since: now }
    }

    pub(crate) fn record(&mut self, user: UserId, now: Instant) {
        if now.saturating_duration_since(self.current_since) >= GENERATION {
            self.previous = std::mem::take(&mut self.current);
            self.previous_since = std::mem::replace(&mut self.current_since, now);
        }
        self.current.insert(user, now);
    }

    /// The time since the user's last hint. If none is known, a lower bound: the true time may be longer.
    pub(crate) fn age(&self, user: UserId, now: Instant) -> Duration {
        let last = self.current.get(&user).or_else(|| self.previous.get(&user));
        now.saturating_duration_since(*last.unwrap_or(&self.previous_since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn a_hint_is_known_for_a_minute_and_forgotten_after_two() {
        let start = Instant::now();
        let [ann, bob]: [UserId; 2] = [1, 2].map(|n| format!("{n:032x}").parse().unwrap());
        let mut hints = LastHints::starting(start);
        hints.record(ann, start + seconds(10));
        assert_eq!(hints.age(ann, start + seconds(30)), seconds(20));
        assert_eq!(hints.age(bob, start + seconds(30)), seconds(30), "nothing is known before the start");
        hints.record(bob, start + seconds(61));
        assert_eq!(hints.age(ann, start + seconds(62)), seconds(52));
        hints.record(bob, start + seconds(125));
        assert!(hints.previous.len() == 1 && hints.current.len() == 1, "Ann's hint is forgotten");
        assert_eq!(
            hints.age(ann, start + seconds(126)),
            seconds(65),
            "no hint since the older generation began"
        );
    }
}
