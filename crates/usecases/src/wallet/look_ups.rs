//! The limits on look-ups of deposits in this process.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bolts_kernel::{DepositId, Timestamp};
use bolts_wallet::Deposit;

/// The provider is asked about one deposit at most once in this time, whatever causes the look-ups.
const ASKED_EVERY: Duration = Duration::from_secs(1);

/// After the expiry of its invoice, the provider is asked about a deposit at most once in this time. This time is
/// longer than for open invoices, because a user can have any number of expired invoices.
const EXPIRED_ASKED_EVERY: Duration = Duration::from_mins(1);

/// Pages and webhooks together cause at most this number of look-ups within [`ASKED_EVERY`]. Many accounts could otherwise use up
/// the rate limit of the provider, which payments need too.
const ASKED_AT_ONCE: usize = 50;

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
    /// Whether the provider was asked. `false` if there were too many look-ups of other deposits.
    has_asked: bool,
}

/// The answer to a webhook that asks for a look-up: when the look-up begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The look-up begins now.
    Now,
    /// The look-up is allowed after this time, and this webhook waits for it.
    After(Duration),
    /// An earlier webhook already waits for the next look-up. That look-up serves this webhook too.
    Shared,
}

impl LookUps {
    /// Begins a look-up. Returns `false` if the last look-up is too recent, or if there are too many look-ups.
    pub(super) fn begin(&self, deposit: &Deposit, now: Timestamp) -> bool {
        self.begin_unless_recent(deposit, now, |_| ()).is_none()
    }

    /// Begins a look-up for a webhook, or lets the webhook wait for the next look-up. `has_waited` is `true` for the
    /// webhook that has already waited. This webhook waits again, because no other webhook waits.
    pub(super) fn begin_or_wait(&self, deposit: &Deposit, has_waited: bool, now: Timestamp) -> Start {
        let later = self.begin_unless_recent(deposit, now, |latest| {
            let is_shared = latest.is_awaited && !has_waited;
            latest.is_awaited = true;
            if is_shared {
                Start::Shared
            } else {
                Start::After(latest.wait.saturating_sub(now.since(latest.at)))
            }
        });
        later.unwrap_or(Start::Now)
    }

    /// Begins a look-up at `now` and returns `None`. If the last look-up is too recent, or if there are too many look-ups, calls
    /// `blocked` and returns the result.
    fn begin_unless_recent<T>(
        &self,
        deposit: &Deposit,
        now: Timestamp,
        blocked: impl FnOnce(&mut Latest) -> T,
    ) -> Option<T> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Look-ups with a time in the future are removed, so that look-ups go on after the clock was set back.
        latest.retain(|_, latest| latest.at <= now && now.since(latest.at) < latest.wait);
        let asked = latest.values().filter(|latest| latest.has_asked && now.since(latest.at) < ASKED_EVERY);
        let has_asked = asked.count() < ASKED_AT_ONCE;
        match latest.entry(deposit.id) {
            Entry::Occupied(mut known) => Some(blocked(known.get_mut())),
            Entry::Vacant(vacant) => {
                let wait =
                    if has_asked && now >= deposit.expires_at { EXPIRED_ASKED_EVERY } else { ASKED_EVERY };
                let latest = vacant.insert(Latest { at: now, wait, is_awaited: false, has_asked });
                (!has_asked).then(|| blocked(latest))
            }
        }
    }
}
