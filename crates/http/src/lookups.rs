//! Look-ups of sessions that run together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use actix_web::{rt, web};
use bolts_ports::{Result, SessionView, StoreError, TRACED};
use futures_channel::oneshot::{Sender, channel};
use tracing::{Instrument, debug_span};

use crate::error::Problem;
use crate::server::State;

/// The maximum number of sessions in one statement.
const MOST: usize = 64;

/// The maximum number of statements that run at the same time. The second one keeps a slow statement from stopping all
/// requests.
const AT_ONCE: usize = 2;

/// A request that waits for its session.
struct Waiting {
    secret: String,
    answer: Sender<Result<Option<SessionView>>>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// The number of threads that look up sessions.
    busy: usize,
}

/// The look-ups that wait for a thread. Each request of a signed-in user needs its session. On PostgreSQL the switch of
/// threads and the round trip of a statement take longer than the statement itself. So the requests that arrive while a
/// statement runs share the next one.
#[derive(Default)]
pub(crate) struct Lookups(Mutex<Queue>);

impl Lookups {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request. Returns whether the caller must start a thread for it.
    fn enter(&self, waiting: Waiting) -> bool {
        let mut queue = self.queue();
        queue.waiting.push(waiting);
        let is_free = queue.busy < AT_ONCE;
        queue.busy += usize::from(is_free);
        is_free
    }

    /// The requests of the next statement. If there are none, the calling thread has ended its work.
    fn next(&self) -> Option<Vec<Waiting>> {
        let mut queue = self.queue();
        if queue.waiting.is_empty() {
            queue.busy -= 1;
            return None;
        }
        let count = queue.waiting.len().min(MOST);
        Some(queue.waiting.drain(..count).collect())
    }
}

/// The session with this secret. The answer contains everything that was committed before this call.
pub(crate) async fn session(
    state: &web::Data<State>,
    secret: String,
) -> std::result::Result<Option<SessionView>, Problem> {
    if state.settings.reads_in_place {
        return Ok(state.app.session(&secret)?);
    }
    let (answer, answered) = channel();
    if state.lookups.enter(Waiting { secret, answer }) {
        let state = state.clone();
        // The task also answers other requests, so it continues if this request is cancelled.
        drop(rt::task::spawn_blocking(move || answer_all(&state)));
    }
    // The statement belongs to several requests, so it is no span of one of them.
    let answered = answered.instrument(debug_span!(target: TRACED, "look-up of the session"));
    Ok(answered.await.map_err(|_| Problem::unavailable())??)
}

/// Answers requests until none waits.
fn answer_all(state: &State) {
    while let Some(requests) = state.lookups.next() {
        let secrets: Vec<_> = requests.iter().map(|request| request.secret.as_str()).collect();
        // After a panic that ends the thread, the queue would still count it as busy.
        let found = catch_unwind(AssertUnwindSafe(|| state.app.sessions(&secrets)));
        let found =
            found.unwrap_or_else(|_| Err(StoreError::Broken("a look-up of sessions panicked".to_owned())));
        answer(requests, found);
    }
}

fn answer(requests: Vec<Waiting>, found: Result<Vec<Option<SessionView>>>) {
    let answers: Vec<_> = match found {
        Ok(found) => found.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error); requests.len()],
    };
    for (request, answer) in requests.into_iter().zip(answers) {
        // The request may have been cancelled.
        drop(request.answer.send(answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(number: usize) -> Waiting {
        Waiting { secret: number.to_string(), answer: channel().0 }
    }

    #[test]
    fn requests_share_the_statements_of_two_threads() {
        let lookups = Lookups::default();
        let starts: Vec<bool> = (0..MOST + 3).map(|number| lookups.enter(waiting(number))).collect();
        assert_eq!(starts.iter().filter(|start| **start).count(), AT_ONCE);
        let secrets = |requests: Vec<Waiting>| -> Vec<String> {
            requests.into_iter().map(|request| request.secret).collect()
        };
        let first = lookups.next().map(secrets).unwrap();
        let second = lookups.next().map(secrets).unwrap();
        let all: Vec<String> = (0..MOST + 3).map(|number| number.to_string()).collect();
        assert_eq!((first.len(), [first, second].concat()), (MOST, all));
        // Both threads have ended their work, so the next request needs a new thread.
        assert!(lookups.next().is_none() && lookups.next().is_none());
        assert!(lookups.enter(waiting(0)));
    }
}
