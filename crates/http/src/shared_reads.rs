//! Reads that all visitors with the same request can share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::rt;
use bolts_ports::TRACED;
use futures_channel::oneshot::{Sender, channel};
use tokio::task::yield_now;
use tracing::{Instrument, debug_span};

use crate::error::Problem;

/// The maximum number of reads of a key that run at the same time. The second one keeps a slow read from stopping all
/// requests.
const AT_ONCE: usize = 2;

type Answer<T> = Sender<Result<T, Problem>>;

struct Queue<T> {
    waiting: Vec<Answer<T>>,
    /// The number of tasks that read for this key.
    busy: usize,
}

/// Reads whose result is the same for all requests with the same key. The requests that arrive before a read begins share
/// this read. No result is kept for later requests.
pub(crate) struct SharedReads<T>(Arc<Mutex<HashMap<String, Queue<T>>>>);

impl<T> Default for SharedReads<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone + 'static> SharedReads<T> {
    /// The result of `read`. It contains everything that was committed before this call.
    pub(crate) async fn get<F>(&self, key: &str, read: impl Fn() -> F + 'static) -> Result<T, Problem>
    where
        F: Future<Output = Result<T, Problem>>,
    {
        let (answer, answered) = channel();
        if let Some(mut turn) = self.enter(key, answer) {
            // The task begins after the requests that have arrived at this thread. It also answers other requests, so it
            // continues if this request is cancelled.
            rt::spawn(async move {
                while let Some(waiting) = turn.next() {
                    let found = read().await;
                    for answer in waiting {
                        // The request may have been cancelled.
                        drop(answer.send(found.clone()));
                    }
                    yield_now().await;
                }
            });
        }
        // The read belongs to several requests, so it is no span of one of them.
        let answered = answered.instrument(debug_span!(target: TRACED, "wait for a shared read"));
        answered.await.map_err(|_| Problem::unavailable())?
    }

    /// Adds a request. Returns the turn of a new task if the caller must start one.
    fn enter(&self, key: &str, answer: Answer<T>) -> Option<Turn<T>> {
        let mut queues = lock(&self.0);
        let queue = queues.entry(key.to_owned()).or_insert_with(|| Queue { waiting: Vec::new(), busy: 0 });
        queue.waiting.push(answer);
        if queue.busy == AT_ONCE {
            return None;
        }
        queue.busy += 1;
        Some(Turn { queues: self.0.clone(), key: key.to_owned(), is_over: false })
    }
}

fn lock<T>(queues: &Mutex<HashMap<String, Queue<T>>>) -> MutexGuard<'_, HashMap<String, Queue<T>>> {
    queues.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The work of a task for a key.
struct Turn<T> {
    queues: Arc<Mutex<HashMap<String, Queue<T>>>>,
    key: String,
    is_over: bool,
}

impl<T> Turn<T> {
    /// The requests of the next read. If there are none, the turn is over.
    fn next(&mut self) -> Option<Vec<Answer<T>>> {
        let mut queues = lock(&self.queues);
        let waiting = queues.get_mut(&self.key).map(|queue| std::mem::take(&mut queue.waiting));
        let waiting = waiting.filter(|waiting| !waiting.is_empty());
        if waiting.is_none() {
            self.is_over = true;
            leave(&mut queues, &self.key);
        }
        waiting
    }
}

impl<T> Drop for Turn<T> {
    /// Ends the turn after a panic too. Otherwise later requests would wait for this task.
    fn drop(&mut self) {
        if !self.is_over {
            leave(&mut lock(&self.queues), &self.key);
        }
    }
}

/// Removes a task from a queue, and a queue without tasks. The requests of a removed queue get an error.
fn leave<T>(queues: &mut HashMap<String, Queue<T>>, key: &str) {
    let Some(queue) = queues.get_mut(key) else { return };
    queue.busy -= 1;
    if queue.busy == 0 {
        queues.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use futures_util::future::join_all;

    use super::*;

    /// A read that counts its runs. Its result is the number of the run.
    fn counted(runs: &Rc<Cell<usize>>) -> impl Fn() -> std::future::Ready<Result<usize, Problem>> + use<> {
        let runs = runs.clone();
        move || {
            runs.set(runs.get() + 1);
            std::future::ready(Ok(runs.get()))
        }
    }

    #[test]
    fn requests_that_wait_together_share_a_read() {
        rt::System::new().block_on(async {
            let (reads, runs) = (SharedReads::default(), Rc::new(Cell::new(0)));
            let answers = join_all((0..50).map(|_| reads.get("page", counted(&runs)))).await;
            assert!(answers.iter().all(|answer| matches!(answer, Ok(1))));
            assert_eq!(runs.get(), 1);
        });
    }

    #[test]
    fn a_request_never_gets_a_result_from_before_it() {
        rt::System::new().block_on(async {
            let (reads, runs) = (SharedReads::default(), Rc::new(Cell::new(0)));
            for run in 1..=3 {
                assert!(matches!(reads.get("page", counted(&runs)).await, Ok(found) if found == run));
            }
            // The task ends after its last answer.
            yield_now().await;
            assert!(lock(&reads.0).is_empty(), "nothing is kept");
        });
    }

    #[test]
    fn requests_with_different_keys_share_nothing() {
        rt::System::new().block_on(async {
            let reads = SharedReads::default();
            let get = |key: &'static str| reads.get(key, move || std::future::ready(Ok(key)));
            let (one, other) = futures_util::join!(get("one"), get("other"));
            assert!(matches!((one, other), (Ok("one"), Ok("other"))));
        });
    }

    #[test]
    fn a_panic_of_a_read_stops_no_later_request() {
        rt::System::new().block_on(async {
            let reads = SharedReads::<usize>::default();
            for _ in 0..=AT_ONCE {
                let broken = reads.get("page", || async { panic!("a broken read") }).await;
                assert!(broken.is_err());
            }
            assert!(matches!(reads.get("page", || std::future::ready(Ok(7))).await, Ok(7)));
        });
    }

    #[test]
    fn a_cancelled_request_stops_no_other_one() {
        rt::System::new().block_on(async {
            let (reads, runs) = (SharedReads::default(), Rc::new(Cell::new(0)));
            let mut first = Box::pin(reads.get("page", counted(&runs)));
            assert!(futures_util::poll!(&mut first).is_pending());
            let second = reads.get("page", counted(&runs));
            drop(first);
            assert!(matches!(second.await, Ok(1)));
        });
    }
}
