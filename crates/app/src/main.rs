//! Bolts: one binary with the server and the operator's commands.

mod commands;
mod config;
mod environment;
mod ideas;
mod lightning;
mod metrics;
mod passwords;
mod store;
mod ui;
mod wiring;
mod workers;

use std::process::ExitCode;

use clap::Parser;

use crate::config::{Cli, Command, DepositsAction};

/// The failure of a command: a line for standard error, and an exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    line: String,
    status: u8,
}

impl Failure {
    /// The program cannot start: exit status 2.
    pub(crate) fn start_up(line: impl Into<String>) -> Self {
        Self { line: line.into(), status: 2 }
    }

    /// The command ran, and its result is negative: exit status 1.
    pub(crate) fn answer(line: impl Into<String>) -> Self {
        Self { line: line.into(), status: 1 }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Serve(options) => commands::serve::run(&cli.database_url, options),
        Command::Admin(action) => commands::admin::run(&cli.database_url, action),
        Command::Audit => commands::audit::run(&cli.database_url),
        Command::Backup { file } => commands::backup::run(&cli.database_url, &file),
        #[cfg(feature = "postgres")]
        Command::Copy { from, to } => commands::copy::run(&from, &to),
        Command::Withdrawals(action) => commands::withdrawals::run(&cli.database_url, action),
        Command::Deposits(DepositsAction::Reconcile(options)) => {
            commands::reconcile::deposits(&cli.database_url, &options)
        }
        Command::Demo => commands::demo::run(&cli.database_url),
        Command::Openapi => commands::openapi::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            commands::complain(&failure.line);
            ExitCode::from(failure.status)
        }
    }
}
