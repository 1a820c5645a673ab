//! Finds all faults of a command line. clap itself stops at the first one.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, Error};

use super::setting::{Setting, flag_of, is_about_a_secret};

/// Parses without the options and variables that are wrong, and returns a line for each of them. `None` if the command
/// line cannot be understood even so.
pub(super) fn parse(
    command: &Command,
    arguments: &[OsString],
    settings: &[Setting],
) -> (Option<ArgMatches>, Vec<String>) {
    let (mut command, mut arguments) = (command.clone(), arguments.to_vec());
    let mut faults = Vec::new();
    loop {
        let error = match command.clone().try_get_matches_from(&arguments) {
            Ok(matches) => return (Some(matches), faults),
            Err(error) => error,
        };
        faults.push(line(&error, settings));
        let Some(flag) = flag_of(&error) else { return (None, faults) };
        if let Some(shorter) = without(&arguments, &flag, error.kind()) {
            arguments = shorter;
        } else if command_has_variable(&command, &flag) {
            command = without_variable(command, &flag);
        } else {
            return (None, faults);
        }
    }
}

/// The arguments without this flag and its value. `None` if they do not contain the flag.
fn without(arguments: &[OsString], flag: &str, kind: ErrorKind) -> Option<Vec<OsString>> {
    let takes_value = matches!(kind, ErrorKind::InvalidValue | ErrorKind::ValueValidation);
    let joined = format!("{flag}=");
    let at = arguments.iter().position(|argument| {
        argument == flag || argument.to_str().is_some_and(|text| text.starts_with(&joined))
    })?;
    let count = if takes_value && arguments[at] == flag { 2 } else { 1 };
    Some(arguments[..at].iter().chain(arguments.iter().skip(at + count)).cloned().collect())
}

fn command_has_variable(command: &Command, flag: &str) -> bool {
    let named = |arg: &clap::Arg| arg.get_env().is_some() && long(arg).as_deref() == Some(flag);
    command.get_arguments().any(named)
        || command.get_subcommands().any(|command| command_has_variable(command, flag))
}

fn without_variable(command: Command, flag: &str) -> Command {
    let command = command.mut_args(|arg| {
        if long(&arg).as_deref() == Some(flag) { arg.env(None).required(false) } else { arg }
    });
    command.mut_subcommands(|command| without_variable(command, flag))
}

fn long(arg: &clap::Arg) -> Option<String> {
    arg.get_long().map(|long| format!("--{long}"))
}

/// An error of clap as one line. A value that may be a secret is left out.
pub(super) fn line(error: &Error, settings: &[Setting]) -> String {
    if is_about_a_secret(error, settings) {
        return format!("the value of {} is not valid", flag_of(error).unwrap_or_default());
    }
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim);
    let told =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let told: Vec<&str> = told.filter(|line| !line.is_empty()).collect();
    told.join(" ").trim_start_matches("error: ").to_owned()
}
