//! The write side of the database: jobs and their queue.

use futures_channel::oneshot;

use crate::error::{JobError, Result, StoreError};
use crate::network::Lane;
use crate::tx::Tx;

/// The decision of a job about its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The changes are committed.
    Keep,
    /// The job refused. Its changes are undone.
    Discard,
}

/// One unit of work on the store.
pub trait Job: Send {
    /// Does the work. After contention the store may call this again from the start.
    ///
    /// # Errors
    /// The failures of the store, unchanged.
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict>;

    /// Called once: after the commit is durable, or with the error that prevented it.
    fn done(self: Box<Self>, outcome: Result<()>);

    /// The lane of the job.
    fn lane(&self) -> Lane {
        Lane::Site
    }
}

/// The write side of the database.
///
/// Must run each job in its own transaction or its own savepoint. All changes of a job are kept or none, and
/// no other job sees a part of them. Must call `done` only once the commit is durable. Refusals also wait for
/// the commit, because they may depend on another job of the batch. Must run a job again after contention,
/// and answer [`StoreError::Unavailable`] if the contention does not end. A job that panics must cost no
/// other job its changes. The lanes of waiting jobs must take turns. Jobs of one lane begin in the order in
/// which they came.
pub trait Store: Send + Sync {
    /// Puts a job in the queue. If the queue is full, one job gets `Unavailable` through [`Job::done`] at
    /// once: this job, or the latest of a lane with more waiting jobs.
    fn enqueue(&self, job: Box<dyn Job>);
}

struct Closure<F, T, E> {
    lane: Lane,
    work: F,
    answer: Option<std::result::Result<T, E>>,
    reply: oneshot::Sender<std::result::Result<T, E>>,
}

impl<F, T, E> Job for Closure<F, T, E>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send,
    T: Send,
    E: JobError,
{
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        let answer = (self.work)(tx);
        if let Err(error) = &answer
            && let Some(failure) = error.as_store()
        {
            return Err(failure.clone());
        }
        let verdict = if answer.is_ok() { Verdict::Keep } else { Verdict::Discard };
        self.answer = Some(answer);
        Ok(verdict)
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        let lost = || Err(StoreError::Broken("a job ended without an answer".to_owned()).into());
        let answer = match outcome {
            Ok(()) => self.answer.unwrap_or_else(lost),
            Err(failure) => Err(failure.into()),
        };
        // The caller may have stopped waiting. The work is done all the same.
        drop(self.reply.send(answer));
    }

    fn lane(&self) -> Lane {
        self.lane
    }
}

/// Runs `work` as a job of the server and waits for its answer, which comes after the commit.
///
/// # Errors
/// The refusal of `work`, or the failure of the store.
pub async fn submit<T, E, F>(store: &dyn Store, work: F) -> std::result::Result<T, E>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: JobError,
{
    submit_for(store, Lane::Site, work).await
}

/// Runs `work` as one job of that lane and waits for its answer, which comes after the commit.
///
/// # Errors
/// The refusal of `work`, or the failure of the store.
pub async fn submit_for<T, E, F>(store: &dyn Store, lane: Lane, work: F) -> std::result::Result<T, E>
where
    F: FnMut(&mut dyn Tx) -> std::result::Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: JobError,
{
    let (reply, answer) = oneshot::channel();
    store.enqueue(Box::new(Closure { lane, work, answer: None, reply }));
    match answer.await {
        Ok(answer) => answer,
        Err(oneshot::Canceled) => Err(StoreError::Unavailable("the store has stopped".to_owned()).into()),
    }
}
