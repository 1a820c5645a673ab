//! A bounded queue whose lanes take turns (fair queueing, round robin).

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::network::Lane;

/// A bounded queue between threads. Items of one lane leave the queue in the order in which they came. The lanes take
/// turns, one item each. So before the next turn of its lane, an item waits for at most one item of every other lane.
///
/// If the queue is full, a new item of a shorter lane replaces the latest item of the longest lane. The replaced item
/// goes back to the caller.
#[derive(Debug)]
pub struct FairQueue<T> {
    capacity: usize,
    state: Mutex<State<T>>,
    arrived: Condvar,
}

#[derive(Debug)]
struct State<T> {
    /// The waiting items of each lane. A lane without items is removed.
    lanes: HashMap<Lane, VecDeque<T>>,
    /// The order of the turns. Each lane occurs once, and the next lane comes first.
    turns: VecDeque<Lane>,
    waiting: usize,
    takers: usize,
    /// The lanes that a taker holds, with its number. Nobody else takes their items.
    held: HashMap<Lane, usize>,
    /// The number of the latest taker.
    number: usize,
    is_closed: bool,
}

/// The result of adding an item.
#[derive(Debug, PartialEq, Eq)]
pub enum Pushed<T> {
    /// The new item waits in the queue.
    Waits,
    /// The queue is full and refuses this item: the new item, or the latest item of a longer lane.
    Full(T),
    /// The queue is closed and refuses the new item.
    Closed(T),
}

/// Why [`Taker::take_within`] has no item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoItem {
    /// No item arrived in time.
    TimedOut,
    /// The queue is closed and empty.
    Closed,
}

/// A handle with which a thread takes items. When the last handle is dropped, the queue closes and drops the waiting
/// items.
#[derive(Debug)]
pub struct Taker<T> {
    queue: Arc<FairQueue<T>>,
    number: usize,
    /// Whether it holds the lanes of users.
    holds: bool,
}

impl<T> FairQueue<T> {
    /// An empty queue for at most `capacity` items.
    pub fn new(capacity: usize) -> Arc<Self> {
        let state = State {
            lanes: HashMap::new(),
            turns: VecDeque::new(),
            waiting: 0,
            takers: 0,
            held: HashMap::new(),
            number: 0,
            is_closed: false,
        };
        Arc::new(Self { capacity, state: Mutex::new(state), arrived: Condvar::new() })
    }

    /// A new handle with which a thread takes items.
    pub fn taker(self: &Arc<Self>) -> Taker<T> {
        self.new_taker(false)
    }

    /// A new handle with which a thread takes items. While the thread works on items of a user, no other thread takes items of
    /// this user: from the moment at which it takes the first one until [`Taker::release`].
    pub fn holding_taker(self: &Arc<Self>) -> Taker<T> {
        self.new_taker(true)
    }

    fn new_taker(self: &Arc<Self>, holds: bool) -> Taker<T> {
        let mut state = self.state();
        state.takers += 1;
        state.number += 1;
        Taker { queue: self.clone(), number: state.number, holds }
    }

    /// Puts an item at the end of its lane.
    pub fn push(&self, lane: Lane, item: T) -> Pushed<T> {
        let mut state = self.state();
        if state.is_closed {
            return Pushed::Closed(item);
        }
        let mut evicted = None;
        if state.waiting >= self.capacity {
            evicted = state.make_room(lane);
            if evicted.is_none() {
                return Pushed::Full(item);
            }
        }
        state.add(lane, item);
        drop(state);
        self.arrived.notify_one();
        evicted.map_or(Pushed::Waits, Pushed::Full)
    }

    /// Closes the queue: it refuses new items. Waiting items can still be taken.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.arrived.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Taker<T> {
    /// Waits for the next item. `None` once the queue is closed and empty.
    pub fn take(&self) -> Option<T> {
        self.take_until(None).ok()
    }

    /// Waits for the next item, at most for this time.
    ///
    /// # Errors
    /// No item arrived, or the queue is closed and empty.
    pub fn take_within(&self, patience: Duration) -> Result<T, NoItem> {
        self.take_until(Some(Instant::now() + patience))
    }

    fn take_until(&self, until: Option<Instant>) -> Result<T, NoItem> {
        let mut state = self.queue.state();
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            match (self.next(&mut state), left) {
                (Some(item), _) => return Ok(item),
                (None, _) if state.is_closed => return Err(NoItem::Closed),
                (None, Some(Duration::ZERO)) => return Err(NoItem::TimedOut),
                (None, Some(left)) => {
                    let waited = self.queue.arrived.wait_timeout(state, left);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                (None, None) => {
                    state = self.queue.arrived.wait(state).unwrap_or_else(PoisonError::into_inner)
                }
            }
        }
    }

    /// Takes up to `most` further items, without waiting.
    pub fn take_waiting(&self, most: usize) -> Vec<T> {
        let mut state = self.queue.state();
        std::iter::from_fn(|| self.next(&mut state)).take(most).collect()
    }

    /// Lets other threads take items of the users whose items this handle has taken.
    pub fn release(&self) {
        let mut state = self.queue.state();
        state.held.retain(|_, holder| *holder != self.number);
        let are_waiting = state.waiting > 0;
        drop(state);
        if are_waiting {
            self.queue.arrived.notify_all();
        }
    }

    fn next(&self, state: &mut State<T>) -> Option<T> {
        let (lane, item) = state.next(self.number)?;
        if self.holds && matches!(lane, Lane::User(_)) {
            state.held.insert(lane, self.number);
        }
        Some(item)
    }
}

impl<T> Drop for Taker<T> {
    fn drop(&mut self) {
        self.release();
        let mut state = self.queue.state();
        state.takers -= 1;
        if state.takers == 0 {
            state.is_closed = true;
            state.turns.clear();
            state.waiting = 0;
            let left = std::mem::take(&mut state.lanes);
            // The drop of an item may run other code, so the lock is released first.
            drop(state);
            drop(left);
        }
    }
}

impl<T> State<T> {
    fn add(&mut self, lane: Lane, item: T) {
        let own = self.lanes.entry(lane).or_default();
        if own.is_empty() {
            self.turns.push_back(lane);
        }
        own.push_back(item);
        self.waiting += 1;
    }

    /// The next item for the taker with this number, and its lane.
    fn next(&mut self, taker: usize) -> Option<(Lane, T)> {
        let is_free = |lane: &Lane| self.held.get(lane).is_none_or(|holder| *holder == taker);
        let place = self.turns.iter().position(is_free)?;
        let lane = self.turns.remove(place)?;
        let own = self.lanes.get_mut(&lane)?;
        let item = own.pop_front();
        if own.is_empty() {
            self.lanes.remove(&lane);
        } else {
            self.turns.push_back(lane);
        }
        self.waiting -= usize::from(item.is_some());
        Some((lane, item?))
    }

    /// Removes the latest item of the longest lane. `None` if the longest lane would then be shorter than `lane` with
    /// its new item.
    fn make_room(&mut self, lane: Lane) -> Option<T> {
        let own = self.lanes.get(&lane).map_or(0, VecDeque::len);
        let longest = self.lanes.values_mut().max_by_key(|items| items.len())?;
        if longest.len() <= own + 1 {
            return None;
        }
        self.waiting -= 1;
        longest.pop_back()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn user(number: u128) -> Lane {
        Lane::User(format!("{number:032x}").parse().unwrap())
    }

    fn all(taker: &Taker<u32>) -> Vec<u32> {
        taker.take_waiting(usize::MAX)
    }

    #[test]
    fn lanes_take_turns_and_keep_their_order() {
        let queue = FairQueue::new(100);
        let taker = queue.taker();
        for item in 10..15 {
            queue.push(user(1), item);
        }
        queue.push(user(2), 20);
        queue.push(Lane::Site, 30);
        queue.push(user(2), 21);
        assert_eq!(taker.take(), Some(10));
        assert_eq!(all(&taker), [20, 30, 11, 21, 12, 13, 14]);
    }

    #[test]
    fn the_items_of_a_user_are_not_taken_by_two_threads_at_once() {
        let queue = FairQueue::new(100);
        let (one, other) = (queue.holding_taker(), queue.holding_taker());
        for item in [10, 11, 12] {
            queue.push(user(1), item);
        }
        queue.push(user(2), 20);
        queue.push(Lane::Site, 30);
        queue.push(Lane::Site, 31);
        assert_eq!(one.take(), Some(10));
        assert_eq!(other.take_waiting(2), [20, 30]);
        assert_eq!(one.take_waiting(2), [11, 31]);
        assert_eq!(all(&other), [0; 0]);
        let waiting = thread::spawn(move || other.take());
        one.release();
        assert_eq!(waiting.join().unwrap(), Some(12));
    }

    #[test]
    fn a_full_queue_takes_from_the_longest_lane() {
        let queue = FairQueue::new(4);
        let taker = queue.taker();
        for item in 10..14 {
            assert_eq!(queue.push(user(1), item), Pushed::Waits);
        }
        assert_eq!(queue.push(user(1), 14), Pushed::Full(14));
        assert_eq!(queue.push(user(2), 20), Pushed::Full(13));
        assert_eq!(queue.push(user(2), 21), Pushed::Full(12));
        assert_eq!(queue.push(user(2), 22), Pushed::Full(22), "the lanes are as long as each other");
        assert!(matches!(queue.push(user(3), 30), Pushed::Full(11 | 21)), "both are the longest");
        assert_eq!(all(&taker).len(), 4);
    }

    #[test]
    fn a_closed_queue_is_emptied() {
        let queue = FairQueue::new(4);
        let taker = queue.taker();
        queue.push(user(1), 10);
        queue.close();
        assert_eq!(queue.push(user(1), 11), Pushed::Closed(11));
        assert_eq!((taker.take(), taker.take()), (Some(10), None));
    }

    #[test]
    fn a_queue_without_takers_drops_what_waits() {
        let queue = FairQueue::new(4);
        let (taker, item) = (queue.taker(), Arc::new(()));
        queue.push(user(1), item.clone());
        drop(taker);
        assert_eq!(Arc::strong_count(&item), 1);
        assert!(matches!(queue.push(user(1), item), Pushed::Closed(_)));
    }

    #[test]
    fn a_wait_for_an_item_ends_in_time() {
        let queue = FairQueue::new(4);
        let taker = queue.taker();
        assert_eq!(taker.take_within(Duration::from_millis(1)), Err(NoItem::TimedOut));
        queue.push(Lane::Site, 1);
        queue.close();
        assert_eq!(taker.take_within(Duration::ZERO), Ok(1));
        assert_eq!(taker.take_within(Duration::from_secs(3_600)), Err(NoItem::Closed));
    }

    #[test]
    fn who_waits_for_an_item_is_woken() {
        let queue = FairQueue::new(4);
        let taker = queue.taker();
        let waiting = thread::spawn(move || (taker.take(), taker.take()));
        queue.push(Lane::Site, 1);
        queue.close();
        assert_eq!(waiting.join().unwrap(), (Some(1), None));
    }
}
