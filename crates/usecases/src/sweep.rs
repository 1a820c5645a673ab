//! The clock's part: what is due is done, by whichever process gets there first, and once.

use std::time::Duration;

use bolts_bets::{Change, EscrowEffect};
use bolts_kernel::{BetId, Timestamp};
use bolts_ports::{StoreError, Tx, submit};
use bolts_resolution::clock;
use futures_util::future::join_all;

use crate::App;
use crate::accounts::session_limits;
use crate::bets::record;
use crate::once::KEPT;

/// How many bets are looked at together.
const CHUNK: u32 = 64;

/// How long tallies of sign-ins and the like are kept after the last count.
const TALLIES_KEPT: Duration = Duration::from_secs(2 * 24 * 3_600);

/// The setting that holds when a process last swept, in microseconds.
pub(crate) const BEAT: &str = "swept_at";

/// The setting that holds the latest outage, by the clock: from and to in microseconds, with a space between.
const OUTAGE: &str = "outage";

impl App {
    /// Notes that a server runs, and, where none did for over an hour, since when: what fell in that time is put off.
    /// Must be called before the first request is served, and then at least every minute.
    ///
    /// # Errors
    /// The store's.
    pub async fn beat(&self) -> Result<(), StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| {
            note_outage(tx, now)?;
            tx.settings().put(BEAT, &now.micros().to_string())
        })
        .await
    }

    /// Whether a server noted less than this ago that it runs on the database.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn was_served_within(&self, wait: Duration) -> Result<bool, StoreError> {
        let last = self.queries.setting(BEAT)?.and_then(|text| timestamp(&text));
        Ok(last.is_some_and(|last| self.now().since(last) < wait))
    }

    /// Does everything that is due now. Answers on how many bets it did something.
    ///
    /// # Errors
    /// The store's; what was done stays done.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let mut done = 0;
        loop {
            let (queries, now) = (self.queries.clone(), self.now());
            let overdue = queries.overdue(now, CHUNK)?;
            if overdue.is_empty() {
                return Ok(done);
            }
            let answers = join_all(overdue.iter().map(|bet| self.settle_due(*bet))).await;
            let settled = answers.iter().filter(|answer| **answer == Ok(true)).count() as u64;
            done += settled;
            // A round without progress would be repeated for ever; its bets wait for the next sweep.
            if settled == 0 {
                return answers.into_iter().collect::<Result<Vec<bool>, StoreError>>().map(|_| done);
            }
        }
    }

    /// Removes what is kept for a time only: dead sessions, old answers and tallies.
    ///
    /// # Errors
    /// The store's.
    pub async fn tidy(&self) -> Result<(), StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| {
            let (idle_after, born_after) = session_limits(now);
            tx.sessions().remove_dead(idle_after, born_after)?;
            tx.idempotency().remove_old(now.before(KEPT))?;
            tx.throttles().remove_old(now.before(TALLIES_KEPT))
        })
        .await
    }

    /// Applies to one bet every step that is due; answers whether there was one.
    ///
    /// # Errors
    /// The store's.
    pub async fn settle_due(&self, bet: BetId) -> Result<bool, StoreError> {
        let (now, ids) = (self.now(), self.environment.ids.clone());
        submit(&*self.store, move |tx| {
            let Some(mut bet) = tx.bets().lock(bet)? else { return Ok(false) };
            let Some(outage) = overdue_outage(tx, &bet, now)? else { return Ok(false) };

            let mut changes = Vec::new();
            if let Some((from, to)) = outage
                && let Some(later) = clock::put_off(bet.clone(), from, to)
            {
                bet = later.clone();
                changes.push(silent(later));
            }
            while let Some(change) = clock::due(&bet, now) {
                bet = change.bet.clone();
                changes.push(change);
            }

            changes.iter().try_for_each(|change| record::update(tx, change, &ids, now))?;
            Ok(true)
        })
        .await
    }
}

/// Where the last beat was over an hour ago, nobody served in that time, or the clock shows that nobody did: notes it,
/// once.
fn note_outage(tx: &mut dyn Tx, now: Timestamp) -> Result<(), StoreError> {
    let last = tx.settings().get(BEAT)?.and_then(|text| timestamp(&text));
    let Some(last) = last.filter(|last| now.since(*last) > clock::OUTAGE) else { return Ok(()) };
    tx.settings().put(OUTAGE, &format!("{} {}", last.micros(), now.micros()))?;
    tx.settings().put(BEAT, &now.micros().to_string())
}

/// `None` where nothing is due on the bet; else the latest outage, if there ever was one.
fn overdue_outage(
    tx: &mut dyn Tx,
    bet: &bolts_bets::Bet,
    now: Timestamp,
) -> Result<Option<Option<(Timestamp, Timestamp)>>, StoreError> {
    if !clock::is_overdue(bet, now) {
        return Ok(None);
    }
    // The clock may have been set forward since the last beat, or the machine may have slept: no beat has told that yet.
    note_outage(tx, now)?;
    let outage = tx.settings().get(OUTAGE)?;
    Ok(Some(outage.and_then(|text| {
        let (from, to) = text.split_once(' ')?;
        Some((timestamp(from)?, timestamp(to)?))
    })))
}

fn silent(bet: bolts_bets::Bet) -> Change {
    Change { bet, event: None, escrow: EscrowEffect::Unchanged, notices: Vec::new() }
}

/// The instant of a setting in microseconds.
pub(crate) fn timestamp(text: &str) -> Option<Timestamp> {
    Timestamp::from_micros(text.parse().ok()?).ok()
}
