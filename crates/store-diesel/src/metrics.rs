//! Metrics of the queue of writes and of the readers' pool. If no recorder is installed, they cost one
//! branch.

use std::time::Instant;

/// Counts a job that enters the queue.
pub(crate) fn queued() {
    metrics::gauge!("bolts_write_queue_jobs").increment(1.0);
}

/// Counts a job that found the queue full. The job was counted as queued before.
pub(crate) fn refused() {
    metrics::gauge!("bolts_write_queue_jobs").decrement(1.0);
    metrics::counter!("bolts_write_refused_total").increment(1);
}

/// Counts the jobs that leave the queue to share a commit.
pub(crate) fn taken(jobs: usize) {
    metrics::gauge!("bolts_write_queue_jobs").decrement(jobs as f64);
    metrics::histogram!("bolts_write_batch_jobs").record(jobs as f64);
}

/// Records the time that a caller waited for a reader.
pub(crate) fn waited_for_reader(since: Instant) {
    metrics::histogram!("bolts_pool_wait_seconds").record(since.elapsed().as_secs_f64());
}
