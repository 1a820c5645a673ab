use bolts_kernel::Timestamp;
use bolts_ports::{Idempotency, IdempotencyKey, Replay, Result, StoreError};
use diesel::prelude::*;

use super::prepared::{Place, Write};
use super::transaction::Transaction;
use crate::schema::idempotency;

/// The row of an idempotency key.
macro_rules! row_of {
    ($key:expr) => {
        idempotency::table.find(($key.user.to_string(), $key.route.as_str(), $key.key.as_str()))
    };
}

const ANSWER: &str = "UPDATE idempotency SET answer = ? WHERE user_id = ? AND route = ? AND key = ?";

/// The hash of the request body, the answer, and the time of the request.
type Request = (String, Option<String>, i64);

impl Idempotency for Transaction<'_> {
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay> {
        match self.request(key)? {
            Some(row) if row.2 >= since.micros() => self.replay(key, row),
            Some(_) | None => Ok(Replay::Fresh),
        }
    }

    fn begin(&mut self, key: &IdempotencyKey, since: Timestamp, now: Timestamp) -> Result<Replay> {
        let values = (
            idempotency::user_id.eq(key.user.to_string()),
            idempotency::route.eq(&key.route),
            idempotency::key.eq(&key.key),
            idempotency::body_hash.eq(&key.body_hash),
            idempotency::created_at.eq(now.micros()),
        );
        let added = self.run(|conn| {
            diesel::insert_into(idempotency::table).values(values).on_conflict_do_nothing().execute(conn)
        })?;
        if added == 1 {
            return Ok(Replay::Fresh);
        }
        // Another transaction may have deleted the conflicting row, because the row was too old. The next run
        // of the job can insert the key.
        let Some(row) = self.request(key)? else {
            return self.remember(Err(StoreError::Contention));
        };
        if row.2 < since.micros() {
            return self.take_over(key, now);
        }
        self.replay(key, row)
    }

    fn finish(&mut self, key: &IdempotencyKey, answer: &str) -> Result<()> {
        let binds = [
            answer.to_owned().into(),
            key.user.to_string().into(),
            key.route.clone().into(),
            key.key.clone().into(),
        ];
        self.write(Write::one(ANSWER, Place::New, binds))
    }

    fn remove_old(&mut self, since: Timestamp) -> Result<()> {
        self.run(|conn| {
            let old = idempotency::table.filter(idempotency::created_at.lt(since.micros()));
            diesel::delete(old).execute(conn)
        })
        .map(drop)
    }
}

impl Transaction<'_> {
    fn request(&mut self, key: &IdempotencyKey) -> Result<Option<Request>> {
        self.run(|conn| {
            let row =
                row_of!(key).select((idempotency::body_hash, idempotency::answer, idempotency::created_at));
            locked!(row).get_result::<Request>(conn).optional()
        })
    }

    fn replay(&mut self, key: &IdempotencyKey, (body_hash, answer, _): Request) -> Result<Replay> {
        if body_hash != key.body_hash {
            return Ok(Replay::Reused);
        }
        let unanswered = || StoreError::Broken(format!("idempotency.answer of {} is missing", key.key));
        let answer = answer.ok_or_else(unanswered);
        self.remember(answer).map(Replay::Answered)
    }

    /// Uses the row of an expired key for a new request.
    fn take_over(&mut self, key: &IdempotencyKey, now: Timestamp) -> Result<Replay> {
        let touched = self.run(|conn| {
            diesel::update(row_of!(key))
                .set((
                    idempotency::body_hash.eq(&key.body_hash),
                    idempotency::answer.eq(None::<String>),
                    idempotency::created_at.eq(now.micros()),
                ))
                .execute(conn)
        })?;
        self.expect_rows(touched, 1, "taking an old idempotency key")?;
        Ok(Replay::Fresh)
    }
}
