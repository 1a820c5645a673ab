//! Which commits are on the disk.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bolts_ports::{OnDisk, Result, StoreError};
use futures_channel::oneshot;

/// Knows which commits are on the disk, and which ones queries may see already. Commits have numbers in their order.
#[derive(Default)]
pub(super) struct Durable {
    /// The last commit that has begun.
    begun: AtomicU64,
    /// The last commit that is on the disk.
    reached: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// The numbers of the commits for which readers wait.
    readers: Vec<(u64, oneshot::Sender<Result<()>>)>,
    failed: Option<StoreError>,
}

impl Durable {
    /// Notes that the next commit begins.
    pub(super) fn begin(&self) {
        self.begun.fetch_add(1, Ordering::SeqCst);
    }

    /// The number of the last commit that has begun.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Notes that all commits up to this number are on the disk, or that the disk has failed.
    pub(super) fn reach(&self, number: u64, outcome: &Result<()>) {
        let mut waiting = self.waiting();
        match outcome {
            Ok(()) => self.reached.store(number, Ordering::SeqCst),
            Err(failed) => waiting.failed = Some(failed.clone()),
        }
        for (_, reader) in waiting.readers.extract_if(.., |(wanted, _)| *wanted <= number) {
            // The reader may have stopped waiting.
            drop(reader.send(outcome.clone()));
        }
    }

    /// The answer to whether everything that queries have seen so far is on the disk. `None` if it is.
    pub(super) fn pending(&self) -> Option<OnDisk> {
        let wanted = self.begun();
        if self.reached.load(Ordering::SeqCst) >= wanted {
            return None;
        }
        let mut waiting = self.waiting();
        // The commit may have reached the disk meanwhile. Its readers were told.
        if self.reached.load(Ordering::SeqCst) >= wanted {
            return None;
        }
        let (reader, answer) = oneshot::channel();
        match &waiting.failed {
            Some(failed) => drop(reader.send(Err(failed.clone()))),
            None => waiting.readers.push((wanted, reader)),
        }
        Some(answer)
    }

    /// Fails if the disk has failed.
    pub(super) fn check(&self) -> Result<()> {
        self.waiting().failed.clone().map_or(Ok(()), Err)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
