//! Bolts: one binary with the server and the operator's commands.

mod commands;
mod config;
mod environment;
mod ideas;
mod lightning;
mod log;
mod mail;
mod metrics;
mod only_server;
mod opening;
mod passwords;
mod receivers;
mod settings;
mod signals;
mod store;
mod traces;
mod ui;
mod version;
mod wiring;
mod workers;

use std::process::ExitCode;

use bolts_ports::StoreError;

use crate::commands::doctor::Settings;
use crate::config::{Command, ConfigAction, DepositsAction};
use crate::settings::Parsed;

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

    /// The line without the exit status.
    pub(crate) fn into_line(self) -> String {
        self.line
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::answer(error.to_string())
    }
}

fn main() -> ExitCode {
    match settings::parse(std::env::args_os().collect()).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            commands::complain(&failure.line);
            ExitCode::from(failure.status)
        }
    }
}

fn run(Parsed { cli, problems, secret_files }: Parsed) -> Result<(), Failure> {
    match cli.command {
        Command::Serve(serve) if serve.check => {
            commands::check::run(&cli.database_url, &serve.options, problems)
        }
        Command::Serve(serve) => commands::serve::run(&cli.database_url, &serve.options),
        Command::Doctor(options) => commands::doctor::run(
            &cli.database_url,
            &options,
            Settings { config: cli.config.as_deref(), secret_files: &secret_files, problems: &problems },
        ),
        Command::Migrate { check } => commands::migrate::run(&cli.database_url, check),
        Command::Config(ConfigAction::Example) => commands::generated::print(&settings::example()),
        Command::Admin(action) => commands::admin::run(&cli.database_url, action),
        Command::User(action) => commands::user::run(&cli.database_url, &action),
        Command::Audit => commands::audit::run(&cli.database_url),
        Command::Backup { file } => commands::backup::run(&cli.database_url, &file),
        #[cfg(feature = "postgres")]
        Command::Copy { from, to } => commands::copy::run(&from, &to),
        Command::Withdrawals(action) => commands::withdrawals::run(&cli.database_url, action),
        Command::Deposits(DepositsAction::Reconcile(options)) => {
            commands::reconcile::deposits(&cli.database_url, &options)
        }
        Command::Deposits(DepositsAction::Late(options)) => {
            commands::late_deposits::run(&cli.database_url, options)
        }
        Command::Mail(action) => commands::mail::run(action),
        Command::Demo => commands::demo::run(&cli.database_url),
        Command::Openapi => commands::generated::openapi(),
        Command::Completions { shell } => commands::generated::completions(shell),
        Command::Manual => commands::generated::manual(),
    }
}
