use bolts_kernel::Timestamp;
use bolts_ports::{Idempotency, IdempotencyKey, RateLimitState, Replay, Result, StoreError, Throttles};

use super::removal::Removal;
use super::state::{RequestKey, RequestRow};
use super::tx::MemoryTx;

fn row_key(key: &IdempotencyKey) -> RequestKey {
    (key.user, key.route.clone(), key.key.clone())
}

impl Idempotency for MemoryTx {
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay> {
        self.state.requests.retain(|of, row| *of != row_key(key) || row.at >= since);
        match self.state.requests.get(&row_key(key)) {
            Some(row) if row.body_hash != key.body_hash => Ok(Replay::Reused),
            Some(row) => Ok(Replay::Answered(row.answer.clone())),
            None => Ok(Replay::Fresh),
        }
    }

    fn store(&mut self, key: &IdempotencyKey, answer: &str, now: Timestamp) -> Result<()> {
        let row = RequestRow { body_hash: key.body_hash.clone(), at: now, answer: answer.to_owned() };
        match self.state.requests.insert(row_key(key), row) {
            Some(_) => Err(StoreError::Contention),
            None => Ok(()),
        }
    }

    fn remove_old(&mut self, since: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        self.state.requests.retain(|_, row| some.keeps(row.at >= since));
        Ok(some.removed())
    }
}

impl Throttles for MemoryTx {
    fn count(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let known = self.state.rate_limits.get(bucket);
        let known = known.filter(|known| known.since > expired && !known.since.is_of_wrong_clock(now));
        let known = known.copied().unwrap_or(RateLimitState { count: 0, since: now, last: now });
        if known.count >= i64::from(limit) {
            return Ok(Some(known.since));
        }
        let counted = RateLimitState { count: known.count + 1, last: now, ..known };
        self.state.rate_limits.insert(bucket.to_owned(), counted);
        Ok(None)
    }

    fn lock(&mut self, bucket: &str) -> Result<Option<RateLimitState>> {
        Ok(self.state.rate_limits.get(bucket).copied())
    }

    fn put(&mut self, bucket: &str, known: RateLimitState) -> Result<()> {
        self.state.rate_limits.insert(bucket.to_owned(), known);
        Ok(())
    }

    fn forget(&mut self, bucket: &str) -> Result<()> {
        self.state.rate_limits.remove(bucket);
        Ok(())
    }

    fn forget_all(&mut self, beginning: &str) -> Result<()> {
        let longer = format!("{beginning}:");
        self.state.rate_limits.retain(|bucket, _| bucket != beginning && !bucket.starts_with(&longer));
        Ok(())
    }

    fn remove_old(&mut self, since: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        self.state.rate_limits.retain(|_, known| some.keeps(known.last >= since));
        Ok(some.removed())
    }
}
