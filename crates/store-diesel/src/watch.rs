//! What the operator's monitoring hears of the queue of writes and of the readers' pool. Costs a branch where nobody
//! listens.

use std::time::Instant;

/// A job was put in the queue.
pub(crate) fn queued() {
    metrics::gauge!("bolts_write_queue_jobs").increment(1.0);
}

/// A job that was just queued found no place in it.
pub(crate) fn refused() {
    metrics::gauge!("bolts_write_queue_jobs").decrement(1.0);
    metrics::counter!("bolts_write_refused_total").increment(1);
}

/// So many jobs were taken out of the queue to share a commit.
pub(crate) fn taken(jobs: usize) {
    metrics::gauge!("bolts_write_queue_jobs").decrement(jobs as f64);
    metrics::histogram!("bolts_write_batch_jobs").record(jobs as f64);
}

/// A reader was waited for since then.
pub(crate) fn waited_for_reader(since: Instant) {
    metrics::histogram!("bolts_pool_wait_seconds").record(since.elapsed().as_secs_f64());
}
