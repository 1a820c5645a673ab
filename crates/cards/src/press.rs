//! Draws cards on a thread of its own with the lowest priority, so that no request waits for the card of another one.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use futures_channel::oneshot::{Receiver, Sender, channel};

use crate::{Card, draw};

/// A picture as the bytes of its PNG file.
pub type Picture = Arc<[u8]>;

/// The bounds of a press.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of different cards that may wait.
    pub waiting: usize,
    /// The number of bytes of the pictures in the cache.
    pub cached_bytes: usize,
}

/// The queue is full. The caller should try again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A function that draws.
type Draw = fn(&Card) -> Option<Vec<u8>>;

/// A thread that draws cards, with a bounded queue and a bounded cache. The thread starts with the first card. A card
/// that several requests ask for is drawn once.
pub struct Press {
    shared: Arc<Shared>,
}

struct Shared {
    limits: Limits,
    draw: Draw,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<(String, Card)>,
    /// The requests that wait for a card, by its key. The card may be in the queue or under way.
    waiting: HashMap<String, Vec<Sender<Picture>>>,
    cache: Cache,
    is_started: bool,
    is_closed: bool,
}

impl Press {
    /// A press that has drawn nothing yet.
    pub fn new(limits: Limits) -> Self {
        Self::with(limits, draw)
    }

    fn with(limits: Limits, draw: Draw) -> Self {
        let shared = Shared { limits, draw, state: Mutex::default(), changed: Condvar::new() };
        Self { shared: Arc::new(shared) }
    }

    /// The picture of the card with this key. Equal keys must mean equal cards. The receiver fails if the card cannot be
    /// drawn.
    ///
    /// # Errors
    /// If too many cards wait.
    pub fn print(&self, key: &str, card: impl FnOnce() -> Card) -> Result<Receiver<Picture>, Full> {
        let (sender, receiver) = channel();
        let mut state = self.shared.state();
        if let Some(picture) = state.cache.get(key) {
            drop(sender.send(picture));
            return Ok(receiver);
        }
        if let Some(others) = state.waiting.get_mut(key) {
            others.push(sender);
            return Ok(receiver);
        }
        if state.queue.len() >= self.shared.limits.waiting {
            return Err(Full);
        }
        if !state.is_started {
            let shared = self.shared.clone();
            let work = move || {
                yield_to_requests();
                shared.work();
            };
            let started = thread::Builder::new().name("cards".to_owned()).spawn(work);
            started.map_err(|_| Full)?;
            state.is_started = true;
        }
        state.waiting.insert(key.to_owned(), vec![sender]);
        state.queue.push_back((key.to_owned(), card()));
        self.shared.changed.notify_one();
        Ok(receiver)
    }
}

/// Gives this thread the lowest priority of the scheduler, because a card takes milliseconds of a core and other requests
/// take much less. Only Linux has a priority for each thread. Elsewhere this would slow down the whole process.
fn yield_to_requests() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, LOWEST) {
        tracing::warn!(%error, "the thread that draws cards could not lower its priority");
    }
}

/// The lowest priority, see `setpriority(2)`.
#[cfg(target_os = "linux")]
const LOWEST: i32 = 19;

impl Drop for Press {
    fn drop(&mut self) {
        self.shared.state().is_closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some((key, card)) = self.next() {
            // A fault in the drawing of one card must not end the thread.
            let drawn = catch_unwind(AssertUnwindSafe(|| (self.draw)(&card))).ok().flatten();
            let mut state = self.state();
            // Without a picture the senders are dropped, so the requests fail.
            let waiting = state.waiting.remove(&key).unwrap_or_default();
            match drawn {
                Some(bytes) => {
                    let picture = Picture::from(bytes);
                    state.cache.put(key, picture.clone(), self.limits.cached_bytes);
                    // A request may have been cancelled.
                    waiting.into_iter().for_each(|sender| drop(sender.send(picture.clone())));
                }
                None => tracing::error!("a card could not be drawn"),
            }
        }
    }

    /// The next card that a request still waits for. `None` after the end of the press.
    fn next(&self) -> Option<(String, Card)> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            while let Some((key, card)) = state.queue.pop_front() {
                if state.waiting.get(&key).is_some_and(|all| all.iter().any(|one| !one.is_canceled())) {
                    return Some((key, card));
                }
                state.waiting.remove(&key);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The pictures that were asked for last.
#[derive(Default)]
struct Cache {
    pictures: HashMap<String, (Picture, u64)>,
    bytes: usize,
    /// The number of uses so far. Each picture has the number of its last use, so the smallest number is the oldest use.
    uses: u64,
}

impl Cache {
    fn get(&mut self, key: &str) -> Option<Picture> {
        self.uses += 1;
        let (picture, used) = self.pictures.get_mut(key)?;
        *used = self.uses;
        Some(picture.clone())
    }

    fn put(&mut self, key: String, picture: Picture, most: usize) {
        if picture.len() > most {
            return;
        }
        self.uses += 1;
        self.bytes += picture.len();
        if let Some((old, _)) = self.pictures.insert(key, (picture, self.uses)) {
            self.bytes -= old.len();
        }
        // The cache has some hundred pictures, so a search costs less than a second list in the order of use.
        while self.bytes > most {
            let oldest = self.pictures.iter().min_by_key(|(_, (_, used))| *used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            if let Some((old, _)) = self.pictures.remove(&key) {
                self.bytes -= old.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_executor::block_on;

    use super::*;

    fn card(title: &str) -> Card {
        Card::Site { title: title.to_owned(), line: String::new() }
    }

    fn title(card: &Card) -> &str {
        match card {
            Card::Site { title, .. } => title,
            Card::Bet(bet) => &bet.title,
        }
    }

    const LIMITS: Limits = Limits { waiting: 2, cached_bytes: 10 };

    #[test]
    fn a_card_is_drawn_once_and_then_cached() {
        static DRAWN: AtomicUsize = AtomicUsize::new(0);
        let press = Press::with(LIMITS, |card| {
            DRAWN.fetch_add(1, Ordering::SeqCst);
            Some(title(card).as_bytes().to_vec())
        });
        let asked: Vec<_> = (0..5).map(|_| press.print("a", || card("abc")).unwrap()).collect();
        for receiver in asked {
            assert_eq!(*block_on(receiver).unwrap(), *b"abc");
        }
        let cached = press.print("a", || unreachable!("the card is cached")).unwrap();
        assert_eq!(*block_on(cached).unwrap(), *b"abc");
        assert_eq!(DRAWN.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn the_picture_that_was_used_least_recently_leaves_a_full_cache() {
        let press = Press::with(LIMITS, |card| Some(title(card).as_bytes().to_vec()));
        let print = |key: &str, text: &str| block_on(press.print(key, || card(text)).unwrap()).unwrap();
        print("a", "aaaa");
        print("b", "bbbb");
        print("a", "aaaa");
        print("c", "cccc");
        let state = press.shared.state();
        let mut keys: Vec<_> = state.cache.pictures.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!((keys, state.cache.bytes), (vec!["a", "c"], 8));
        drop(state);
        print("d", "a picture that is larger than the cache");
        assert_eq!(press.shared.state().cache.bytes, 8);
    }

    /// Holds the drawing of the card `slow` until the test lets go.
    static GATE: Mutex<()> = Mutex::new(());

    #[test]
    fn a_full_queue_refuses_and_cancelled_requests_free_their_place() {
        let press = Press::with(LIMITS, |card| {
            drop((title(card) == "slow").then(|| GATE.lock().unwrap()));
            assert_ne!(title(card), "cancelled", "nobody waits for this card");
            Some(title(card).as_bytes().to_vec())
        });
        let held = GATE.lock().unwrap();
        let slow = press.print("slow", || card("slow")).unwrap();
        while !press.shared.state().queue.is_empty() {
            thread::yield_now();
        }
        let cancelled = press.print("cancelled", || card("cancelled")).unwrap();
        let last = press.print("last", || card("last")).unwrap();
        assert_eq!(press.print("more", || card("more")).unwrap_err(), Full);
        assert!(
            press.print("last", || card("last")).is_ok(),
            "a request for a card that waits takes no place"
        );
        drop(cancelled);
        drop(held);
        assert_eq!(*block_on(slow).unwrap(), *b"slow");
        assert_eq!(*block_on(last).unwrap(), *b"last");
        assert_eq!(*block_on(press.print("more", || card("more")).unwrap()).unwrap(), *b"more");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_the_thread_that_draws_has_the_lowest_priority() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let press = Press::with(LIMITS, |_| {
            Some(rustix::process::getpriority_process(None).unwrap().to_string().into_bytes())
        });
        let drawn = block_on(press.print("a", || card("a")).unwrap()).unwrap();
        assert_eq!((&*drawn, priority()), (LOWEST.to_string().as_bytes(), before));
    }

    #[test]
    fn a_card_that_fails_fails_alone() {
        let press = Press::with(LIMITS, |card| match title(card) {
            "panic" => panic!("a fault"),
            "none" => None,
            title => Some(title.as_bytes().to_vec()),
        });
        let print = |text: &str| block_on(press.print(text, || card(text)).unwrap());
        assert!(print("panic").is_err() && print("none").is_err());
        assert_eq!(*print("fine").unwrap(), *b"fine");
    }
}
