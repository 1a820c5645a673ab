//! One module a command.

pub(crate) mod admin;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod demo;
pub(crate) mod openapi;
pub(crate) mod serve;

use std::io::{Write, stderr, stdout};

/// Prints a line of the answer. That nobody reads it any more is no failure.
pub(crate) fn say(line: &str) {
    drop(writeln!(stdout(), "{line}"));
}

/// Prints a line on standard error.
pub(crate) fn complain(line: &str) {
    drop(writeln!(stderr(), "bolts: {line}"));
}
