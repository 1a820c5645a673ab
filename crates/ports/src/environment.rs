//! Ports of the environment: clock, ids, randomness and passwords.

use std::future::Future;
use std::pin::Pin;

use bolts_kernel::Timestamp;

use crate::network::Lane;

/// A future result.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// The current time, cut to microseconds.
    fn now(&self) -> Timestamp;
}

/// A source of ids. Must never give an id twice. Within a process, a later id must sort after an earlier one.
pub trait Ids: Send + Sync {
    /// 128 bits in the layout of UUID version 7, as a number.
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

/// Hashes passwords, off the threads that serve requests, within bounded memory. Where passwords wait, their lanes must
/// take turns.
pub trait Passwords: Send + Sync {
    /// A hash with its salt and parameters. Must differ from call to call.
    fn hash(&self, lane: Lane, password: String) -> Pending<'_, Result<String, Busy>>;

    /// Whether the password has this hash. `None` stands for an account that does not exist: the call must
    /// take the same time and answer `false`.
    fn verify(&self, lane: Lane, password: String, hash: Option<String>) -> Pending<'_, Result<bool, Busy>>;
}
