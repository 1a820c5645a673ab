//! The commands that print texts made from the program itself: the OpenAPI document, the example of a configuration
//! file, completions for shells and the manual page.

use std::io::{self, Write, stdout};

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::Failure;
use crate::config::Cli;

/// Prints a text on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    written(stdout().write_all(text.as_bytes()))
}

/// Prints the OpenAPI document.
pub(crate) fn openapi() -> Result<(), Failure> {
    written(bolts_http::document().and_then(|document| stdout().write_all(document.as_bytes())))
}

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "bolts", &mut script);
    written(stdout().write_all(&script))
}

/// Prints the manual page: the program, then each command with its options.
pub(crate) fn manual() -> Result<(), Failure> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    written(page(&command).and_then(|page| stdout().write_all(&page)))
}

fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let (mut page, man) = (Vec::new(), Man::new(command.clone()));
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_options_section(&mut page)?;
    commands(command, "bolts", &mut page)?;
    Ok(page)
}

/// Writes a section for each command that has no further commands.
fn commands(command: &clap::Command, name: &str, page: &mut Vec<u8>) -> io::Result<()> {
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("{name} {}", command.get_name());
        if command.has_subcommands() {
            commands(command, &name, page)?;
            continue;
        }
        let man = Man::new(command.clone().name(name.clone()).bin_name(name.clone()));
        writeln!(page, ".SH \"{}\"", name.to_uppercase())?;
        man.render_description_section(&mut *page)?;
        man.render_options_section(&mut *page)?;
    }
    Ok(())
}

fn written(result: io::Result<()>) -> Result<(), Failure> {
    result.map_err(|error| Failure::answer(format!("cannot write: {error}")))
}
