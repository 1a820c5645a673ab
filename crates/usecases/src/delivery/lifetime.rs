//! How long a delivery is worth an attempt. A site whose mails were off for a month must not send the mails of this month.

use std::time::Duration;

use bolts_delivery::{Channel, LINK_ATTEMPTS_FOR, NOTICE_ATTEMPTS_FOR, RECEIVER_ATTEMPTS_FOR, Topic};
use bolts_kernel::Timestamp;
use bolts_ports::{Cause, Delivery, Fate, Result, Tx};

use crate::App;

/// The number of deliveries of a digest that one statement reads.
const HELD: u32 = 100;

/// The maximum number of deliveries that one job gives up.
const AT_ONCE: u32 = 500;

/// The time after which a delivery that was not sent is given up.
fn lifetime(delivery: &Delivery) -> Duration {
    if delivery.channel != Channel::Email {
        return RECEIVER_ATTEMPTS_FOR;
    }
    match &delivery.cause {
        Cause::ConfirmAddress | Cause::ResetPassword => LINK_ATTEMPTS_FOR,
        Cause::Notification { kind, .. } if Topic::of(kind) == Topic::Security => NOTICE_ATTEMPTS_FOR * 2,
        Cause::Notification { .. }
        | Cause::Digest
        | Cause::AddressChanging
        | Cause::AddressChanged
        | Cause::AccountDeleted => NOTICE_ATTEMPTS_FOR,
    }
}

/// Whether an attempt at this time comes too late.
pub(super) fn is_over(delivery: &Delivery, at: Timestamp) -> bool {
    at >= delivery.created_at.after(lifetime(delivery))
}

/// Whether a notification that was written at this time is given up together with the digest. Later notifications belong to a later
/// digest.
pub(super) fn ends_with(digest: &Delivery, written_at: Timestamp) -> bool {
    written_at <= digest.created_at
}

/// Gives up a delivery that waited too long. If it is a digest, gives up the notifications that were held for it too.
pub(super) fn give_up(tx: &mut dyn Tx, delivery: &Delivery, now: Timestamp) -> Result<()> {
    let fate = Fate::GivenUp("it waited too long".to_owned());
    tx.deliveries().settle(delivery.id, &fate, now)?;
    let Some(user) = delivery.user.filter(|_| delivery.cause == Cause::Digest) else { return Ok(()) };
    loop {
        let mut held = tx.deliveries().held(user, HELD, now)?;
        held.retain(|one| ends_with(delivery, one.created_at));
        if held.is_empty() {
            return Ok(());
        }
        held.iter().try_for_each(|one| tx.deliveries().settle(one.id, &fate, now))?;
    }
}

/// Counts and logs deliveries that were given up because they waited too long.
pub(super) fn note_late(channel: Channel, late: u64) {
    if late == 0 {
        return;
    }
    let name = channel.as_str();
    metrics::counter!("bolts_deliveries_total", "channel" => name, "outcome" => "too_late").increment(late);
    // A user could fill the log with the failures of an own server.
    if channel == Channel::Email {
        tracing::warn!(channel = name, late, "deliveries are given up, because they waited too long");
    } else {
        tracing::debug!(channel = name, late, "deliveries are given up, because they waited too long");
    }
}

impl App {
    /// Gives up the deliveries that were due before this time and that no worker took since then. A channel may have no worker:
    /// the mails of a site that had a relay once, and has none now. Their addresses stay verified.
    pub(crate) async fn give_up_untaken(&self, before: Timestamp) -> Result<()> {
        let now = self.now();
        for channel in Channel::ALL {
            let give_up_some = move |tx: &mut dyn Tx| {
                let untaken = tx.deliveries().untaken(channel, before, AT_ONCE, now)?;
                untaken.iter().try_for_each(|delivery| give_up(tx, delivery, now))?;
                Ok(untaken.len() as u64)
            };
            self.in_parts(AT_ONCE, give_up_some, |given_up| note_late(channel, given_up)).await?;
        }
        Ok(())
    }
}
