//! Ports of the environment: clock, ids, randomness and passwords.

use std::future::Future;
use std::pin::Pin;

use bolts_kernel::Timestamp;

use crate::network::Lane;

/// A boxed future, because the methods of trait objects cannot be `async`.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// The current time, truncated to microseconds.
    fn now(&self) -> Timestamp;
}

/// A source of ids. It must never return an id twice. Within one process, a later id must sort after an earlier one.
pub trait Ids: Send + Sync {
    /// A new id as a number: 128 bits in the layout of UUID version 7.
    fn next(&self) -> u128;
}

impl dyn Ids + '_ {
    /// A new id of this type.
    pub fn id<T: From<u128>>(&self) -> T {
        self.next().into()
    }
}

/// A source of unpredictable bytes.
pub trait Randomness: Send + Sync {
    /// Fills `bytes` with unpredictable bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// Too many passwords are being checked. The caller may try again in a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are being checked at once")]
pub struct Busy;

/// Hashes and checks passwords. The work must not run on the threads that serve requests, and must use bounded memory.
/// If passwords wait, their lanes must take turns.
pub trait Passwords: Send + Sync {
    /// The password's hash, with its salt and parameters. Two calls must return different hashes, even for equal
    /// passwords.
    fn hash(&self, lane: Lane, password: String) -> Pending<'_, Result<String, Busy>>;

    /// Whether the password matches this hash. `None` means that the account does not exist. Then the call must take
    /// the same time and answer `false`.
    fn verify(&self, lane: Lane, password: String, hash: Option<String>) -> Pending<'_, Result<bool, Busy>>;
}
