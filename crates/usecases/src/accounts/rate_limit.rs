//! Rate limits on sign-ups, sign-ins and wrong passwords, counted in the store so that all processes share them.

use std::net::IpAddr;
use std::time::Duration;

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Lane, Network, Result, Tally, Tx};

/// It was tried too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Too many attempts. Please wait a moment and try again.")]
pub struct TooMany {
    /// When it makes sense to try again.
    pub retry_after: Duration,
}

/// A browser in which a user has signed in before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its name: random, given at the first sign-in.
    pub id: String,
    /// Who signed in there last.
    pub user: UserId,
}

/// Who sends a request without a session.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The client's address.
    pub address: IpAddr,
    /// The browser, where it shows that somebody has signed in there before.
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

/// Wrong passwords per email and network, device or session that cost nothing.
const FREE_FAILURES: i64 = 10;

/// How much more an IPv6 /48 may do than one of its /64.
const SITE_FACTOR: u32 = 10;

/// The wait after the first failure too many; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(30);

/// It grows no further than this.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

/// Without a wrong password for so long, earlier ones are forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// Wrong passwords per email over all networks within [`SPREAD_WINDOW`], the cap on a distributed attack. The window is
/// short, so that such an attack locks nobody out for long. Devices on which the user signed in before pass this cap.
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
    let full = tx.throttles().count(bucket, limit, now.before(window), now)?;
    Ok(full.map_or(Ok(()), |since| {
        let retry_after = window.saturating_sub(now.since(since)).max(Duration::from_secs(1));
        Err(TooMany { retry_after })
    }))
}

/// Counts one of something that a network is allowed `limit` of per `window`, and an IPv6 /48 ten times as many.
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

/// One attempt at a password, and what it counts against.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// What limits attempts as such, per minute.
    rate: Rate,
    /// The bucket of the email over all networks.
    spread: Option<String>,
    /// Buckets of wrong passwords, and how many each has free.
    failures: Vec<(String, i64)>,
}

#[derive(Clone, Debug)]
enum Rate {
    Network(Network),
    Device(String),
    None,
}

impl Attempt {
    /// A sign-in from a network in which nobody is known.
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

    /// A sign-in on a device on which this user has signed in before: what strangers do counts elsewhere, in the same
    /// network too.
    pub(crate) fn of_device(email: &str, device: &Device) -> Self {
        let id = &device.id;
        Self {
            rate: Rate::Device(format!("sign_in:device:{id}")),
            spread: None,
            failures: vec![(format!("password:{email}:device:{id}"), FREE_FAILURES)],
        }
    }

    /// A signed-in user's password, asked once more. `session` is the hash of the session's secret.
    pub(crate) fn of_session(session: &str) -> Self {
        let failures = vec![(format!("password:session:{session}"), FREE_FAILURES)];
        Self { rate: Rate::None, spread: None, failures }
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

    /// The password was never looked at: the attempt is as if it never was.
    pub(crate) fn take_back(&self, tx: &mut dyn Tx) -> Result<()> {
        let failures = self.failures.iter().map(|(bucket, _)| bucket);
        self.spread.iter().chain(failures).try_for_each(|bucket| uncount(tx, bucket))
    }

    /// The password was right: its failures are forgotten, and the attempt does not count against the email.
    pub(crate) fn succeeded(&self, tx: &mut dyn Tx) -> Result<()> {
        // In the order in which `begin` locks them, so that two sign-ins never wait for each other.
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
    let failures = failures.filter(|tally| now.since(tally.last) < FORGOTTEN_AFTER);
    let failures = failures.unwrap_or(Tally { count: 0, since: now, last: now });
    let wait = wait_after(failures.count, free);
    let passed = now.since(failures.last);
    if passed < wait {
        return Ok(Err(TooMany { retry_after: wait.saturating_sub(passed) }));
    }
    tx.throttles().put(bucket, Tally { count: failures.count + 1, last: now, ..failures })?;
    Ok(Ok(()))
}

/// Counts one less. A count of nothing is not kept.
fn uncount(tx: &mut dyn Tx, bucket: &str) -> Result<()> {
    match tx.throttles().lock(bucket)? {
        Some(tally) if tally.count > 1 => {
            tx.throttles().put(bucket, Tally { count: tally.count - 1, ..tally })
        }
        Some(_) => tx.throttles().forget(bucket),
        None => Ok(()),
    }
}

/// How long after the last of so many failures the next attempt may be made.
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
