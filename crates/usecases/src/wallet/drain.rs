//! Counts the running steps of withdrawals, so that a server can wait for them when it stops.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bolts_kernel::WithdrawalId;

/// The steps of withdrawals that run in this process. A stopping server waits for them, and no withdrawal has
/// two steps at once.
#[derive(Debug, Default)]
pub(super) struct Drain(Mutex<Steps>);

#[derive(Debug, Default)]
struct Steps {
    is_stopping: bool,
    looks: usize,
    moving: HashSet<WithdrawalId>,
    /// The number of withdrawals that are to be sent, and whose attempt is not recorded yet.
    asking: u32,
}

/// A running step. The step ends when this value is dropped.
pub(super) struct Running<'a> {
    drain: &'a Drain,
    /// The withdrawal of the step. `None` for a look-up of an ended withdrawal.
    moving: Option<WithdrawalId>,
}

/// The questions to the provider before the attempt to pay a withdrawal. They end when this value is dropped.
pub(super) struct Asking<'a>(&'a Drain);

impl Drain {
    fn steps(&self) -> MutexGuard<'_, Steps> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a step of a withdrawal. `None` if a step of this withdrawal is already running, or if the server is
    /// stopping.
    pub(super) fn begin(&self, id: WithdrawalId) -> Option<Running<'_>> {
        let mut steps = self.steps();
        let may_begin = !steps.is_stopping && steps.moving.insert(id);
        may_begin.then(|| Running { drain: self, moving: Some(id) })
    }

    /// Begins a look-up of an ended withdrawal. `None` if the server is stopping.
    pub(super) fn look(&self) -> Option<Running<'_>> {
        let mut steps = self.steps();
        if steps.is_stopping {
            return None;
        }
        steps.looks += 1;
        Some(Running { drain: self, moving: None })
    }

    /// Begins the questions before an attempt to pay. `None` if this process already asks for as many withdrawals as may be
    /// sent now. The store counts a withdrawal only when its attempt is recorded.
    pub(super) fn ask(&self, free: u32) -> Option<Asking<'_>> {
        let mut steps = self.steps();
        if steps.asking >= free {
            return None;
        }
        steps.asking += 1;
        Some(Asking(self))
    }

    /// The withdrawals with a running step.
    pub(super) fn moving(&self) -> HashSet<WithdrawalId> {
        self.steps().moving.clone()
    }

    /// Prevents further steps from now on, because the server is stopping.
    pub(super) fn stop(&self) {
        self.steps().is_stopping = true;
    }

    /// Whether the server is stopping, so that no step may begin.
    pub(super) fn is_stopping(&self) -> bool {
        self.steps().is_stopping
    }

    /// Whether no step is running.
    pub(super) fn is_nothing(&self) -> bool {
        let steps = self.steps();
        steps.looks == 0 && steps.moving.is_empty()
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut steps = self.drain.steps();
        match self.moving {
            Some(id) => drop(steps.moving.remove(&id)),
            None => steps.looks -= 1,
        }
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.steps().asking -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> WithdrawalId {
        format!("{number:032x}").parse().expect("an id")
    }

    #[test]
    fn running_steps_are_counted_and_none_starts_after_the_stop() {
        let drain = Drain::default();
        let (first, look) = (drain.begin(id(1)), drain.look());
        assert!(first.is_some() && look.is_some() && !drain.is_nothing());
        drain.stop();
        assert!(drain.begin(id(2)).is_none() && drain.look().is_none());
        drop(first);
        assert!(!drain.is_nothing());
        drop(look);
        assert!(drain.is_nothing());
    }

    #[test]
    fn no_more_withdrawals_are_asked_about_than_may_be_sent() {
        let drain = Drain::default();
        let (first, second) = (drain.ask(2), drain.ask(2));
        assert!(first.is_some() && second.is_some() && drain.ask(2).is_none());
        drop(first);
        assert!(drain.ask(1).is_none(), "a payment was recorded meanwhile");
        assert!(drain.ask(2).is_some());
    }

    #[test]
    fn a_withdrawal_is_moved_on_by_one_step_at_a_time() {
        let drain = Drain::default();
        let first = drain.begin(id(1));
        assert!(drain.begin(id(1)).is_none(), "a step of this withdrawal is running");
        assert!(drain.begin(id(2)).is_some());
        drop(first);
        assert!(drain.begin(id(1)).is_some());
    }
}
