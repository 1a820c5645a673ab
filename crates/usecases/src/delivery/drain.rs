//! The reasons why a courier sends nothing: the server stops, or the database does not take the results.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bolts_kernel::Timestamp;
use bolts_ports::{Delivery, Fate};

use super::plan::Held;

/// The result of a claimed delivery.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) delivery: Delivery,
    /// The held deliveries that the message contains.
    pub(super) contains: Vec<Held>,
    pub(super) fate: Fate,
    /// The destination, if it is gone.
    pub(super) gone: Option<Gone>,
    /// The end of the lease.
    pub(super) until: Timestamp,
}

/// A destination that is gone.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    /// The address of the attempt. The user may have changed it since.
    pub(super) address: String,
    /// The reason.
    pub(super) why: String,
}

/// What the couriers of one channel in this process share.
#[derive(Default)]
pub(super) struct Drain(Mutex<State>);

#[derive(Default)]
struct State {
    is_stopping: bool,
    /// Whether the last outcome could not be recorded.
    is_failing: bool,
    claims: usize,
    unrecorded: VecDeque<Outcome>,
}

/// A claim that is under way. It ends when the value is dropped.
pub(super) struct Claim<'a>(&'a Drain);

impl Outcome {
    /// The next attempt is at this time. None was made.
    pub(super) fn put_off(delivery: Delivery, at: Timestamp, until: Timestamp) -> Self {
        Self { delivery, contains: Vec::new(), fate: Fate::PutOff(at), gone: None, until }
    }

    /// Whether the delivery is not attempted again. Only such an outcome may be recorded twice: after any other one, another
    /// process may have claimed the delivery meanwhile.
    const fn is_final(&self) -> bool {
        match self.fate {
            Fate::Sent | Fate::Dropped | Fate::GivenUp(_) => true,
            Fate::Held | Fate::Again(..) | Fate::PutOff(_) => false,
        }
    }
}

impl Drain {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn claim(&self) -> Claim<'_> {
        self.state().claims += 1;
        Claim(self)
    }

    /// Prevents further attempts from now on, because the server is stopping.
    pub(super) fn stop(&self) {
        self.state().is_stopping = true;
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.state().is_stopping
    }

    /// Whether the last outcome could not be recorded. A message that was sent now would be sent again after its lease.
    pub(super) fn is_failing(&self) -> bool {
        self.state().is_failing
    }

    /// The database works.
    pub(super) fn works(&self) {
        self.state().is_failing = false;
    }

    /// The database did not take this outcome.
    pub(super) fn fails(&self, outcome: Outcome) {
        let mut state = self.state();
        state.is_failing = true;
        if outcome.is_final() {
            state.unrecorded.push_front(outcome);
        }
    }

    /// Keeps an outcome that nobody has tried to record.
    pub(super) fn keep(&self, outcome: Outcome) {
        self.state().unrecorded.push_back(outcome);
    }

    pub(super) fn has_unrecorded(&self) -> bool {
        !self.state().unrecorded.is_empty()
    }

    pub(super) fn take_unrecorded(&self) -> Option<Outcome> {
        self.state().unrecorded.pop_front()
    }

    /// Whether no claim is under way and each outcome is recorded.
    pub(super) fn is_nothing(&self) -> bool {
        let state = self.state();
        state.claims == 0 && state.unrecorded.is_empty()
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.state().claims -= 1;
    }
}
