//! The commands, with one module for each.

pub(crate) mod admin;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod check;
#[cfg(feature = "postgres")]
pub(crate) mod copy;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod generated;
pub(crate) mod late_deposits;
pub(crate) mod mail;
pub(crate) mod migrate;
pub(crate) mod reconcile;
pub(crate) mod serve;
pub(crate) mod settle;
pub(crate) mod user;
pub(crate) mod withdrawals;

use std::io::{Write, stderr, stdout};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;

/// Prints a line on standard output. A closed output is not an error.
pub(crate) fn say(line: &str) {
    drop(writeln!(stdout(), "{line}"));
}

/// Prints a line on standard error.
pub(crate) fn complain(line: &str) {
    drop(writeln!(stderr(), "bolts: {line}"));
}

/// The failure of a command that names a user who does not exist.
pub(crate) fn no_user(email: &str) -> Failure {
    Failure::answer(format!("no user has registered with {email}"))
}

/// Shows the progress if standard error is a terminal, and otherwise prints nothing.
pub(crate) fn progress(message: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(message);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
