//! Metrics of the job queue and of the pool of read-only connections. If no recorder is installed, a metric
//! costs one branch.

use std::time::Instant;

/// Counts a job that enters the queue.
pub(crate) fn queued() {
    metrics::gauge!("bolts_write_queue_jobs").increment(1.0);
}

/// Counts a job that the queue refused. The gauge goes down, because [`queued`] counted the job before.
pub(crate) fn refused() {
    metrics::gauge!("bolts_write_queue_jobs").decrement(1.0);
    metrics::counter!("bolts_write_refused_total").increment(1);
}

/// Counts the jobs that a writer takes from the queue.
pub(crate) fn taken(jobs: usize) {
    metrics::gauge!("bolts_write_queue_jobs").decrement(jobs as f64);
}

/// Records the number of jobs in one commit.
pub(crate) fn committed(jobs: usize) {
    metrics::histogram!("bolts_write_batch_jobs").record(jobs as f64);
}

/// Records the time that a caller waited for a read-only connection.
pub(crate) fn waited_for_reader(since: Instant) {
    metrics::histogram!("bolts_pool_wait_seconds").record(since.elapsed().as_secs_f64());
}
