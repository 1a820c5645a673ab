//! The turns of the writer threads.

use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A thread that has run for this time is slow: it waits for a lock, for the disk or for the network.
const SLOW: Duration = Duration::from_millis(150);

/// Decides which writer threads run. The first threads always do. Each other thread helps only while one more thread is slow.
/// So few threads share the work: their batches are larger, and a job costs less CPU time (`docs/performance.md`).
pub(super) struct Turns {
    /// The number of threads that always run.
    first: usize,
    /// Held by the helper that watches. The other helpers wait for it.
    watch: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The times at which the running threads began.
    running: Vec<Instant>,
    /// The number of helpers whose turn has come.
    helping: usize,
    /// Whether the helper that watches waits for a thread to begin.
    is_idle: bool,
    is_closed: bool,
}

/// The turn of a thread. It ends when the value is dropped.
pub(super) struct Turn<'t> {
    turns: &'t Turns,
    is_helper: bool,
    begun: Option<Instant>,
}

impl Turns {
    /// The turns of threads of which as many always run as this machine has cores, and at least two.
    pub(super) fn new() -> Self {
        let cores = thread::available_parallelism().map_or(0, NonZero::get);
        Self::of(cores.max(2))
    }

    fn of(first: usize) -> Self {
        Self { first, watch: Mutex::default(), state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits for the turn of the thread with this number, which begins at 0.
    pub(super) fn wait(&self, number: usize) -> Turn<'_> {
        let is_helper = number >= self.first;
        if is_helper {
            let _watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
            self.wait_for_slow();
        }
        Turn { turns: self, is_helper, begun: None }
    }

    /// Lets all threads run, because the queue is closed.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits until more threads are slow than help.
    fn wait_for_slow(&self) {
        let mut state = self.state();
        loop {
            let now = Instant::now();
            let quick = state.running.iter().filter_map(|begun| left(*begun, now));
            let quick: Vec<Duration> = quick.collect();
            if state.is_closed || state.running.len() - quick.len() > state.helping {
                state.helping += 1;
                return;
            }
            state = match quick.into_iter().min() {
                Some(left) => {
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    state.is_idle = true;
                    self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
                }
            };
            state.is_idle = false;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time after which a thread is slow. `None` if it is slow already.
fn left(begun: Instant, now: Instant) -> Option<Duration> {
    SLOW.checked_sub(now.saturating_duration_since(begun)).filter(|left| !left.is_zero())
}

impl Turn<'_> {
    /// Says that the thread begins a run now, perhaps after another one.
    pub(super) fn begin(&mut self) {
        let begun = Instant::now();
        let mut state = self.turns.state();
        state.end(self.begun.replace(begun));
        state.running.push(begun);
        if state.is_idle {
            self.turns.changed.notify_one();
        }
    }
}

impl State {
    /// Forgets the run that began at this time.
    fn end(&mut self, ended: Option<Instant>) {
        if let Some(place) = self.running.iter().position(|begun| Some(*begun) == ended) {
            self.running.swap_remove(place);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        state.helping -= usize::from(self.is_helper);
        state.end(self.begun);
        if self.is_helper {
            // Another helper may have its turn now.
            self.turns.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_helper_runs_only_beside_a_slow_thread() {
        let turns = Turns::of(2);
        let (send, helps) = channel();
        let begun = Instant::now();
        thread::scope(|scope| {
            for number in 2..4 {
                let (turns, send) = (&turns, send.clone());
                scope.spawn(move || {
                    let mut turn = turns.wait(number);
                    turn.begin();
                    send.send((number, begun.elapsed())).unwrap();
                });
            }
            thread::sleep(SLOW);
            assert!(helps.try_recv().is_err(), "no thread runs");

            let mut first = turns.wait(0);
            first.begin();
            let (_, helped_after) = helps.recv().unwrap();
            assert!(helped_after >= SLOW * 2, "the first thread became slow");
            // The helper has ended, so the other one may help.
            helps.recv().unwrap();
        });
        assert_eq!(turns.state().helping, 0);
    }

    #[test]
    fn the_end_of_a_helper_wakes_the_next_one() {
        let turns = Turns::of(2);
        let mut first = turns.wait(0);
        first.begin();
        thread::sleep(SLOW);
        let helper = turns.wait(2);
        thread::scope(|scope| {
            let next = scope.spawn(|| drop(turns.wait(3)));
            while !turns.state().is_idle {
                thread::yield_now();
            }
            drop(helper);
            let dropped = Instant::now();
            while !next.is_finished() && dropped.elapsed() < SLOW * 100 {
                thread::yield_now();
            }
            let is_woken = next.is_finished();
            turns.close();
            assert!(is_woken);
        });
    }

    #[test]
    fn no_helper_waits_after_the_end() {
        let turns = Turns::of(2);
        thread::scope(|scope| {
            let helpers = [2, 3].map(|number| {
                scope.spawn({
                    let turns = &turns;
                    move || drop(turns.wait(number))
                })
            });
            turns.close();
            assert!(helpers.into_iter().all(|helper| helper.join().is_ok()));
        });
    }
}
