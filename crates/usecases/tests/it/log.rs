//! The lines that a piece of a test logs.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

#[derive(Clone)]
struct Lines {
    /// Only lines of this level count. `None` means all levels.
    level: Option<Level>,
    found: Arc<Mutex<Vec<Line>>>,
}

#[derive(Clone, Default)]
struct Line {
    message: String,
    fields: String,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let written = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
        written.expect("a string takes all");
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.level.is_none_or(|level| level == *metadata.level())
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn lines(level: Option<Level>, work: impl FnOnce()) -> Vec<Line> {
    let lines = Lines { level, found: Arc::default() };
    tracing::subscriber::with_default(lines.clone(), work);
    let found = lines.found.lock().unwrap_or_else(PoisonError::into_inner);
    found.clone()
}

fn messages(level: Level, work: impl FnOnce()) -> Vec<String> {
    lines(Some(level), work).into_iter().map(|line| line.message).collect()
}

/// The details for developers that `work` logs on this thread.
pub(crate) fn details(work: impl FnOnce()) -> Vec<String> {
    messages(Level::DEBUG, work)
}

/// The errors that `work` logs on this thread.
pub(crate) fn errors(work: impl FnOnce()) -> Vec<String> {
    messages(Level::ERROR, work)
}

/// The warnings that `work` logs on this thread.
pub(crate) fn warnings(work: impl FnOnce()) -> Vec<String> {
    messages(Level::WARN, work)
}

/// Everything that `work` logs on this thread, each line with its fields.
pub(crate) fn log(work: impl FnOnce()) -> Vec<String> {
    lines(None, work).into_iter().map(|line| line.message + &line.fields).collect()
}
