use std::future::Future;
use std::pin::Pin;

use bolts_kernel::Timestamp;

use crate::network::Lane;

/// An answer that takes a while.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What time it is.
pub trait Clock: Send + Sync {
    /// Now, cut to microseconds.
    fn now(&self) -> Timestamp;
}

/// Makes ids. Must never give one twice, and later ones must sort later within a process.
pub trait Ids: Send + Sync {
    /// 128 bits in UUID version 7's layout, as a number; typed by the caller.
    fn next(&self) -> u128;
}

/// A source of bytes that nobody can guess.
pub trait Randomness: Send + Sync {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// Too many passwords are being checked already; ask again in a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are being checked at once")]
pub struct Busy;

/// Hashes passwords, off the threads that serve requests, within bounded memory. Where passwords wait, their lanes must
/// take turns.
pub trait Passwords: Send + Sync {
    /// A hash with its salt and parameters. Must differ from call to call.
    fn hash(&self, lane: Lane, password: String) -> Pending<'_, Result<String, Busy>>;

    /// Whether the password has that hash. With `None`, for an account that does not exist, must take the same
    /// time and answer `false`.
    fn verify(&self, lane: Lane, password: String, hash: Option<String>) -> Pending<'_, Result<bool, Busy>>;
}
