//! Fakes of the ports for time, ids, random bytes and passwords.

use std::future::ready;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{Busy, Clock, Ids, Lane, Passwords, Pending, Randomness};

/// A clock that only moves when a test sets it. Clones show the same time.
#[derive(Clone, Debug)]
pub struct FakeClock(Arc<Mutex<Timestamp>>);

impl FakeClock {
    /// A clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(now)))
    }

    /// Sets the clock to `now`, forwards or backwards.
    pub fn set(&self, now: Timestamp) {
        *self.hands() = now;
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let mut hands = self.hands();
        *hands = hands.after(by);
    }

    fn hands(&self) -> MutexGuard<'_, Timestamp> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        *self.hands()
    }
}

/// Ids that count up, in the layout of UUID version 7. Clones continue the same count.
#[derive(Clone, Debug, Default)]
pub struct SequentialIds(Arc<AtomicU64>);

impl SequentialIds {
    /// The first id: a time in the upper 48 bits, then version 7 and the variant. The count fills the lower bits.
    const FIRST: u128 = (0x0198_0000_0000 << 80) | (0x7 << 76) | (0b10 << 62);
}

impl Ids for SequentialIds {
    fn next(&self) -> u128 {
        Self::FIRST | u128::from(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Bytes that are the same in every run of a test, and different for every call with at least eight bytes.
#[derive(Clone, Debug, Default)]
pub struct CountingRandomness(Arc<AtomicU64>);

impl CountingRandomness {
    /// The last step of the generator SplitMix64. It maps each count to a different word that looks random.
    fn scatter(count: u64) -> u64 {
        let word = count.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

impl Randomness for CountingRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = Self::scatter(self.0.fetch_add(1, Ordering::Relaxed)).to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

/// A password service whose hashes contain the password itself, so that tests are fast. Apart from the cost of
/// a hash, the service keeps the contract of the port.
#[derive(Clone, Debug, Default)]
pub struct PlainPasswords(Arc<AtomicU64>);

impl Passwords for PlainPasswords {
    fn hash(&self, _: Lane, password: String) -> Pending<'_, Result<String, Busy>> {
        let salt = self.0.fetch_add(1, Ordering::Relaxed);
        Box::pin(ready(Ok(format!("plain${salt}${password}"))))
    }

    fn verify(&self, _: Lane, password: String, hash: Option<String>) -> Pending<'_, Result<bool, Busy>> {
        let stored = hash.as_deref().and_then(|hash| hash.splitn(3, '$').nth(2));
        let fits = stored == Some(password.as_str());
        Box::pin(ready(Ok(fits)))
    }
}
