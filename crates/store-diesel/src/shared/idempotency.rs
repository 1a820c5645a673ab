use bolts_kernel::Timestamp;
use bolts_ports::{Idempotency, IdempotencyKey, Replay, Result, StoreError};
use diesel::prelude::*;

use super::prepared::{self, Place, Write};
use super::remove_some;
use super::transaction::Transaction;
use crate::schema::idempotency;

/// Stores a new key. Changes no row if another transaction has stored the key.
const STORE: &str = "INSERT INTO idempotency (user_id, route, key, body_hash, answer, created_at)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_id, route, key) DO NOTHING";

/// Removes a key that is too old to count. Another transaction may have done so, and may have stored the key again.
const REMOVE: &str = "DELETE FROM idempotency WHERE user_id = ? AND route = ? AND key = ? AND created_at = ?";

/// The hash of the request body, the answer, and the time of the request.
type Request = (String, Option<String>, i64);

/// Whether two requests have the same key, perhaps with different bodies.
fn is_same(one: &IdempotencyKey, other: &IdempotencyKey) -> bool {
    (one.user, &one.route, &one.key) == (other.user, &other.route, &other.key)
}

impl Idempotency for Transaction<'_> {
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay> {
        if self.writes.touches(|place| matches!(place, Place::Key(stored) if is_same(stored, key))) {
            self.flush()?;
        }
        let row = self.read_ahead(|conn| {
            let row = idempotency::table.find((key.user.to_string(), &key.route, &key.key));
            row.select((idempotency::body_hash, idempotency::answer, idempotency::created_at))
                .get_result::<Request>(conn)
                .optional()
        })?;
        match row {
            None => Ok(Replay::Fresh),
            Some((_, _, stored_at)) if stored_at < since.micros() => {
                let user = key.user.to_string();
                let binds = [(&user).into(), (&key.route).into(), (&key.key).into(), stored_at.into()];
                self.run(|conn| prepared::execute(conn, REMOVE, binds))?;
                Ok(Replay::Fresh)
            }
            Some((body_hash, _, _)) if body_hash != key.body_hash => Ok(Replay::Reused),
            Some((_, answer, _)) => {
                let unanswered =
                    || StoreError::Broken(format!("idempotency.answer of {} is missing", key.key));
                let answer = answer.ok_or_else(unanswered);
                self.remember(answer).map(Replay::Answered)
            }
        }
    }

    fn store(&mut self, key: &IdempotencyKey, answer: &str, now: Timestamp) -> Result<()> {
        let binds = [
            key.user.to_string().into(),
            key.route.clone().into(),
            key.key.clone().into(),
            key.body_hash.clone().into(),
            answer.to_owned().into(),
            now.micros().into(),
        ];
        self.write(Write::one(STORE, Place::Key(key.clone()), binds).or(StoreError::Contention))
    }

    fn remove_old(&mut self, since: Timestamp, limit: u32) -> Result<u64> {
        let table = ("idempotency", "user_id, route, key");
        self.run(|conn| remove_some(conn, table, "created_at < ?", &[since.micros()], limit))
    }
}
