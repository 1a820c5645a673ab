//! One thread that cleans pictures, behind a bounded queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use bolts_ports::{
    BadPicture, Busy, CleanPicture, CleaningFailed, FairQueue, Lane, Pending, PictureCleaner, Pushed, Taker,
};
use futures_channel::oneshot;

use crate::cleaning::clean;

/// The maximum number of waiting pictures. Each file has at most 2 MiB, so the queue needs at most 64 MiB. A picture
/// takes up to a second, so the last one of a full queue waits about half a minute.
const QUEUE: usize = 32;

struct Job {
    file: Vec<u8>,
    answer: oneshot::Sender<Result<CleanPicture, BadPicture>>,
}

/// Cleans pictures one after another on a thread of its own. So at most one decoded picture is in memory.
pub struct PictureWorker {
    queue: Arc<FairQueue<Job>>,
}

impl PictureWorker {
    /// Starts the thread. It ends when the worker is dropped and no picture waits.
    pub fn start() -> Self {
        let queue = FairQueue::<Job>::new(QUEUE);
        let jobs = queue.taker();
        thread::spawn(move || work(&jobs));
        Self { queue }
    }
}

impl Drop for PictureWorker {
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn work(jobs: &Taker<Job>) {
    while let Some(Job { file, answer }) = jobs.take() {
        // A panic of a decoder must not end the thread, because later pictures would never be answered.
        let cleaned = catch_unwind(AssertUnwindSafe(|| clean(&file))).unwrap_or_else(|_| {
            tracing::error!(bytes = file.len(), "a decoder of pictures panicked");
            Err(BadPicture::Unreadable)
        });
        metrics::counter!("bolts_pictures_total", "result" => if cleaned.is_ok() { "stored" } else { "refused" })
            .increment(1);
        // The request may have been cancelled.
        drop(answer.send(cleaned));
    }
}

impl PictureCleaner for PictureWorker {
    fn clean(&self, lane: Lane, file: Vec<u8>) -> Pending<'_, Result<CleanPicture, CleaningFailed>> {
        let (answer, cleaned) = oneshot::channel();
        match self.queue.push(lane, Job { file, answer }) {
            Pushed::Waits => {}
            // Dropping the job closes its channel, so that its caller gets `Busy`.
            Pushed::Full(refused) | Pushed::Closed(refused) => drop(refused),
        }
        Box::pin(async move { Ok(cleaned.await.map_err(|_| Busy)??) })
    }
}
