use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{IdempotencyKey, JobError, Replay, Tx};

/// How long an answer can be asked for again (decisions, section 5).
pub(crate) const KEPT: Duration = Duration::from_secs(24 * 3_600);

/// A request that may be repeated: under which key, and how its answer is written down.
#[derive(Clone)]
pub struct Once<T> {
    /// What makes it the same request.
    pub key: IdempotencyKey,
    /// Writes the answer as it is given, and given again.
    pub render: Arc<dyn Fn(&T) -> String + Send + Sync>,
}

/// What a repeatable request came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<T> {
    /// It was done now.
    Done(T),
    /// It was done before; this was the answer.
    Replayed(String),
}

/// The key was used with another body before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This Idempotency-Key was already used for another request.")]
pub struct KeyReused;

/// The answer that was given under the key before, where there is one.
pub(crate) fn answered<T, E>(
    tx: &mut dyn Tx,
    once: Option<&Once<T>>,
    now: Timestamp,
) -> Result<Option<String>, E>
where
    E: JobError + From<KeyReused>,
{
    let Some(Once { key, .. }) = once else { return Ok(None) };
    match tx.idempotency().known(key, now.before(KEPT))? {
        Replay::Answered(answer) => Ok(Some(answer)),
        Replay::Reused => Err(KeyReused.into()),
        Replay::Fresh => Ok(None),
    }
}

/// Runs `work` in the transaction, at most once per key.
pub(crate) fn once<T, E>(
    tx: &mut dyn Tx,
    once: Option<&Once<T>>,
    now: Timestamp,
    work: impl FnOnce(&mut dyn Tx) -> Result<T, E>,
) -> Result<Reply<T>, E>
where
    E: JobError + From<KeyReused>,
{
    let Some(Once { key, render }) = once else { return work(tx).map(Reply::Done) };
    match tx.idempotency().begin(key, now.before(KEPT), now)? {
        Replay::Answered(answer) => Ok(Reply::Replayed(answer)),
        Replay::Reused => Err(KeyReused.into()),
        Replay::Fresh => {
            let answer = work(tx)?;
            tx.idempotency().finish(key, &render(&answer))?;
            Ok(Reply::Done(answer))
        }
    }
}
