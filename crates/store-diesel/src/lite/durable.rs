//! Which commits are on the disk.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bolts_ports::OnDisk;
use futures_channel::oneshot;

/// Knows which commits are on the disk, and which ones queries may see already. Commits have numbers in their order.
#[derive(Default)]
pub(super) struct Durable {
    /// The last commit that has begun.
    begun: AtomicU64,
    /// The last commit that is on the disk.
    reached: AtomicU64,
    /// The numbers of the commits for which readers wait.
    readers: Mutex<Vec<(u64, oneshot::Sender<()>)>>,
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

    /// Notes that all commits up to this number are on the disk.
    pub(super) fn reach(&self, number: u64) {
        let mut readers = self.readers();
        self.reached.store(number, Ordering::SeqCst);
        for (_, reader) in readers.extract_if(.., |(wanted, _)| *wanted <= number) {
            // The send fails if the reader has stopped waiting.
            let (Ok(()) | Err(())) = reader.send(());
        }
    }

    /// Completes when everything that queries have seen so far is on the disk. `None` if it is there already.
    pub(super) fn pending(&self) -> Option<OnDisk> {
        let wanted = self.begun();
        if self.reached.load(Ordering::SeqCst) >= wanted {
            return None;
        }
        let mut readers = self.readers();
        // The commit may have reached the disk meanwhile. Its readers were told.
        if self.reached.load(Ordering::SeqCst) >= wanted {
            return None;
        }
        readers.retain(|(_, reader)| !reader.is_canceled());
        let (reader, answer) = oneshot::channel();
        readers.push((wanted, reader));
        Some(answer)
    }

    fn readers(&self) -> MutexGuard<'_, Vec<(u64, oneshot::Sender<()>)>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
