//! The real clock, ids and random bytes.

use bolts_kernel::Timestamp;
use bolts_ports::{Clock, Ids, Randomness};
use rand::TryRngCore;
use rand::rngs::OsRng;

/// The system's clock.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the Clock port's one real implementation")]
    fn now(&self) -> Timestamp {
        chrono::Utc::now().into()
    }
}

/// UUIDs of version 7: they begin with the time, and a counter orders those of one millisecond.
pub(crate) struct TimeOrderedIds;

impl Ids for TimeOrderedIds {
    #[expect(clippy::disallowed_methods, reason = "this is the Ids port's one real implementation")]
    fn next(&self) -> u128 {
        uuid::Uuid::now_v7().as_u128()
    }
}

/// The operating system's random bytes.
pub(crate) struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        // A system that cannot give random bytes cannot keep secrets, so nothing may go on.
        OsRng.try_fill_bytes(bytes).expect("the operating system gives random bytes");
    }
}
