//! The lines that a piece of a test logs.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

#[derive(Clone)]
struct Lines {
    level: Level,
    found: Arc<Mutex<Vec<String>>>,
}

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            write!(self.0, "{value:?}").expect("a string takes all");
        }
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == self.level
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut message = Message(String::new());
        event.record(&mut message);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(message.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn lines(level: Level, work: impl FnOnce()) -> Vec<String> {
    let lines = Lines { level, found: Arc::default() };
    tracing::subscriber::with_default(lines.clone(), work);
    let found = lines.found.lock().unwrap_or_else(PoisonError::into_inner);
    found.clone()
}

/// The details for developers that `work` logs on this thread.
pub(crate) fn details(work: impl FnOnce()) -> Vec<String> {
    lines(Level::DEBUG, work)
}

/// The errors that `work` logs on this thread.
pub(crate) fn errors(work: impl FnOnce()) -> Vec<String> {
    lines(Level::ERROR, work)
}

/// The warnings that `work` logs on this thread.
pub(crate) fn warnings(work: impl FnOnce()) -> Vec<String> {
    lines(Level::WARN, work)
}
