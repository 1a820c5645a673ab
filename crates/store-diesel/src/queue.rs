//! The queue of jobs that wait for a writer thread, and their answers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bolts_ports::{FairQueue, Job, Pushed, Result, StoreError};

use crate::metrics;
use crate::traces::Queued;

/// Puts a job in the queue. A full queue refuses this job or the latest job of a longer lane. A closed queue
/// refuses this job. The refused job gets the answer 'not available' at once.
pub(crate) fn enqueue(queue: &FairQueue<Queued>, job: Box<dyn Job>) {
    metrics::queued();
    let (refused, why) = match queue.push(job.lane(), job.into()) {
        Pushed::Waits => return,
        Pushed::Full(refused) => (refused, "too much is waiting to be written"),
        Pushed::Closed(refused) => (refused, "the store has stopped"),
    };
    metrics::refused();
    refused.into_job().done(Err(StoreError::Unavailable(why.to_owned())));
}

/// Gives a job its result. A panic in the receiver of the answer must not stop the writer.
pub(crate) fn answer(job: Box<dyn Job>, outcome: Result<()>) {
    drop(catch_unwind(AssertUnwindSafe(|| job.done(outcome))));
}
