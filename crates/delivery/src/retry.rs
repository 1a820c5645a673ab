use std::time::Duration;

/// The wait after the first failed attempt. It doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(30);

/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// A notification that could not be sent for this time is given up: 2 days.
pub const NOTICE_ATTEMPTS_FOR: Duration = Duration::from_hours(48);

/// A message to the server of a user that could not be sent for this time is given up: 1 day.
pub const RECEIVER_ATTEMPTS_FOR: Duration = Duration::from_hours(24);

/// A mail with a link that could not be sent for this time is given up: 20 minutes. The user asks for a new link long
/// before.
pub const LINK_ATTEMPTS_FOR: Duration = Duration::from_mins(20);

/// A delivery that only another version of the program can read is given up at this age.
const OTHER_VERSION_FOR: Duration = Duration::from_hours(1);

/// The shortest wait of such a delivery.
const OTHER_VERSION_WAIT: Duration = Duration::from_mins(2);

/// The wait of a delivery of this age that only another version of the program can read. During an upgrade, a process of that
/// version may run beside this one, and takes the delivery. `None` if the delivery has waited long enough for such a process.
/// The wait grows with the age, so that many such deliveries do not come before all others again and again.
pub fn wait_for_other_version(age: Duration) -> Option<Duration> {
    (age < OTHER_VERSION_FOR).then(|| age.max(OTHER_VERSION_WAIT))
}

/// The wait after this number of failed attempts. `jitter` is a random number. It makes the wait up to a half shorter, so
/// that mails which failed together are not repeated together.
pub fn retry_after(attempts: u32, jitter: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    let wait = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_WAIT);
    wait - wait / 2 * (jitter % 1_000) / 1_000
}
