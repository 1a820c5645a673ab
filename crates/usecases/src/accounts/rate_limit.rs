//! Rate limits on sign-ups, sign-ins and wrong passwords, counted in the store so that all processes share them.

use std::net::IpAddr;
use std::time::Duration;

use bolts_kernel::{Code, Timestamp, UserId};
use bolts_ports::{Lane, Network, RateLimitState, Result, Tx};

use crate::Refused;

/// The limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Too many attempts. Please wait a moment and try again.")]
pub struct TooMany {
    /// The time until another attempt makes sense.
    pub retry_after: Duration,
}

impl From<TooMany> for Refused {
    fn from(error: TooMany) -> Self {
        Self::new(Code::TooManyRequests, error.to_string()).retry_after(error.retry_after)
    }
}

/// A browser in which a user has signed in before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// The random id of the device, created at the first sign-in.
    pub id: String,
    /// The user who signed in there last.
    pub user: UserId,
}

/// The sender of a request without a session.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The client's address.
    pub address: IpAddr,
    /// The device, if the request shows that a user has signed in there before.
    pub device: Option<Device>,
}

impl From<IpAddr> for Visitor {
    fn from(address: IpAddr) -> Self {
        Self { address, device: None }
    }
}

impl Visitor {
    pub(crate) fn lane(&self) -> Lane {
        Lane::visitor(self.address)
    }
}

/// The number of wrong passwords without a wait, per e-mail address and network, device or session.
const FREE_FAILURES: i64 = 10;

/// The factor between the limits of an IPv6 /48 and of a /64.
const SITE_FACTOR: u32 = 10;

/// The wait after the first failure above the limit. It doubles with each further failure.
const FIRST_WAIT: Duration = Duration::from_secs(30);

/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

/// Wrong passwords are forgotten after this time without another one.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// The number of wrong passwords per e-mail address from all networks within [`SPREAD_WINDOW`], against
/// distributed attacks. The window is short, so that such an attack locks the user out only for a short time.
/// This limit does not apply to devices on which the user signed in before.
const SPREAD_LIMIT: u32 = 100;

/// See [`SPREAD_LIMIT`].
const SPREAD_WINDOW: Duration = Duration::from_secs(60);

/// Counts one action, of which `limit` are allowed per `window`. 0 lifts the limit.
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
    let full = tx.throttles().count(bucket, limit, now.before(window), now)?;
    Ok(full.map_or(Ok(()), |since| {
        let retry_after = window.saturating_sub(now.since(since)).max(Duration::from_secs(1));
        Err(TooMany { retry_after })
    }))
}

/// Counts one action of a network, which may do `limit` of them per `window`. An IPv6 /48 may do ten times as
/// many.
pub(crate) fn count_network(
    tx: &mut dyn Tx,
    what: &str,
    network: Network,
    limit: u32,
    window: Duration,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    let site = network.site().map(|site| (site, limit.saturating_mul(SITE_FACTOR)));
    for (network, limit) in [Some((network, limit)), site].into_iter().flatten() {
        if let Err(refused) = count(tx, &format!("{what}:{network}"), limit, window, now)? {
            return Ok(Err(refused));
        }
    }
    Ok(Ok(()))
}

/// One attempt at a password, and the buckets that it counts in.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// The limit on attempts per minute.
    rate: Rate,
    /// The bucket of the e-mail address for all networks.
    spread: Option<String>,
    /// The buckets of wrong passwords, each with the number that needs no wait.
    failures: Vec<(String, i64)>,
}

#[derive(Clone, Debug)]
enum Rate {
    Network(Network),
    Device(String),
    None,
}

impl Attempt {
    /// A sign-in without a known device.
    pub(crate) fn of_network(email: &str, address: IpAddr) -> Self {
        let network = Network::of(address);
        let site = network.site().map(|site| (site, FREE_FAILURES * i64::from(SITE_FACTOR)));
        let networks = [Some((network, FREE_FAILURES)), site];
        let bucket = |(network, free)| (format!("password:{email}:{network}"), free);
        Self {
            rate: Rate::Network(network),
            spread: Some(format!("password:{email}")),
            failures: networks.into_iter().flatten().map(bucket).collect(),
        }
    }

    /// A sign-in on a device on which this user has signed in before. Attempts of other people count in other
    /// buckets, also in the same network.
    pub(crate) fn of_device(email: &str, device: &Device) -> Self {
        let id = &device.id;
        Self {
            rate: Rate::Device(format!("sign_in:device:{id}")),
            spread: None,
            failures: vec![(format!("password:{email}:device:{id}"), FREE_FAILURES)],
        }
    }

    /// A password check of a signed-in user. `session` is the hash of the session's secret.
    pub(crate) fn of_session(session: &str) -> Self {
        let failures = vec![(format!("password:session:{session}"), FREE_FAILURES)];
        Self { rate: Rate::None, spread: None, failures }
    }

    /// Counts the attempt as a failure before the password is checked, so that simultaneous attempts cannot
    /// exceed the limit. [`Attempt::succeeded`] undoes this.
    pub(crate) fn begin(
        &self,
        tx: &mut dyn Tx,
        per_minute: u32,
        now: Timestamp,
    ) -> Result<std::result::Result<(), TooMany>> {
        let minute = Duration::from_secs(60);
        let rate = match &self.rate {
            Rate::Network(network) => count_network(tx, "sign_in", *network, per_minute, minute, now)?,
            Rate::Device(bucket) => count(tx, bucket, per_minute, minute, now)?,
            Rate::None => Ok(()),
        };
        if rate.is_err() {
            return Ok(rate);
        }
        if let Some(spread) = &self.spread {
            let spread = count(tx, spread, SPREAD_LIMIT, SPREAD_WINDOW, now)?;
            if spread.is_err() {
                return Ok(spread);
            }
        }
        for (bucket, free) in &self.failures {
            let failure = count_failure(tx, bucket, *free, now)?;
            if failure.is_err() {
                return Ok(failure);
            }
        }
        Ok(Ok(()))
    }

    /// Undoes the count, because the password was not checked.
    pub(crate) fn take_back(&self, tx: &mut dyn Tx) -> Result<()> {
        let failures = self.failures.iter().map(|(bucket, _)| bucket);
        self.spread.iter().chain(failures).try_for_each(|bucket| uncount(tx, bucket))
    }

    /// The password was right. Its failures are forgotten, and the attempt does not count for the e-mail
    /// address.
    pub(crate) fn succeeded(&self, tx: &mut dyn Tx) -> Result<()> {
        // The same order as in `begin`, so that two sign-ins never lock each other out.
        self.spread.iter().try_for_each(|bucket| uncount(tx, bucket))?;
        self.failures.iter().try_for_each(|(bucket, _)| tx.throttles().forget(bucket))
    }
}

fn count_failure(
    tx: &mut dyn Tx,
    bucket: &str,
    free: i64,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    let failures = tx.throttles().lock(bucket)?;
    let failures = failures.filter(|known| now.since(known.last) < FORGOTTEN_AFTER);
    let failures = failures.unwrap_or(RateLimitState { count: 0, since: now, last: now });
    let wait = wait_after(failures.count, free);
    let passed = now.since(failures.last);
    if passed < wait {
        return Ok(Err(TooMany { retry_after: wait.saturating_sub(passed) }));
    }
    tx.throttles().put(bucket, RateLimitState { count: failures.count + 1, last: now, ..failures })?;
    Ok(Ok(()))
}

/// Decreases a count by one. A count of 0 is deleted.
fn uncount(tx: &mut dyn Tx, bucket: &str) -> Result<()> {
    match tx.throttles().lock(bucket)? {
        Some(known) if known.count > 1 => {
            tx.throttles().put(bucket, RateLimitState { count: known.count - 1, ..known })
        }
        Some(_) => tx.throttles().forget(bucket),
        None => Ok(()),
    }
}

/// The wait until the next attempt after this number of failures.
fn wait_after(failures: i64, free: i64) -> Duration {
    let Ok(beyond) = u32::try_from(failures - free) else { return Duration::ZERO };
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(beyond)).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_begins_after_the_free_failures_and_doubles_up_to_an_hour() {
        let waits: Vec<u64> = [0, 9, 10, 11, 12, 16, 17, 500].map(|n| wait_after(n, 10).as_secs()).to_vec();
        assert_eq!(waits, [0, 0, 30, 60, 120, 1_920, 3_600, 3_600]);
        assert_eq!([99, 100, 101].map(|n| wait_after(n, 100).as_secs()), [0, 30, 60]);
    }
}
