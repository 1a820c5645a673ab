//! Rate limits for one signed-in user.
//!
//! The store counts the hourly limits in the transaction of the action. So all processes share one count, and
//! refused actions do not count. A process remembers the users who have reached an hourly limit. It refuses
//! their further requests without trying the action.
//!
//! The writes per minute are counted only in the memory of each process, because a count in the store would cost
//! each request a statement. So N processes together allow N times as many writes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bolts_kernel::{Code, Timestamp, UserId};
use bolts_ports::{JobError, Lane, Result, StoreError, Tx, submit_for};

use crate::accounts::{TooMany, count_rare};
use crate::idempotency::answered;
use crate::{App, Idempotent, KeyReused, Refused, Reply, Rules};

const HOUR: Duration = Duration::from_hours(1);

const MINUTE_MICROS: i64 = 60 * 1_000_000;

/// The limit on searches for users, per user and minute on one process. A page searches while the user types.
const SEARCHES_PER_MINUTE: u32 = 60;

/// The limit on proposals, answers and disputes together, per user and hour.
const ACTIONS_PER_HOUR: u32 = 120;

/// The limit on messages, per user and hour.
const MESSAGES_PER_HOUR: u32 = 30;

/// The limit on uploaded pictures, per user and hour. Files that are refused as no picture count too.
const PICTURES_PER_HOUR: u32 = 10;

/// An action with an hourly limit per user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hourly {
    /// The creation of a bet.
    Bets,
    /// A proposal, an answer to a proposal, or a dispute.
    Actions,
    /// A message on a bet.
    Messages,
    /// An uploaded picture.
    Pictures,
}

/// The user has reached an hourly limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", match kind {
    Hourly::Bets => "You have created many bets within an hour. Please wait a while before you create another one.",
    Hourly::Actions => "You have made many proposals, answers and disputes within an hour. Please wait a while and try again.",
    Hourly::Messages => "You have written many messages within an hour. Please wait a while before you write another one.",
    Hourly::Pictures => "You have added many pictures within an hour. Please wait a while before you add another one.",
})]
pub struct HourlyLimit {
    /// The limited action.
    pub kind: Hourly,
    /// The time that the user must wait.
    pub retry_after: Duration,
}

impl From<HourlyLimit> for Refused {
    fn from(limit: HourlyLimit) -> Self {
        let code = match limit.kind {
            Hourly::Bets => Code::TooManyBets,
            Hourly::Actions => Code::TooManyActions,
            Hourly::Messages => Code::TooManyMessages,
            Hourly::Pictures => Code::TooManyPictures,
        };
        Self::new(code, limit.to_string()).retry_after(limit.retry_after)
    }
}

impl Hourly {
    fn bucket(self, user: UserId) -> String {
        match self {
            Self::Bets => format!("bets:{user}"),
            Self::Actions => format!("actions:{user}"),
            Self::Messages => format!("messages:{user}"),
            Self::Pictures => format!("pictures:{user}"),
        }
    }

    /// Counts an action of this kind towards the user's hourly limit, in the transaction of the action.
    pub(crate) fn count(
        self,
        tx: &mut dyn Tx,
        user: UserId,
        rules: Rules,
        now: Timestamp,
    ) -> Result<std::result::Result<(), HourlyLimit>> {
        let limit = match self {
            Self::Bets => rules.bets_per_hour,
            Self::Actions | Self::Messages | Self::Pictures if rules.writes_per_minute == 0 => 0,
            Self::Actions => ACTIONS_PER_HOUR,
            Self::Messages => MESSAGES_PER_HOUR,
            Self::Pictures => PICTURES_PER_HOUR,
        };
        let counted = count_rare(tx, &self.bucket(user), limit, HOUR, now)?;
        Ok(counted.map_err(|TooMany { retry_after }| HourlyLimit { kind: self, retry_after }))
    }
}

/// The counts and the reached limits that this process keeps in memory.
#[derive(Debug, Default)]
pub(crate) struct UserLimits {
    /// The number of each user's writes in the current minute.
    writes: Mutex<PerMinute>,
    /// The number of each user's searches for users in the current minute.
    searches: Mutex<PerMinute>,
    /// The hourly limits that users have reached, each with the time at which the refusals end.
    reached: Mutex<HashMap<(UserId, Hourly), Timestamp>>,
}

#[derive(Debug, Default)]
struct PerMinute {
    minute: i64,
    by_user: HashMap<UserId, u32>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PerMinute {
    fn count(&mut self, user: UserId, limit: u32, now: Timestamp) -> std::result::Result<(), TooMany> {
        if limit == 0 {
            return Ok(());
        }
        let (minute, passed) =
            (now.micros().div_euclid(MINUTE_MICROS), now.micros().rem_euclid(MINUTE_MICROS));
        if self.minute != minute {
            *self = Self { minute, by_user: HashMap::new() };
        }
        let count = self.by_user.entry(user).or_default();
        if *count >= limit {
            let left = (MINUTE_MICROS - passed).unsigned_abs();
            return Err(TooMany { retry_after: Duration::from_micros(left) });
        }
        *count += 1;
        Ok(())
    }
}

/// The time until a remembered limit ends. `None` if the limit has ended. A wait of more than an hour means that the clock
/// was set back. Then the remembered limit is ignored.
fn wait(until: Timestamp, now: Timestamp) -> Option<Duration> {
    Some(until.since(now)).filter(|wait| !wait.is_zero() && *wait <= HOUR)
}

impl UserLimits {
    /// The limit of this kind that this user has reached, as far as this process knows.
    pub(crate) fn reached(&self, user: UserId, kind: Hourly, now: Timestamp) -> Option<HourlyLimit> {
        let until = locked(&self.reached).get(&(user, kind)).copied()?;
        Some(HourlyLimit { kind, retry_after: wait(until, now)? })
    }

    fn remember(&self, user: UserId, limit: HourlyLimit, now: Timestamp) {
        let mut reached = locked(&self.reached);
        reached.retain(|_, until| wait(*until, now).is_some());
        reached.insert((user, limit.kind), now.after(limit.retry_after));
    }
}

impl App {
    /// Counts a request of the user that may write. Each process has its own count.
    ///
    /// # Errors
    /// The user has reached the limit of this minute.
    pub fn count_write(&self, user: UserId) -> std::result::Result<(), TooMany> {
        locked(&self.limits.writes).count(user, self.rules.writes_per_minute, self.now())
    }

    /// Counts a search of the user for other users. Each process has its own count. Like the other limits, it is lifted
    /// with the limit on writes.
    ///
    /// # Errors
    /// The user has reached the limit of this minute.
    pub fn count_search(&self, user: UserId) -> std::result::Result<(), TooMany> {
        let limit = if self.rules.writes_per_minute == 0 { 0 } else { SEARCHES_PER_MINUTE };
        locked(&self.limits.searches).count(user, limit, self.now())
    }

    /// Runs an action with an hourly limit. If this process knows that the limit is reached, the action does not
    /// run: a repeated request gets its stored answer, and any other request is refused.
    pub(crate) async fn within_hourly<T, E>(
        &self,
        user: UserId,
        kind: Hourly,
        idempotency: Option<Idempotent<T>>,
        reached: fn(&E) -> Option<HourlyLimit>,
        attempt: impl Future<Output = std::result::Result<Reply<T>, E>>,
    ) -> std::result::Result<Reply<T>, E>
    where
        T: Send + 'static,
        E: JobError + From<HourlyLimit> + From<KeyReused> + From<StoreError>,
    {
        let now = self.now();
        if let Some(limit) = self.limits.reached(user, kind, now) {
            let Some(idempotency) = idempotency else { return Err(limit.into()) };
            let told = submit_for(&*self.store, Lane::User(user), move |tx| {
                answered::<_, E>(tx, Some(&idempotency), now)
            });
            return told.await?.map(Reply::Replayed).ok_or_else(|| limit.into());
        }
        let answer = attempt.await;
        if let Some(limit) = answer.as_ref().err().and_then(reached) {
            self.limits.remember(user, limit, now);
        }
        answer
    }
}
