//! The settings that clap does not read by itself: those of the configuration file, of files with one secret, and of
//! systemd.

use std::collections::BTreeMap;
use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Command;

use super::file;
use super::setting::Setting;

/// The variable with the folder of the credentials that systemd gives to a service.
const CREDENTIALS: &str = "CREDENTIALS_DIRECTORY";

/// The maximum size of a file with a secret, in bytes.
const LONGEST_SECRET: u64 = 16 * 1024;

/// The values of settings, by key, and the faults.
#[derive(Default)]
pub(super) struct Given {
    values: BTreeMap<String, Vec<String>>,
    pub(super) problems: Vec<String>,
    /// The files with one secret each.
    pub(super) secret_files: Vec<PathBuf>,
}

impl Given {
    /// Reads the configuration file, and then the files with secrets, which come before it.
    pub(super) fn gather(config: Option<PathBuf>, settings: &[Setting]) -> Self {
        let mut given = Self::default();
        if let Some(path) = config {
            given.take_file(&path, settings);
        }
        for setting in settings.iter().filter(|setting| setting.is_secret()) {
            given.take_secret(setting);
        }
        given
    }

    fn take_file(&mut self, path: &Path, settings: &[Setting]) {
        let mut content = file::read(path, settings);
        self.problems.extend(content.problems);
        // An empty value counts as not set.
        content.values.retain(|_, values| values.iter().any(|value| !value.is_empty()));
        for setting in settings {
            let named = content.values.get(&setting.file_key()).filter(|_| setting.is_secret());
            let named = named.and_then(|names| names.first()).map(|name| beside(path, name));
            match (content.values.get(setting.key()), named) {
                (Some(_), Some(_)) => self.problems.push(format!(
                    "{}: set {} or {}, and not both",
                    path.display(),
                    setting.key(),
                    setting.file_key()
                )),
                (Some(values), None) => self.take(setting, values.clone(), &path.display().to_string()),
                (None, Some(secret)) => self.take_secret_file(setting, &secret),
                (None, None) => {}
            }
        }
    }

    fn take_secret(&mut self, setting: &Setting) {
        let named = env::var_os(setting.file_variable()).filter(|path| !path.is_empty()).map(PathBuf::from);
        let is_set = env::var_os(setting.variable()).is_some_and(|value| !value.is_empty());
        match named {
            Some(_) if is_set => self.problems.push(format!(
                "set {} or {}, and not both",
                setting.variable(),
                setting.file_variable()
            )),
            Some(path) => self.take_secret_file(setting, &path),
            None => {
                let folder = env::var_os(CREDENTIALS).map(PathBuf::from);
                let credential = folder.map(|folder| folder.join(setting.key())).filter(|path| path.exists());
                if let Some(path) = credential {
                    self.take_secret_file(setting, &path);
                }
            }
        }
    }

    fn take_secret_file(&mut self, setting: &Setting, path: &Path) {
        self.secret_files.push(path.to_owned());
        match secret(path) {
            Ok(value) => self.take(setting, vec![value], &path.display().to_string()),
            Err(why) => {
                self.problems.push(format!("cannot read {} from {}: {why}", setting.key(), path.display()));
            }
        }
    }

    fn take(&mut self, setting: &Setting, values: Vec<String>, place: &str) {
        let values = match setting.arg().get_value_delimiter() {
            Some(delimiter) => {
                let parts = values.iter().flat_map(|value| value.split(delimiter));
                parts.map(|part| part.trim().to_owned()).collect()
            }
            None => values,
        };
        let values: Vec<String> = values.into_iter().filter(|value| !value.is_empty()).collect();
        if values.is_empty() {
            return;
        }
        match setting.refusal(&values) {
            Some(_) if setting.is_secret() => {
                self.problems.push(format!("{place}: the value of {} is not valid", setting.key()));
            }
            Some(error) => self.problems.push(format!("{place}: {}", super::lenient::line(&error, &[]))),
            None => drop(self.values.insert(setting.key().to_owned(), values)),
        }
    }

    /// The command with these values as defaults, and without variables that are empty. The help does not show the values,
    /// because they may be secrets.
    pub(super) fn applied(&self, command: Command) -> Command {
        let command = command.mut_args(|arg| {
            let values = arg.get_env().and(arg.get_long()).and_then(|long| self.values.get(long));
            let is_empty = arg.get_env().and_then(env::var_os).is_some_and(|value| value.is_empty());
            let arg = match values {
                Some(values) => {
                    // clap refuses `hide_default_value` for a flag without a value.
                    let takes_value = arg.get_action().takes_values();
                    arg.default_values(values.clone()).hide_default_value(takes_value).required(false)
                }
                None => arg,
            };
            // An empty variable counts as not set.
            if is_empty { arg.env(None) } else { arg }
        });
        command.mut_subcommands(|command| self.applied(command))
    }
}

/// A relative path in the configuration file is relative to the folder of this file.
fn beside(config: &Path, name: &str) -> PathBuf {
    config.parent().unwrap_or(Path::new("")).join(name)
}

/// The content of a file with a secret, without white space around it.
fn secret(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LONGEST_SECRET + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > LONGEST_SECRET {
        return Err(format!("it is longer than {LONGEST_SECRET} bytes"));
    }
    let text = text.trim();
    if text.is_empty() { Err("it is empty".to_owned()) } else { Ok(text.to_owned()) }
}
