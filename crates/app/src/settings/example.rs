//! The example of a configuration file, with every setting, its meaning and its default.

use clap::CommandFactory;

use super::setting::{self, Setting};
use crate::config::Cli;

/// The width of a line of the example, in characters.
const WIDTH: usize = 100;

const HEAD: &str = "\
# The configuration of Bolts: `bolts serve --config FILE`, or the variable BOLTS_CONFIG.
#
# A flag overrides an environment variable, and a variable overrides this file. Remove the # before a setting to set
# it. The values below are the defaults. A setting without a default has an empty value here.
# `bolts serve --check` says what is wrong with the configuration, and `bolts doctor` looks at the machine too.
#
# `bolts config example` prints this file.
";

/// The example as TOML. Every setting is in a comment, so the example itself sets nothing.
pub(crate) fn example() -> String {
    let settings = setting::all(&Cli::command());
    let mut text = HEAD.to_owned();
    for setting in &settings {
        text.push('\n');
        describe(&mut text, setting);
    }
    text
}

fn describe(text: &mut String, setting: &Setting) {
    let arg = setting.arg();
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    comment(text, &format!("{}.", help.trim_end_matches('.')));
    let possible = arg.get_possible_values();
    if !possible.is_empty() {
        let named = possible.iter().map(|value| match value.get_help() {
            Some(help) => format!("{} ({})", value.get_name(), help.to_string().trim_end_matches('.')),
            None => value.get_name().to_owned(),
        });
        comment(text, &format!("Values: {}.", named.collect::<Vec<_>>().join(", ")));
    }
    comment(text, &format!("Variable: {}", setting.variable()));
    text.push_str(&format!("#{} = {}\n", setting.key(), default(setting)));
    if setting.is_secret() {
        let file = setting.file_variable();
        comment(text, &format!("Or the name of a file with the value (variable {file}):"));
        text.push_str(&format!("#{} = \"\"\n", setting.file_key()));
    }
}

fn default(setting: &Setting) -> String {
    let values: Vec<String> =
        setting.arg().get_default_values().iter().map(|value| literal(&value.to_string_lossy())).collect();
    match values.as_slice() {
        _ if setting.is_list() => format!("[{}]", values.join(", ")),
        [value] => value.clone(),
        _ if matches!(setting.arg().get_action(), clap::ArgAction::SetTrue) => "false".to_owned(),
        _ => "\"\"".to_owned(),
    }
}

/// A value in TOML: a number or a boolean as it is, anything else as a text.
fn literal(value: &str) -> String {
    let is_plain = value.parse::<i64>().is_ok() || value.parse::<bool>().is_ok();
    if is_plain { value.to_owned() } else { format!("{value:?}") }
}

/// Writes a text as comment lines of limited width.
fn comment(text: &mut String, words: &str) {
    let mut line = String::from("#");
    for word in words.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            "#".clone_into(&mut line);
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}
