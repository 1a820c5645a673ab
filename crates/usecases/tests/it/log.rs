//! The lines that a piece of a test logs.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};

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

/// If a process has one subscriber, tracing asks the thread that first comes by a log line whether anybody reads this line.
/// The thread of another test has no subscriber, and its 'no' would hold for all threads. This second subscriber lasts as long
/// as the process, so that tracing asks each subscriber.
static SECOND: OnceLock<Dispatch> = OnceLock::new();

fn lines(level: Option<Level>, work: impl FnOnce()) -> Vec<Line> {
    SECOND.get_or_init(|| Dispatch::new(Lines { level: None, found: Arc::default() }));
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

#[test]
fn a_line_counts_even_if_another_thread_logs_it_first() {
    let say = || tracing::error!("It snows");
    let found = errors(|| {
        std::thread::spawn(say).join().expect("no panic");
        say();
    });
    assert_eq!(found, ["It snows"]);
}
