//! The adapters for clock, ids and random bytes.

use bolts_kernel::Timestamp;
use bolts_ports::{Clock, Ids, Randomness};
use rand::TryRngCore;
use rand::rngs::OsRng;

/// The system clock.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the only real implementation of the Clock port")]
    fn now(&self) -> Timestamp {
        chrono::Utc::now().into()
    }
}

/// UUIDs of version 7, which begin with the time. A counter orders the ids of the same millisecond.
pub(crate) struct TimeOrderedIds;

impl Ids for TimeOrderedIds {
    #[expect(clippy::disallowed_methods, reason = "this is the only real implementation of the Ids port")]
    fn next(&self) -> u128 {
        uuid::Uuid::now_v7().as_u128()
    }
}

/// Random bytes of the operating system.
pub(crate) struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        // Without random bytes no secret is safe, so the program must not continue.
        OsRng.try_fill_bytes(bytes).expect("the operating system gives random bytes");
    }
}
