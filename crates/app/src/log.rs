//! The lines of the log, for the server and for the commands that log.

use std::io::{self, IsTerminal, Stderr};

use tracing_subscriber::fmt;
use tracing_subscriber::fmt::format::{DefaultFields, Format};

/// Lines of text on standard error.
pub(crate) fn lines<S>() -> fmt::Layer<S, DefaultFields, Format, fn() -> Stderr> {
    fmt::Layer::default()
        .with_writer(io::stderr as fn() -> Stderr)
        // Only a terminal gets colours. In a file, colour codes would stand between a field's name and its value.
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        // Otherwise a line that cannot be written, for example to a full disk, would cause a panic in its request.
        .log_internal_errors(false)
}
