//! The settings of the program: flags over environment over configuration file. The definitions of clap are the only
//! list of settings. A setting is an option with an environment variable, and its name in the file is its long flag.
//!
//! clap itself reads flags and variables. A value of the file becomes the default of its option, so that clap parses it
//! in the same way.

mod example;
mod file;
mod given;
mod lenient;
mod setting;
mod uses;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

pub(crate) use example::example;

use crate::Failure;
use crate::config::Cli;
use given::Given;
use setting::Setting;

/// The variable that names the configuration file.
const CONFIG: &str = "BOLTS_CONFIG";

/// The beginning of the variables of all settings.
const PREFIX: &str = "BOLTS_";

/// The command line with all settings.
pub(crate) struct Parsed {
    pub(crate) cli: Cli,
    /// All faults of the settings, a line each.
    pub(crate) problems: Vec<String>,
    /// The files from which a secret was read.
    pub(crate) secret_files: Vec<PathBuf>,
}

/// Parses the command line, the environment and the configuration file. Prints help and errors of the command line as
/// clap does, and ends the program after them.
///
/// # Errors
/// A setting is wrong. The message is the first fault. `bolts serve --check` gets all faults instead.
pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Parsed, Failure> {
    let command = Cli::command();
    let settings = setting::all(&command);
    let given = Given::gather(config_file(&command, &arguments, &settings), &settings);
    let complete = given.applied(command);
    match complete.clone().try_get_matches_from(&arguments) {
        Ok(matches) => {
            let cli = cli(&matches);
            if cli.command.is_check() {
                return Ok(given.parsed(cli, Vec::new()));
            }
            match given.problems.first() {
                Some(first) if cli.command.has_settings() => Err(first_of(first, given.problems.len())),
                _ => Ok(Parsed { cli, problems: Vec::new(), secret_files: Vec::new() }),
            }
        }
        Err(error) => {
            let (checked, faults) = lenient::parse(&complete, &arguments, &settings);
            match checked.map(|matches| cli(&matches)) {
                Some(cli) if cli.command.is_check() && error.use_stderr() => Ok(given.parsed(cli, faults)),
                _ if setting::is_about_a_secret(&error, &settings) => {
                    Err(Failure::start_up(lenient::line(&error, &settings)))
                }
                _ => error.exit(),
            }
        }
    }
}

impl Given {
    /// The command line with all faults of the settings. `faults` are those that only clap finds.
    fn parsed(self, cli: Cli, faults: Vec<String>) -> Parsed {
        Parsed { cli, problems: [self.problems, faults].concat(), secret_files: self.secret_files }
    }
}

/// The command line that clap has parsed.
fn cli(matches: &ArgMatches) -> Cli {
    Cli::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

/// A line for each variable whose name begins like that of a setting and which no setting has.
pub(crate) fn unknown_variables() -> Vec<String> {
    let settings = setting::all(&Cli::command());
    let known = |name: &str| {
        let is_named = |setting: &Setting| {
            setting.variable() == name || (setting.is_secret() && setting.file_variable() == name)
        };
        name == CONFIG || settings.iter().any(is_named)
    };
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = names.filter(|name| name.starts_with(PREFIX) && !known(name));
    let line = |name: String| {
        let variables: Vec<String> = settings.iter().map(Setting::variable).collect();
        let ends = variables.iter().filter_map(|variable| variable.strip_prefix(PREFIX));
        match setting::similar(name.trim_start_matches(PREFIX), ends) {
            Some(meant) => format!("no setting has the variable {name}; did you mean {PREFIX}{meant}?"),
            None => format!("no setting has the variable {name}"),
        }
    };
    unknown.map(line).collect()
}

/// The keys of settings in a configuration file whose values are or contain secrets.
pub(crate) fn secrets_in(path: &Path) -> Vec<String> {
    let settings = setting::all(&Cli::command());
    let content = file::read(path, &settings);
    let secret = settings.iter().filter(|setting| setting.is_secret()).map(Setting::key);
    secret.filter(|key| content.values.contains_key(*key)).map(str::to_owned).collect()
}

fn first_of(line: &str, count: usize) -> Failure {
    let others = if count > 1 { "; `bolts serve --check` lists all faults" } else { "" };
    Failure::start_up(format!("{line}{others}"))
}

/// The configuration file, by `--config` or its variable. Errors of the command line are reported later.
fn config_file(command: &Command, arguments: &[OsString], settings: &[Setting]) -> Option<PathBuf> {
    let matches = lenient::parse(&without_requirements(command.clone()), arguments, settings).0?;
    innermost(&matches).try_get_one::<PathBuf>("config").ok().flatten().cloned()
}

/// The command that requires no setting, because the configuration file may contain it.
fn without_requirements(command: Command) -> Command {
    let command = command.mut_args(|arg| if arg.get_env().is_some() { arg.required(false) } else { arg });
    command.mut_subcommands(without_requirements)
}

fn innermost(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| innermost(inner))
}
