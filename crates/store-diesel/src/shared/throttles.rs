use bolts_kernel::{CLOCK_TOLERANCE, Timestamp};
use bolts_ports::{RateLimitState, Result, StoreError, Throttles};
use diesel::prelude::*;

use super::prepared::{Bind, Place, Write};
use super::rows::Cells;
use super::transaction::Transaction;
use super::{prepared, remove_some, reserve};
use crate::schema::throttles;

/// The text of an upsert that adds a number to the count of a bucket. It changes no row if the new count is above the limit. A
/// window that begins later than the tolerance of the clocks allows is over: a wrong clock began it, and nothing would end it
/// before this clock is reached. The limit and the length of the window are not parameters, so the statements of several buckets
/// have the same text and can become one.
fn counting(limit: u32, expired: Timestamp, now: Timestamp) -> String {
    let window = now.micros() - expired.micros();
    let tolerance = now.after(CLOCK_TOLERANCE).micros() - now.micros();
    let is_over = format!(
        "(throttles.since <= excluded.since - {window} OR throttles.since > excluded.since + {tolerance})"
    );
    format!(
        "INSERT INTO throttles (bucket, tally, since, last) VALUES (?, ?, ?, ?) ON CONFLICT (bucket) DO UPDATE SET \
         tally = CASE WHEN {is_over} THEN excluded.tally ELSE throttles.tally + excluded.tally END, \
         since = CASE WHEN {is_over} THEN excluded.since ELSE throttles.since END, \
         last = excluded.last \
         WHERE {is_over} OR throttles.tally + excluded.tally <= {limit}"
    )
}

/// The parameters of [`counting`] that add 1.
fn one_more(bucket: &str, now: Timestamp) -> [Bind<'static>; 4] {
    [bucket.to_owned().into(), 1.into(), now.micros().into(), now.micros().into()]
}

impl Throttles for Transaction<'_> {
    fn count(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let (sql, binds) = (counting(limit, expired, now), one_more(bucket, now));
        if self.writes.touches(|place| matches!(place, Place::Throttle(counted) if counted == bucket)) {
            self.flush()?;
        }
        let full = self.change_ahead(|conn| {
            if prepared::execute(conn, &sql, &binds)? == 1 {
                return Ok(None);
            }
            // No row changed, so the limit is reached. The upsert has still locked the row, so no other
            // transaction changes it now.
            throttles::table.find(bucket).select(throttles::since).get_result::<i64>(conn).map(Some)
        })?;
        let cells = Cells { table: "throttles", id: bucket };
        full.map(|since| self.remember(cells.time("since", since))).transpose()
    }

    fn count_rare(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let is_same = |place: &Place| matches!(place, Place::Throttle(counted) if counted == bucket);
        // If the row is new, the statement compares nothing with the limit.
        let is_below = self.writes.waiting(is_same) < usize::try_from(limit).unwrap_or(usize::MAX);
        if self.writes.waits() || !is_below {
            return self.count(bucket, limit, expired, now);
        }
        self.write(Write {
            sql: counting(limit, expired, now).into(),
            binds: one_more(bucket, now).into(),
            place: Place::Throttle(bucket.to_owned()),
            rows: 1,
            otherwise: Some(StoreError::Contention),
        })?;
        Ok(None)
    }

    fn lock(&mut self, bucket: &str) -> Result<Option<RateLimitState>> {
        let row = self.run(|conn| {
            reserve(conn, "throttle", bucket)?;
            let row =
                throttles::table.find(bucket).select((throttles::tally, throttles::since, throttles::last));
            locked!(row).get_result::<(i64, i64, i64)>(conn).optional()
        })?;
        let Some((count, since, last)) = row else { return Ok(None) };
        let cells = Cells { table: "throttles", id: bucket };
        let since = self.remember(cells.time("since", since))?;
        let last = self.remember(cells.time("last", last))?;
        Ok(Some(RateLimitState { count, since, last }))
    }

    fn put(&mut self, bucket: &str, known: RateLimitState) -> Result<()> {
        let values = (
            throttles::tally.eq(known.count),
            throttles::since.eq(known.since.micros()),
            throttles::last.eq(known.last.micros()),
        );
        self.run(|conn| {
            diesel::insert_into(throttles::table)
                .values((throttles::bucket.eq(bucket), values))
                .on_conflict(throttles::bucket)
                .do_update()
                .set(values)
                .execute(conn)
        })
        .map(drop)
    }

    fn forget(&mut self, bucket: &str) -> Result<()> {
        self.run(|conn| diesel::delete(throttles::table.find(bucket)).execute(conn)).map(drop)
    }

    fn forget_all(&mut self, beginning: &str) -> Result<()> {
        // `;` comes after `:`.
        let (from, end) = (format!("{beginning}:"), format!("{beginning};"));
        self.run(|conn| {
            let within = throttles::bucket.ge(&from).and(throttles::bucket.lt(&end));
            diesel::delete(throttles::table.filter(throttles::bucket.eq(beginning).or(within))).execute(conn)
        })
        .map(drop)
    }

    fn remove_old(&mut self, since: Timestamp, limit: u32) -> Result<u64> {
        self.run(|conn| remove_some(conn, ("throttles", "bucket"), "last < ?", &[since.micros()], limit))
    }
}
