//! Idempotency keys: a repeated request has no second effect.

use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::{Code, Timestamp};
use bolts_ports::{IdempotencyKey, JobError, Replay, StoreError, Tx};

use crate::Refused;

/// The time for which an answer is stored for repeats (`docs/http-api.md#repeating-a-request`).
pub(crate) const KEPT: Duration = Duration::from_hours(24);

/// The idempotency key of a request, and a function that writes the answer as text.
#[derive(Clone)]
pub struct Idempotent<T> {
    /// Two requests with the same key are the same request.
    pub key: IdempotencyKey,
    /// Writes the answer as text. A repeat of the request gets this text.
    pub render: Arc<dyn Fn(&T) -> String + Send + Sync>,
}

/// The result of a request with an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<T> {
    /// The request was carried out now.
    Done(T),
    /// The request was carried out before. Contains the first answer.
    Replayed(String),
}

/// The idempotency key was used before, for a request with another body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This Idempotency-Key was already used for another request.")]
pub struct KeyReused;

impl From<KeyReused> for Refused {
    fn from(error: KeyReused) -> Self {
        Self::new(Code::IdempotencyKeyReused, error.to_string())
    }
}

/// The stored answer to an earlier request with this key, if there is one.
pub(crate) fn answered<T, E>(
    tx: &mut dyn Tx,
    once: Option<&Idempotent<T>>,
    now: Timestamp,
) -> Result<Option<String>, E>
where
    E: JobError + From<KeyReused>,
{
    let Some(Idempotent { key, .. }) = once else { return Ok(None) };
    match tx.idempotency().known(key, now.before(KEPT))? {
        Replay::Answered(answer) => Ok(Some(answer)),
        Replay::Reused => Err(KeyReused.into()),
        Replay::Fresh => Ok(None),
    }
}

/// Runs `work` in the transaction, at most once for each key. The key is stored after the work, so a refused request changes
/// nothing. If the same request runs in two transactions at once, one of them runs again and gets the answer of the other.
pub(crate) fn once<T, E>(
    tx: &mut dyn Tx,
    once: Option<&Idempotent<T>>,
    now: Timestamp,
    work: impl FnOnce(&mut dyn Tx) -> Result<T, E>,
) -> Result<Reply<T>, E>
where
    E: JobError + From<KeyReused>,
{
    let Some(Idempotent { key, render }) = once else { return work(tx).map(Reply::Done) };
    let since = now.before(KEPT);
    match tx.idempotency().known(key, since)? {
        Replay::Answered(answer) => Ok(Reply::Replayed(answer)),
        Replay::Reused => Err(KeyReused.into()),
        Replay::Fresh => match work(tx) {
            Ok(answer) => {
                tx.idempotency().store(key, &render(&answer), now)?;
                Ok(Reply::Done(answer))
            }
            // The refusal may come from the effect of the same request in another transaction. The next run replays its answer.
            Err(refusal)
                if refusal.as_store().is_none() && tx.idempotency().known(key, since)? != Replay::Fresh =>
            {
                Err(StoreError::Contention.into())
            }
            Err(error) => Err(error),
        },
    }
}
