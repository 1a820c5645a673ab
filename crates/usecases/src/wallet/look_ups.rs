//! The limit on look-ups of one deposit in this process.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bolts_kernel::{DepositId, Timestamp};
use bolts_wallet::Deposit;

/// The provider is asked about one deposit at most once in this time, whatever causes the look-ups.
const ASKED_EVERY: Duration = Duration::from_secs(1);

/// The same after the expiry of the invoice, because a user can have any number of expired invoices.
const EXPIRED_ASKED_EVERY: Duration = Duration::from_secs(60);

/// The latest look-up of each deposit.
#[derive(Debug, Default)]
pub(super) struct LookUps(Mutex<HashMap<DepositId, Latest>>);

#[derive(Debug)]
struct Latest {
    at: Timestamp,
    /// The minimum time between this look-up and the next one.
    wait: Duration,
    /// Whether a webhook waits for the next look-up.
    is_awaited: bool,
}

/// The answer to a webhook that asks for a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The look-up begins now.
    Now,
    /// The look-up is allowed after this time, and this webhook waits for it.
    After(Duration),
    /// An earlier webhook waits for the next look-up, which answers this webhook too.
    Shared,
}

impl LookUps {
    /// Begins a look-up, unless the last one was a moment ago. `false` if it was.
    pub(super) fn begin(&self, deposit: &Deposit, now: Timestamp) -> bool {
        self.turn(deposit, now, |_| ()).is_none()
    }

    /// Begins a look-up for a webhook, or lets the webhook wait for the next one. `has_waited` says that the webhook
    /// has waited before: then no other webhook waits in its place.
    pub(super) fn begin_or_wait(&self, deposit: &Deposit, has_waited: bool, now: Timestamp) -> Turn {
        let turn = self.turn(deposit, now, |latest| {
            let is_shared = latest.is_awaited && !has_waited;
            latest.is_awaited = true;
            if is_shared {
                Turn::Shared
            } else {
                Turn::After(latest.wait.saturating_sub(now.since(latest.at)))
            }
        });
        turn.unwrap_or(Turn::Now)
    }

    /// `None` if a look-up begins at `now`. Otherwise what `blocked` makes of the look-up that was a moment ago.
    fn turn<T>(
        &self,
        deposit: &Deposit,
        now: Timestamp,
        blocked: impl FnOnce(&mut Latest) -> T,
    ) -> Option<T> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // If the clock was set back, look-ups must go on.
        latest.retain(|_, latest| latest.at <= now && now.since(latest.at) < latest.wait);
        if let Some(latest) = latest.get_mut(&deposit.id) {
            return Some(blocked(latest));
        }
        let wait = if now < deposit.expires_at { ASKED_EVERY } else { EXPIRED_ASKED_EVERY };
        latest.insert(deposit.id, Latest { at: now, wait, is_awaited: false });
        None
    }
}
