//! The servers to which a user lets the site send: their addresses, and the limit on changes.

use std::time::Duration;

use bolts_kernel::{NotificationId, Timestamp, UserId, is_own, may_call};
use bolts_ports::{Cause, Destination, NewDelivery, Recipient, Result, Tx};
use url::Url;

use crate::accounts::{TooMany, count};
use crate::delivery::TEST_EVENT;

/// The maximum number of changes and tests, for each user, kind of receiver and hour.
const CHANGES: u32 = 30;

const HOUR: Duration = Duration::from_hours(1);

/// An address of at most `longest` bytes to which the site may send. Only the worker learns to which IP address its name
/// resolves, and refuses private ones too. The error is a sentence for the user.
pub(super) fn address(
    text: &str,
    longest: usize,
    allow_private: bool,
) -> std::result::Result<String, &'static str> {
    let text = text.trim();
    if text.len() > longest {
        return Err("The address is too long");
    }
    let malformed = "Enter an address that begins with https://";
    let url = Url::parse(text).map_err(|_| malformed)?;
    let is_right_kind = url.scheme() == "https" || (url.scheme() == "http" && allow_private && is_own(&url));
    if !is_right_kind || url.fragment().is_some() {
        return Err(malformed);
    }
    if !may_call(&url, allow_private) {
        return Err("The address must be on the public internet, without a user name");
    }
    Ok(url.into())
}

/// Counts a change or a test of a user's receivers. `kind` names the kind of receiver.
pub(super) fn count_change(
    tx: &mut dyn Tx,
    kind: &str,
    user: UserId,
    now: Timestamp,
) -> Result<std::result::Result<(), TooMany>> {
    count(tx, &format!("{kind}:{user}"), CHANGES, HOUR, now)
}

/// Writes a delivery of the kind `test` to this destination.
pub(super) fn enqueue_test(
    tx: &mut dyn Tx,
    to: &Destination,
    id: NotificationId,
    now: Timestamp,
) -> Result<()> {
    tx.deliveries().enqueue(&NewDelivery {
        name: format!("{id}.{}", to.id),
        channel: to.channel,
        user: Some(to.user),
        to: Recipient::Destination(to.id),
        cause: Cause::Notification { id, kind: TEST_EVENT.to_owned(), params: "{}".to_owned(), bet: None },
        at: now,
        due_at: now,
    })
}
