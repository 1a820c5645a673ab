//! The event streams that are open on this process.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bolts_kernel::UserId;
use bolts_ports::{About, Fanout, Hint};
use futures_channel::mpsc::{Receiver, Sender, channel};

use crate::last_hints::LastHints;

/// The maximum number of streams of a user on one process. Users rarely have more pages open.
const STREAMS_PER_USER: usize = 16;

/// The maximum number of hints that wait for a slow reader. If more hints would wait, the stream ends. The page
/// then connects again and fetches its data.
const WAITING: usize = 32;

/// The end of an event stream to which the hub sends hints.
struct Listener {
    number: u64,
    hints: Sender<About>,
    is_displaced: Arc<AtomicBool>,
}

#[derive(Default)]
struct Streams {
    /// The streams of each user, oldest first.
    by_user: HashMap<UserId, Vec<Listener>>,
    last_hints: LastHints,
    is_closed: bool,
}

/// Passes hints to the open streams of this process.
#[derive(Default)]
pub struct Hub {
    streams: Mutex<Streams>,
    next: AtomicU64,
    is_draining: AtomicBool,
}

/// The error of a hub that opens no new stream, because the server is about to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closing;

/// An open stream. Dropping the value removes the stream from the hub.
pub(crate) struct Subscription {
    hub: Arc<Hub>,
    user: UserId,
    number: u64,
    pub(crate) hints: Receiver<About>,
    /// The time since the last hint that the user got before this stream was open. A lower bound: the true time may be longer.
    pub(crate) last_hint: Duration,
    is_displaced: Arc<AtomicBool>,
}

impl Subscription {
    /// A number that no other stream of this process has.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Whether a newer stream of the same user has replaced this stream.
    pub(crate) fn is_displaced(&self) -> bool {
        self.is_displaced.load(Ordering::Relaxed)
    }
}

impl Hub {
    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a stream of hints for this user. If the user then has more than [`STREAMS_PER_USER`] streams, the
    /// oldest stream ends. Most likely its page was closed, and the server has not noticed this yet.
    pub(crate) fn subscribe(self: &Arc<Self>, user: UserId) -> Result<Subscription, Closing> {
        let mut streams = self.streams();
        if streams.is_closed {
            return Err(Closing);
        }
        let own = streams.by_user.entry(user).or_default();
        if own.len() >= STREAMS_PER_USER {
            own.remove(0).is_displaced.store(true, Ordering::Relaxed);
        }
        let (sender, hints) = channel(WAITING);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let is_displaced = Arc::new(AtomicBool::new(false));
        own.push(Listener { number, hints: sender, is_displaced: is_displaced.clone() });
        let last_hint = streams.last_hints.age(user, Instant::now());
        Ok(Subscription { hub: self.clone(), user, number, hints, last_hint, is_displaced })
    }

    /// Announces that this process will stop soon. From now on it is not ready, so that a proxy chooses other processes.
    /// It still serves requests.
    pub fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Whether this process will stop soon.
    pub(crate) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Ends all streams. Afterwards the hub opens no new streams. An open stream would keep the server from
    /// stopping.
    pub fn close(&self) {
        let mut streams = self.streams();
        streams.is_closed = true;
        streams.by_user.clear();
    }

    /// Ends all streams, because hints may have been lost. Their pages connect again and fetch their data. So does each page whose
    /// first reads were before this call.
    pub fn restart(&self) {
        let mut streams = self.streams();
        streams.last_hints = LastHints::default();
        streams.by_user.clear();
    }

    fn leave(&self, user: UserId, number: u64) {
        let mut streams = self.streams();
        if let Some(own) = streams.by_user.get_mut(&user) {
            own.retain(|listener| listener.number != number);
            if own.is_empty() {
                streams.by_user.remove(&user);
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.leave(self.user, self.number);
    }
}

impl Fanout for Hub {
    fn publish(&self, hints: &[Hint]) {
        let mut streams = self.streams();
        let now = Instant::now();
        for hint in hints {
            // The end of another session changes nothing that a page shows.
            if hint.about != About::Sessions {
                streams.last_hints.record(hint.user, now);
            }
            if let Some(own) = streams.by_user.get_mut(&hint.user) {
                own.retain_mut(|listener| listener.hints.try_send(hint.about).is_ok());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u128) -> UserId {
        format!("{number:032x}").parse().unwrap()
    }

    fn balance(user: UserId) -> Hint {
        Hint { user, about: About::Balance }
    }

    #[test]
    fn hints_reach_only_the_streams_of_their_user() {
        let hub = Arc::new(Hub::default());
        let (mut ann, mut bob) = (hub.subscribe(user(1)).unwrap(), hub.subscribe(user(2)).unwrap());
        hub.publish(&[balance(user(1)), balance(user(3))]);
        assert_eq!(ann.hints.try_recv().ok(), Some(About::Balance));
        assert!(ann.hints.try_recv().is_err() && bob.hints.try_recv().is_err());
        drop(ann);
        assert_eq!(hub.streams().by_user.len(), 1);
    }

    #[test]
    fn after_lost_hints_each_page_fetches_its_data() {
        let hub = Arc::new(Hub::default());
        let mut ann = hub.subscribe(user(1)).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        let begun = Instant::now();
        hub.restart();
        assert!(ann.hints.try_recv().unwrap_err().is_closed());
        let bob = hub.subscribe(user(2)).unwrap();
        assert!(bob.last_hint <= begun.elapsed(), "nothing is known before");
    }

    #[test]
    fn the_newest_stream_ends_the_oldest_and_a_slow_one_is_cut_off() {
        let hub = Arc::new(Hub::default());
        let mut own: Vec<_> = (0..=STREAMS_PER_USER).map(|_| hub.subscribe(user(1)).unwrap()).collect();
        let mut oldest = own.remove(0);
        assert_eq!(oldest.hints.try_recv().ok(), None);
        assert!(oldest.is_displaced() && !own.iter().any(Subscription::is_displaced));
        for _ in 0..WAITING + 2 {
            for stream in &mut own[1..] {
                let _read_or_empty = stream.hints.try_recv();
            }
            hub.publish(&[balance(user(1))]);
        }
        assert_eq!(hub.streams().by_user[&user(1)].len(), STREAMS_PER_USER - 1);
        hub.close();
        assert_eq!(hub.subscribe(user(2)).err(), Some(Closing));
    }
}
