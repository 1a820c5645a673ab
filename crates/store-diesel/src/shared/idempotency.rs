use bolts_kernel::Timestamp;
use bolts_ports::{Idempotency, IdempotencyKey, Replay, Result, StoreError};
use diesel::prelude::*;

use super::prepared::{Place, Write};
use super::transaction::Transaction;
use crate::schema::idempotency;

/// Stores a key that is new, or that is too old to count.
const STORE: &str = "INSERT INTO idempotency (user_id, route, key, body_hash, answer, created_at)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (user_id, route, key) DO UPDATE
    SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at
    WHERE idempotency.created_at < ?";

/// The hash of the request body, and the answer.
type Request = (String, Option<String>);

impl Idempotency for Transaction<'_> {
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay> {
        let row = self.run(|conn| {
            let row = idempotency::table.find((key.user.to_string(), &key.route, &key.key));
            let row = row.filter(idempotency::created_at.ge(since.micros()));
            row.select((idempotency::body_hash, idempotency::answer)).get_result::<Request>(conn).optional()
        })?;
        match row {
            None => Ok(Replay::Fresh),
            Some((body_hash, _)) if body_hash != key.body_hash => Ok(Replay::Reused),
            Some((_, answer)) => {
                let unanswered =
                    || StoreError::Broken(format!("idempotency.answer of {} is missing", key.key));
                let answer = answer.ok_or_else(unanswered);
                self.remember(answer).map(Replay::Answered)
            }
        }
    }

    fn store(&mut self, key: &IdempotencyKey, answer: &str, since: Timestamp, now: Timestamp) -> Result<()> {
        let binds = [
            key.user.to_string().into(),
            key.route.clone().into(),
            key.key.clone().into(),
            key.body_hash.clone().into(),
            answer.to_owned().into(),
            now.micros().into(),
            since.micros().into(),
        ];
        self.write(Write::one(STORE, Place::New, binds).or(StoreError::Contention))
    }

    fn remove_old(&mut self, since: Timestamp) -> Result<()> {
        self.run(|conn| {
            let old = idempotency::table.filter(idempotency::created_at.lt(since.micros()));
            diesel::delete(old).execute(conn)
        })
        .map(drop)
    }
}
