//! Rate limits on sign-ups, sign-ins and wrong passwords, counted in the store so that all processes share them.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::{Code, Timestamp, UserId, sha256_hex};
use bolts_ports::{
    Ids, Lane, Network, NewSession, NoticeBody, Origin, RateLimitState, Result, SecurityNotice, Tx,
};

use crate::Refused;
use crate::notifications::tell;

/// A rate limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Too many attempts. Please wait a moment and try again.")]
pub struct TooMany {
    /// The time until the next attempt is allowed.
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
    /// The random id of the device.
    pub id: String,
    /// The user who last signed in on the device.
    pub user: UserId,
}

/// The sender of a request without a session.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The client's address.
    pub address: IpAddr,
    /// The device, if a cookie of the request shows that a user has signed in on it before.
    pub device: Option<Device>,
    /// Browser and system in words, such as `Firefox on Linux`, if the request names them.
    pub browser: Option<String>,
}

impl From<IpAddr> for Visitor {
    fn from(address: IpAddr) -> Self {
        Self { address, device: None, browser: None }
    }
}

impl Visitor {
    pub(crate) fn lane(&self) -> Lane {
        Lane::visitor(self.address)
    }

    /// The origin of a sign-in, for the list of sessions.
    pub(crate) fn origin(&self) -> Origin {
        Origin { device: self.browser.clone(), network: Some(Network::place_of(self.address)) }
    }

    /// Tells the user about the new session, if the user has not signed in with this browser before.
    pub(crate) fn note_new_device(
        &self,
        tx: &mut dyn Tx,
        session: &NewSession,
        ids: &Arc<dyn Ids>,
        now: Timestamp,
    ) -> Result<()> {
        if self.device.as_ref().is_some_and(|device| device.user == session.user) {
            return Ok(());
        }
        let body = NoticeBody::Security(SecurityNotice::NewDevice(session.origin.clone()));
        tell(tx, session.user, body, ids, now)
    }
}

/// The number of wrong passwords before the user has to wait. Each e-mail address in each network, each
/// device and each session has its own count.
const FREE_FAILURES: i64 = 10;

/// The number of wrong proofs of the second factor in all sessions of a user together before these sessions have to wait. All
/// devices of a user have such a count too.
const FREE_FAILURES_TOGETHER: i64 = 100;

/// The limits of an IPv6 /48 are this many times as high as those of a /64.
const SITE_FACTOR: u32 = 10;

/// The first wait between two attempts. The wait doubles with each further wrong password.
const FIRST_WAIT: Duration = Duration::from_secs(30);

/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// The count of wrong passwords starts again at 0 after this time without a wrong password. So does a count whose latest wrong
/// password has the time of a wrong clock: its wait would not end before this clock is reached.
const FORGOTTEN_AFTER: Duration = Duration::from_hours(24);

/// The limit on new passwords, keys, passkeys and recovery codes together, per user and hour.
const SECURITY_CHANGES: u32 = 30;

/// The limit on wrong passwords per e-mail address from all networks within [`SPREAD_WINDOW`], against
/// distributed attacks. The window is short, so that such an attack locks the user out only for a short time.
/// This limit does not apply to devices on which the user signed in before.
const SPREAD_LIMIT: u32 = 100;

/// The window of [`SPREAD_LIMIT`]: 1 minute.
const SPREAD_WINDOW: Duration = Duration::from_mins(1);

/// Counts one action in `bucket`. At most `limit` actions are allowed per `window`. A `limit` of 0 means no limit.
pub(crate) fn count(
    tx: &mut dyn Tx,
    bucket: &str,
    limit: u32,
    window: Duration,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    within(limit, window, now, |expired| tx.throttles().count(bucket, limit, expired, now))
}

/// Counts a change of the security of this user's account. Each change causes mails that the user cannot turn off, so without
/// a limit a user could cause any number of mails.
pub(crate) fn count_security_change(
    tx: &mut dyn Tx,
    user: UserId,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    count(tx, &format!("security:{user}"), SECURITY_CHANGES, Duration::from_hours(1), now)
}

/// Counts like [`count`], for a limit that is rarely reached. A caller who has reached it must not try often: each time the
/// store may run other jobs again.
pub(crate) fn count_rare(
    tx: &mut dyn Tx,
    bucket: &str,
    limit: u32,
    window: Duration,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    within(limit, window, now, |expired| tx.throttles().count_rare(bucket, limit, expired, now))
}

/// Checks a limit. A limit of 0 means no limit. Otherwise `count` counts the action. `count` gets a time: a window that began
/// then or earlier has ended. If the limit is reached, `count` returns the start of the current window.
fn within(
    limit: u32,
    window: Duration,
    now: Timestamp,
    count: impl FnOnce(Timestamp) -> Result<Option<Timestamp>>,
) -> Result<std::result::Result<(), TooMany>> {
    if limit == 0 {
        return Ok(Ok(()));
    }
    Ok(count(now.before(window))?.map_or(Ok(()), |since| {
        let retry_after = window.saturating_sub(now.since(since)).max(Duration::from_secs(1));
        Err(TooMany { retry_after })
    }))
}

/// Counts one action of a network. A network may do at most `limit` such actions per `window`, and an IPv6 /48 ten
/// times as many.
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

/// One attempt to enter a password, and the counters (buckets) in which it counts.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// The counter for the limit on attempts per minute.
    rate: Rate,
    /// The counter of the e-mail address over all networks. `None` if this limit does not apply.
    spread: Option<String>,
    /// The counters of wrong passwords, each with the number of wrong passwords that cause no wait.
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
        let account = name_of(email);
        Self {
            rate: Rate::Network(Network::of(address)),
            spread: Some(format!("passwords:{account}")),
            failures: by_network(&format!("password:{account}"), address),
        }
    }

    /// A sign-in with a passkey whose user is not known yet, or a wrong API key.
    pub(crate) fn of_network_alone(address: IpAddr) -> Self {
        Self { rate: Rate::Network(Network::of(address)), spread: None, failures: Vec::new() }
    }

    /// A sign-in on a device on which this user has signed in before. Attempts of other people count in other
    /// counters, even if they come from the same network.
    pub(crate) fn of_device(email: &str, device: &Device) -> Self {
        let (account, id) = (name_of(email), &device.id);
        Self {
            rate: Rate::Device(format!("sign_in:device:{id}")),
            spread: None,
            failures: vec![(format!("password:{account}:device:{id}"), FREE_FAILURES)],
        }
    }

    /// A sign-in with an answer that names the passkey with this id. Wrong answers count like wrong passwords: for each account
    /// in each network, or for each device on which this user has signed in before. So a stranger who learned the id of a
    /// passkey locks nobody out elsewhere. There is no limit over all networks, because nobody can guess a signature. Answers
    /// that name an unknown passkey are counted too, so that they get the same refusals.
    pub(crate) fn of_passkey(user: Option<UserId>, passkey: &str, from: &Visitor) -> Self {
        let account = user.map_or_else(|| sha256_hex(passkey), |user| user.to_string());
        let failures = match &from.device {
            Some(device) if Some(device.user) == user => {
                vec![(format!("passkey:{account}:device:{}", device.id), FREE_FAILURES)]
            }
            Some(_) | None => by_network(&format!("passkey:{account}"), from.address),
        };
        Self { rate: Rate::None, spread: None, failures }
    }

    /// A password check of a signed-in user. `session` is the hash of the session's secret.
    pub(crate) fn of_session(session: &str) -> Self {
        let failures = vec![(format!("password:session:{session}"), FREE_FAILURES)];
        Self { rate: Rate::None, spread: None, failures }
    }

    /// A password check of a program. `key` is the hash of its API key.
    pub(crate) fn of_key(key: &str) -> Self {
        let failures = vec![(format!("password:key:{key}"), FREE_FAILURES)];
        Self { rate: Rate::None, spread: None, failures }
    }

    /// A proof of the second factor in a sign-in. Wrong proofs count per user, in all networks together: somebody with the
    /// password must not get more guesses from more addresses. A device on which the user has signed in before has a count
    /// of its own, so that a stranger with the password cannot lock the user out. All these devices together have a count too:
    /// somebody with the password may have signed in on many of them before the user added a second factor. A new password
    /// ends such guesses, because a proof needs a sign-in that began with the present password.
    pub(crate) fn of_factor(user: UserId, from: &Visitor) -> Self {
        match &from.device {
            Some(device) if device.user == user => Self {
                rate: Rate::Device(format!("sign_in:device:{}", device.id)),
                spread: None,
                failures: vec![
                    (format!("factor:{user}:device:{}", device.id), FREE_FAILURES),
                    (format!("factor:{user}:devices"), FREE_FAILURES_TOGETHER),
                ],
            },
            Some(_) | None => Self {
                rate: Rate::Network(Network::of(from.address)),
                spread: None,
                failures: vec![(format!("factor:{user}"), FREE_FAILURES)],
            },
        }
    }

    /// A proof of the second factor in a session. `session` is the hash of the session's secret. All sessions together have a
    /// count too: somebody with the password may have opened many of them before the user added a second factor.
    pub(crate) fn of_factor_in_session(user: UserId, session: &str) -> Self {
        let failures = vec![
            (format!("factor:{user}:session:{session}"), FREE_FAILURES),
            (format!("factor:{user}:sessions"), FREE_FAILURES_TOGETHER),
        ];
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
        let minute = Duration::from_mins(1);
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

    /// Undoes the count as a failure, because the password of this attempt was not checked.
    pub(crate) fn take_back(&self, tx: &mut dyn Tx) -> Result<()> {
        let failures = self.failures.iter().map(|(bucket, _)| bucket);
        self.spread.iter().chain(failures).try_for_each(|bucket| uncount(tx, bucket))
    }

    /// Records that the password was right. The counts of wrong passwords are deleted, and the attempt does not count
    /// towards the limit of the e-mail address.
    pub(crate) fn succeeded(&self, tx: &mut dyn Tx) -> Result<()> {
        // The counters are locked in the same order as in `begin`. This prevents a deadlock between two sign-ins.
        self.spread.iter().try_for_each(|bucket| uncount(tx, bucket))?;
        self.failures.iter().try_for_each(|(bucket, _)| tx.throttles().forget(bucket))
    }
}

/// An e-mail address in the names of counters. It is a hash, because a sign-in takes any text as an address, and a text could make
/// the name of another counter.
fn name_of(email: &str) -> String {
    sha256_hex(email)
}

/// The counters of failures in the network of an address. The IPv6 /48 has a counter of its own, with ten times the limit.
fn by_network(what: &str, address: IpAddr) -> Vec<(String, i64)> {
    let network = Network::of(address);
    let site = network.site().map(|site| (site, FREE_FAILURES * i64::from(SITE_FACTOR)));
    let networks = [Some((network, FREE_FAILURES)), site];
    networks.into_iter().flatten().map(|(network, free)| (format!("{what}:{network}"), free)).collect()
}

fn count_failure(
    tx: &mut dyn Tx,
    bucket: &str,
    free: i64,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    let failures = tx.throttles().lock(bucket)?;
    let failures = failures
        .filter(|known| now.since(known.last) < FORGOTTEN_AFTER && !known.last.is_of_wrong_clock(now));
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

/// The wait until the next attempt after this number of wrong passwords. The first `free` of them cause no wait.
fn wait_after(failures: i64, free: i64) -> Duration {
    let Ok(beyond) = u32::try_from(failures - free) else { return Duration::ZERO };
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(beyond)).min(LONGEST_WAIT)
}

/// Forgets the counts of a user whose account is deleted. The count of mails for a new password stays for its hour: it
/// protects the owner of the address, and a deletion must not lift it.
pub(super) fn forget_limits(tx: &mut dyn Tx, user: UserId, email: &str) -> Result<()> {
    let of_user =
        ["factor", "passkey", "bets", "actions", "messages", "pictures", "confirm_address", "export"];
    let buckets = of_user.iter().map(|what| format!("{what}:{user}"));
    let account = name_of(email);
    let mut buckets = buckets.chain([format!("password:{account}"), format!("passwords:{account}")]);
    buckets.try_for_each(|bucket| tx.throttles().forget_all(&bucket))
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
