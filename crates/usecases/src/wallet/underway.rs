use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What this process does with withdrawals at this moment, so that its end can wait for it.
#[derive(Debug, Default)]
pub(super) struct Underway {
    is_stopping: AtomicBool,
    steps: AtomicUsize,
}

/// Held while a step is under way.
pub(super) struct Running<'a>(&'a Underway);

impl Underway {
    /// Begins a step; `None` where none is begun any more.
    pub(super) fn begin(&self) -> Option<Running<'_>> {
        // Counted before it is asked whether it may: whoever stops sees one or the other.
        self.steps.fetch_add(1, Ordering::SeqCst);
        let running = Running(self);
        if self.is_stopping.load(Ordering::SeqCst) { None } else { Some(running) }
    }

    /// No step is begun any more.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
    }

    /// Whether none is under way.
    pub(super) fn is_nothing(&self) -> bool {
        self.steps.load(Ordering::SeqCst) == 0
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.steps.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_begun_is_waited_for_and_nothing_begins_after_the_stop() {
        let underway = Underway::default();
        let first = underway.begin();
        assert!(first.is_some() && !underway.is_nothing());
        underway.stop();
        assert!(underway.begin().is_none() && !underway.is_nothing());
        drop(first);
        assert!(underway.is_nothing());
    }
}
