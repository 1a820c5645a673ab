//! Limits on sign-ups and sign-ins (decisions, section 2), counted in the store so that all processes share them.

use std::net::IpAddr;
use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{Result, Tally, Tx};

/// It was tried too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Too many attempts. Please wait a moment and try again.")]
pub struct TooMany {
    /// When it makes sense to try again.
    pub retry_after: Duration,
}

/// Wrong passwords per email and address that cost nothing.
const FREE_FAILURES: i64 = 10;

/// The wait after the first failure too many; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(30);

/// It grows no further than this.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

/// Without a wrong password for so long, earlier ones are forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// Wrong passwords per email over all addresses within [`SPREAD_WINDOW`], the cap on a distributed attack. It is
/// short, so that it cannot lock the owner out for long.
const SPREAD_LIMIT: u32 = 100;

/// See [`SPREAD_LIMIT`].
const SPREAD_WINDOW: Duration = Duration::from_secs(60);

/// Counts one of something that `limit` are allowed of per `window`; 0 lifts the limit.
pub(crate) fn count(
    tx: &mut dyn Tx,
    bucket: &str,
    limit: u32,
    window: Duration,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    if limit == 0 {
        return Ok(Ok(()));
    }
    let tally = tx.throttles().lock(bucket)?.filter(|tally| now.since(tally.since) < window);
    let tally = tally.unwrap_or(Tally { count: 0, since: now, last: now });
    if tally.count >= i64::from(limit) {
        let retry_after = window.saturating_sub(now.since(tally.since)).max(Duration::from_secs(1));
        return Ok(Err(TooMany { retry_after }));
    }
    tx.throttles().put(bucket, Tally { count: tally.count + 1, last: now, ..tally })?;
    Ok(Ok(()))
}

/// The buckets of one sign-in attempt.
pub(crate) struct Attempt {
    pair: String,
    spread: String,
    address: String,
}

impl Attempt {
    pub(crate) fn new(email: &str, address: IpAddr) -> Self {
        Self {
            pair: format!("password:{email}:{address}"),
            spread: format!("password:{email}"),
            address: format!("sign_in:{address}"),
        }
    }

    /// Counts the attempt as a failure before the password is looked at, so that many at once cannot slip through;
    /// [`Attempt::succeeded`] takes it back.
    pub(crate) fn begin(
        &self,
        tx: &mut dyn Tx,
        per_minute: u32,
        now: Timestamp,
    ) -> Result<std::result::Result<(), TooMany>> {
        let minute = Duration::from_secs(60);
        let limits = [(&self.address, per_minute, minute), (&self.spread, SPREAD_LIMIT, SPREAD_WINDOW)];
        for (bucket, limit, window) in limits {
            if let Err(refused) = count(tx, bucket, limit, window, now)? {
                return Ok(Err(refused));
            }
        }
        let failures = tx.throttles().lock(&self.pair)?;
        let failures = failures.filter(|tally| now.since(tally.last) < FORGOTTEN_AFTER);
        let failures = failures.unwrap_or(Tally { count: 0, since: now, last: now });
        let wait = wait_after(failures.count);
        let passed = now.since(failures.last);
        if passed < wait {
            return Ok(Err(TooMany { retry_after: wait.saturating_sub(passed) }));
        }
        tx.throttles().put(&self.pair, Tally { count: failures.count + 1, last: now, ..failures })?;
        Ok(Ok(()))
    }

    /// The password was never looked at: the attempt is as if it never was.
    pub(crate) fn take_back(&self, tx: &mut dyn Tx) -> Result<()> {
        for bucket in [&self.spread, &self.pair] {
            if let Some(tally) = tx.throttles().lock(bucket)? {
                tx.throttles().put(bucket, Tally { count: (tally.count - 1).max(0), ..tally })?;
            }
        }
        Ok(())
    }

    /// The password was right: its failures are forgotten, and the attempt does not count against the email.
    pub(crate) fn succeeded(&self, tx: &mut dyn Tx) -> Result<()> {
        // In the order in which `begin` locks them, so that two sign-ins never wait for each other.
        if let Some(tally) = tx.throttles().lock(&self.spread)? {
            tx.throttles().put(&self.spread, Tally { count: (tally.count - 1).max(0), ..tally })?;
        }
        tx.throttles().forget(&self.pair)
    }
}

/// How long after the last of so many failures the next attempt may be made.
fn wait_after(failures: i64) -> Duration {
    let Ok(beyond) = u32::try_from(failures - FREE_FAILURES) else { return Duration::ZERO };
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(beyond)).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_begins_after_ten_failures_and_doubles_up_to_an_hour() {
        let waits: Vec<u64> = [0, 9, 10, 11, 12, 16, 17, 500].map(|n| wait_after(n).as_secs()).to_vec();
        assert_eq!(waits, [0, 0, 30, 60, 120, 1_920, 3_600, 3_600]);
    }
}
