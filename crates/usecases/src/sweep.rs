//! The sweep: applies the deadlines of bets that are due. Any process may sweep. Each deadline is applied once.

use std::time::Duration;

use bolts_bets::{Change, Status};
use bolts_kernel::{BetId, Timestamp};
use bolts_messages::LOOSE_KEPT;
use bolts_ports::{ListStatus, PageRequest, StoreError, Tx, submit};
use bolts_resolution::deadlines;
use futures_util::future::join_all;

use crate::App;
use crate::accounts::{session_limits, shorten_cooldowns};
use crate::bets::record;
use crate::idempotency::KEPT;

/// The maximum number of bets that one round of the sweep handles together.
const CHUNK: u32 = 64;

/// The maximum number of expired rows that one job deletes.
const ROWS_AT_ONCE: u32 = 5_000;

/// The maximum number of pictures that one job deletes. A picture may have 2 MiB.
const PICTURES_AT_ONCE: u32 = 50;

/// The time for which counts of rate limits are kept after their last change.
const RATE_LIMITS_KEPT: Duration = Duration::from_hours(48);

/// The time for which deliveries are kept after their end, so that the operator can look for their errors: 7 days. Deliveries
/// that no worker took for this time are given up. Attempts to send a delivery end earlier than that.
const DELIVERIES_KEPT: Duration = Duration::from_hours(7 * 24);

/// The setting with the time of the last heartbeat, in microseconds.
pub(crate) const HEARTBEAT: &str = "swept_at";

/// The setting with the period in which no process sweeps: start and end in microseconds, separated by a space.
const PAUSE: &str = "sweeps_paused";

/// The setting with the latest outages: start and end of each in microseconds, separated by spaces. The latest comes last.
const OUTAGES: &str = "outage";

/// The number of outages that are kept. A deadline may have passed in an earlier outage than the latest one, if the
/// server stopped again before it swept.
const OUTAGES_KEPT: usize = 16;

/// The time for which a clock that jumped ahead may run before it is corrected. An outage before this time was a real one.
pub(crate) const AHEAD_AT_MOST: Duration = Duration::from_hours(7 * 24);

/// A start and an end.
type Period = (Timestamp, Timestamp);

impl App {
    /// Writes a heartbeat. If the last heartbeat is more than an hour old, records an outage. Deadlines that
    /// passed during the outage get a grace period. Must be called before the first request is served, and then
    /// at least every minute.
    pub async fn heartbeat(&self) -> Result<(), StoreError> {
        let now = self.now();
        let last = self.queries.setting(HEARTBEAT)?.and_then(|text| timestamp(&text));
        if let Some(last) = last.filter(|last| last.is_of_wrong_clock(now)) {
            tracing::warn!("the clock was set back by more than an hour");
            // The heartbeat comes last. So a process that ends before it does this again.
            self.correct_times(last, now).await?;
        }
        submit(&*self.store, move |tx| {
            note_outage(tx, now)?;
            end_outages(tx, now)?;
            tx.settings().put(HEARTBEAT, &now.micros().to_string())
        })
        .await
    }

    /// Corrects the times that were written while the clock was ahead, until the heartbeat `last`. A clock that jumps ahead
    /// records an outage, which contains the right time. If no outage shortly before `last` contains `now`, the clock may be
    /// behind now. Then all times stay, because an earlier end of a cooldown would help a thief.
    async fn correct_times(&self, last: Timestamp, now: Timestamp) -> Result<(), StoreError> {
        let known = periods(&self.queries.setting(OUTAGES)?.unwrap_or_default());
        let was_jump = |&(from, to): &Period| from <= now && now < to && last.since(to) < AHEAD_AT_MOST;
        if !known.iter().any(was_jump) {
            return Ok(());
        }
        tracing::warn!("the clock was ahead: deadlines and cooldowns that it made too late become earlier");
        self.shorten_waits(now).await?;
        submit(&*self.store, move |tx| shorten_cooldowns(tx, now)).await
    }

    /// Shortens the waits of all bets that a wrong clock has made too long.
    async fn shorten_waits(&self, now: Timestamp) -> Result<(), StoreError> {
        for status in [Status::Accepted, Status::AwaitingResolution] {
            let mut after = None;
            loop {
                let page = PageRequest { limit: CHUNK, after };
                let page = self.queries.all_bets(Some(ListStatus::Only(status)), page)?;
                for view in page.items {
                    if deadlines::shortened(&view.bet, now).is_some() {
                        self.shorten_waits_of(view.bet.id, now).await?;
                    }
                }
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    async fn shorten_waits_of(&self, bet: BetId, now: Timestamp) -> Result<(), StoreError> {
        let ids = self.environment.ids.clone();
        submit(&*self.store, move |tx| {
            let bet = tx.bets().lock(bet)?;
            match bet.and_then(|bet| deadlines::shortened(&bet, now)) {
                Some(shorter) => record::update(tx, &Change::silent(shorter), &ids, now),
                None => Ok(()),
            }
        })
        .await
    }

    /// Whether a server has written a heartbeat within this time.
    pub fn was_served_within(&self, wait: Duration) -> Result<bool, StoreError> {
        let last = self.queries.setting(HEARTBEAT)?.and_then(|text| timestamp(&text));
        Ok(last.is_some_and(|last| self.now().since(last) < wait))
    }

    /// Applies all deadlines that are due. Returns the number of bets that changed.
    ///
    /// # Errors
    /// The store failed. Changes that were committed before the failure stay.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let mut done = 0;
        loop {
            let (queries, now) = (self.queries.clone(), self.now());
            let overdue = queries.overdue(now, CHUNK)?;
            if overdue.is_empty() || self.is_sweep_paused(now)? {
                return Ok(done);
            }
            let answers = join_all(overdue.iter().map(|bet| self.settle_due(*bet))).await;
            let settled = answers.iter().filter(|answer| **answer == Ok(true)).count() as u64;
            done += settled;
            // If no bet could be changed, another round would find the same bets. These bets wait for the next sweep.
            if settled == 0 {
                return answers.into_iter().collect::<Result<Vec<bool>, StoreError>>().map(|_| done);
            }
        }
    }

    /// Pauses the sweeps of all processes from `from` until just before `until`. `bolts demo` creates bets whose
    /// deadlines are in the past. Without the pause, a running server would apply these deadlines before the bets
    /// are complete.
    pub async fn pause_sweeps(&self, from: Timestamp, until: Timestamp) -> Result<(), StoreError> {
        let pause = format!("{} {}", from.micros(), until.micros());
        submit(&*self.store, move |tx| tx.settings().put(PAUSE, &pause)).await
    }

    fn is_sweep_paused(&self, now: Timestamp) -> Result<bool, StoreError> {
        let pause = self.queries.setting(PAUSE)?.and_then(|text| period(&text));
        Ok(pause.is_some_and(|(from, until)| from <= now && now < until))
    }

    /// Deletes expired rows: ended sessions, expired challenges, ceremonies and API keys, old answers of idempotent requests,
    /// pictures that no message has, old deliveries and tokens, and old counts of rate limits. Gives up the deliveries that no
    /// worker took for a week. A step that fails does not keep the others from running.
    ///
    /// # Errors
    /// The first failure of a step.
    pub async fn tidy(&self) -> Result<(), StoreError> {
        let now = self.now();
        let (idle_after, born_after) = session_limits(now);
        let (rows, pictures) = (ROWS_AT_ONCE, PICTURES_AT_ONCE);
        let (answers, counts) = (now.before(KEPT), now.before(RATE_LIMITS_KEPT));
        let (deliveries, loose) = (now.before(DELIVERIES_KEPT), now.before(LOOSE_KEPT));
        let steps = [
            self.remove(rows, move |tx| tx.sessions().remove_dead(idle_after, born_after, rows)).await,
            self.remove(rows, move |tx| tx.factors().remove_expired_challenges(now, rows)).await,
            self.remove(rows, move |tx| tx.passkeys().remove_expired_ceremonies(now, rows)).await,
            self.remove(rows, move |tx| tx.keys().remove_expired_keys(now, rows)).await,
            self.remove(rows, move |tx| tx.idempotency().remove_old(answers, rows)).await,
            self.remove(rows, move |tx| tx.deliveries().remove_ended(deliveries, rows)).await,
            self.give_up_untaken(deliveries).await,
            self.remove(rows, move |tx| tx.tokens().remove_expired(now, rows)).await,
            self.remove(rows, move |tx| tx.throttles().remove_old(counts, rows)).await,
            self.remove(pictures, move |tx| tx.messages().remove_loose_pictures(loose, pictures)).await,
        ];
        steps.into_iter().collect()
    }

    /// Runs jobs that each remove at most `limit` rows and return their number, until one removes fewer.
    async fn remove(
        &self,
        limit: u32,
        remove: impl Fn(&mut dyn Tx) -> Result<u64, StoreError> + Copy + Send + 'static,
    ) -> Result<(), StoreError> {
        self.in_parts(limit, remove, |_| {}).await
    }

    /// Runs jobs that each change at most `limit` rows and return their number, until one changes fewer. Calls `note` with the
    /// number after each commit. One job for all rows would hold up the jobs of users for as long.
    pub(crate) async fn in_parts(
        &self,
        limit: u32,
        part: impl Fn(&mut dyn Tx) -> Result<u64, StoreError> + Copy + Send + 'static,
        note: impl Fn(u64),
    ) -> Result<(), StoreError> {
        loop {
            let changed = submit(&*self.store, part).await?;
            note(changed);
            if changed < u64::from(limit) {
                return Ok(());
            }
        }
    }

    /// Applies all due deadlines of one bet. Returns `true` if a deadline was due.
    pub async fn settle_due(&self, bet: BetId) -> Result<bool, StoreError> {
        let (now, ids) = (self.now(), self.environment.ids.clone());
        submit(&*self.store, move |tx| {
            let Some(mut bet) = tx.bets().lock(bet)? else { return Ok(false) };
            if !deadlines::is_overdue(&bet, now) {
                return Ok(false);
            }
            // If the clock was set forward or the machine slept since the last heartbeat, this also counts as an outage.
            note_outage(tx, now)?;

            let mut changes = Vec::new();
            let moved = |(from, to)| deadlines::put_off(bet.clone(), from, to);
            if let Some(later) = ended(&outages(tx)?, now).into_iter().find_map(moved) {
                bet = later.clone();
                changes.push(Change::silent(later));
            }
            while let Some(change) = deadlines::due(&bet, now) {
                bet = change.bet.clone();
                changes.push(change);
            }

            changes.iter().try_for_each(|change| record::update(tx, change, &ids, now))?;
            Ok(true)
        })
        .await
    }
}

/// Records an outage if the last heartbeat is more than an hour old: either no server ran, or the clock jumped.
/// Also writes a new heartbeat, so that the same outage is not recorded again. PostgreSQL locks each setting that a
/// job reads. So each job reads the heartbeat before the outages: two orders could deadlock.
fn note_outage(tx: &mut dyn Tx, now: Timestamp) -> Result<(), StoreError> {
    let Some(last) = tx.settings().get(HEARTBEAT)?.and_then(|text| timestamp(&text)) else { return Ok(()) };
    if !deadlines::is_outage(last, now) {
        return Ok(());
    }
    let mut known = outages(tx)?;
    known.push((last, now));
    put_outages(tx, &known[known.len().saturating_sub(OUTAGES_KEPT)..])?;
    tx.settings().put(HEARTBEAT, &now.micros().to_string())
}

/// Ends the outages that a wrong clock has recorded. Only the heartbeat does this: before it, these outages show that the clock
/// was ahead.
fn end_outages(tx: &mut dyn Tx, now: Timestamp) -> Result<(), StoreError> {
    let known = outages(tx)?;
    let ended = ended(&known, now);
    if ended == known { Ok(()) } else { put_outages(tx, &ended) }
}

/// The outages as they count at `now`. An outage that a wrong clock recorded ends at `now` at the latest. The rest may be too short
/// to count as an outage.
fn ended(outages: &[Period], now: Timestamp) -> Vec<Period> {
    let ended = outages.iter().map(|(from, to)| (*from, to.corrected(now)));
    ended.filter(|(from, to)| deadlines::is_outage(*from, *to)).collect()
}

fn put_outages(tx: &mut dyn Tx, outages: &[Period]) -> Result<(), StoreError> {
    let texts = outages.iter().map(|(from, to)| format!("{} {}", from.micros(), to.micros()));
    tx.settings().put(OUTAGES, &texts.collect::<Vec<_>>().join(" "))
}

/// The latest outages, oldest first.
fn outages(tx: &mut dyn Tx) -> Result<Vec<Period>, StoreError> {
    Ok(periods(&tx.settings().get(OUTAGES)?.unwrap_or_default()))
}

/// Parses the setting [`OUTAGES`].
fn periods(text: &str) -> Vec<Period> {
    let times: Vec<Timestamp> = text.split(' ').filter_map(timestamp).collect();
    times.chunks_exact(2).map(|period| (period[0], period[1])).collect()
}

/// Parses a setting that contains a time in microseconds.
pub(crate) fn timestamp(text: &str) -> Option<Timestamp> {
    Timestamp::from_micros(text.parse().ok()?).ok()
}

/// Parses a setting that contains the start and the end of a period, in microseconds.
fn period(text: &str) -> Option<Period> {
    let (from, to) = text.split_once(' ')?;
    Some((timestamp(from)?, timestamp(to)?))
}
