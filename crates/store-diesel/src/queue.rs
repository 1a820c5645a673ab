//! The queue of jobs before the threads that write.

use bolts_ports::{FairQueue, Job, Pushed, StoreError};

use crate::metrics;

/// Puts a job in the queue, and answers the job that finds no place there.
pub(crate) fn enqueue(queue: &FairQueue<Box<dyn Job>>, job: Box<dyn Job>) {
    metrics::queued();
    let (refused, why) = match queue.push(job.lane(), job) {
        Pushed::Waits => return,
        Pushed::Full(refused) => (refused, "too much is waiting to be written"),
        Pushed::Closed(refused) => (refused, "the store has stopped"),
    };
    metrics::refused();
    refused.done(Err(StoreError::Unavailable(why.to_owned())));
}
