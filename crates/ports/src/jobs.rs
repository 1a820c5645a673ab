//! The write side of the database: jobs and their queue.

use std::sync::{Arc, Mutex, PoisonError};

use bolts_kernel::{BetId, Currency, UserId};
use futures_channel::oneshot;

use crate::error::{JobError, Result, StoreError};
use crate::network::Lane;
use crate::tx::Tx;

/// The decision of a job about its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The store commits the changes of the job.
    Keep,
    /// The job refused the action. The store undoes the changes of the job.
    Discard,
}

/// The first rows that a job locks, if they are known before it runs. A store may lock the rows of several jobs with one
/// statement. A job that needs other rows works too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// The rows of [`Bets::lock_to_stake`](crate::Bets::lock_to_stake), for this bet and this user.
    Stake(BetId, UserId),
    /// The row of [`Bets::lock`](crate::Bets::lock), and what the answer to a standing proposal needs.
    Bet(BetId),
    /// What a new bet by this user needs: an account with the balance, and a place for the bet and its escrow.
    NewBet(UserId, Currency),
}

/// One unit of work on the store.
pub trait Job: Send {
    /// Does the work. After contention the store may call this again from the start.
    ///
    /// # Errors
    /// A job must return each failure of the store unchanged, because the store runs the job again after contention.
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict>;

    /// The store calls this once: after the commit is durable, or with the error that prevented the commit.
    fn done(self: Box<Self>, outcome: Result<()>);

    /// The lane in which the job waits.
    fn lane(&self) -> Lane {
        Lane::Site
    }

    /// The first rows that the job locks.
    fn need(&self) -> Option<Need> {
        None
    }
}

/// The write side of the database.
///
/// A store must keep all changes of a job or none, also if several jobs share a transaction. No other job may see a
/// part of them. It must call [`Job::done`] only after the commit is durable. A refusal also waits for the commit,
/// because the refusal may depend on another job of the batch.
///
/// A store must run a job again after contention, and must answer [`StoreError::Unavailable`] if the contention does
/// not end. If a job panics, all other jobs must keep their changes. The lanes of waiting jobs must take turns. Jobs
/// of one lane must start in the order in which they arrived.
pub trait Store: Send + Sync {
    /// Puts a job in the queue. If the queue is full, one job gets `Unavailable` through [`Job::done`] at once: this
    /// job, or the newest job of a lane with more waiting jobs.
    fn enqueue(&self, job: Box<dyn Job>);
}

type Work = dyn FnMut(&mut dyn Tx) -> Result<Verdict> + Send;

/// A job whose work stores its answer where the caller finds it. This type and its channel do not contain the type of the
/// answer, so they are compiled once for all jobs.
struct Closure {
    lane: Lane,
    need: Option<Need>,
    work: Box<Work>,
    reply: oneshot::Sender<Result<()>>,
}

impl Job for Closure {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        (self.work)(tx)
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        // The send fails if the caller has stopped waiting. This failure is ignored, because the job is done anyway.
        drop(self.reply.send(outcome));
    }

    fn lane(&self) -> Lane {
        self.lane
    }

    fn need(&self) -> Option<Need> {
        self.need
    }
}

/// Runs `work` as one job in the server's lane and waits for its answer, which comes after the commit.
///
/// # Errors
/// The refusal of `work`, or the failure of the store.
pub fn submit<T, E, F>(store: &dyn Store, work: F) -> impl Future<Output = std::result::Result<T, E>>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: JobError,
{
    submit_for(store, Lane::Site, work)
}

/// Runs `work` as one job in the given lane and waits for its answer, which comes after the commit.
///
/// # Errors
/// The refusal of `work`, or the failure of the store.
pub fn submit_for<T, E, F>(
    store: &dyn Store,
    lane: Lane,
    work: F,
) -> impl Future<Output = std::result::Result<T, E>>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: JobError,
{
    submit_needing(store, lane, None, work)
}

/// Runs `work` as one job in the given lane, whose first rows may be known, and waits for its answer, which comes after the
/// commit.
///
/// # Errors
/// The refusal of `work`, or the failure of the store.
pub async fn submit_needing<T, E, F>(
    store: &dyn Store,
    lane: Lane,
    need: Option<Need>,
    mut work: F,
) -> std::result::Result<T, E>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: JobError,
{
    let answer = Arc::new(Mutex::new(None));
    let kept = answer.clone();
    let work = move |tx: &mut dyn Tx| {
        let answer = work(tx);
        if let Some(failure) = answer.as_ref().err().and_then(JobError::as_store) {
            return Err(failure.clone());
        }
        let verdict = if answer.is_ok() { Verdict::Keep } else { Verdict::Discard };
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        Ok(verdict)
    };
    enqueued(store, lane, need, Box::new(work)).await?;
    let answer = answer.lock().unwrap_or_else(PoisonError::into_inner).take();
    answer.unwrap_or_else(|| Err(StoreError::Broken("a job ended without an answer".to_owned()).into()))
}

/// Puts a job with this work in the queue, and waits until its changes are committed.
async fn enqueued(store: &dyn Store, lane: Lane, need: Option<Need>, work: Box<Work>) -> Result<()> {
    let (reply, outcome) = oneshot::channel();
    store.enqueue(Box::new(Closure { lane, need, work, reply }));
    let stopped = |oneshot::Canceled| StoreError::Unavailable("the store has stopped".to_owned());
    outcome.await.map_err(stopped)?
}
