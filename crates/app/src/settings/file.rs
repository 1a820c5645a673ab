//! The configuration file: TOML, one key for each setting, without sections.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::setting::{Setting, similar};

/// The texts of the values in a configuration file, and its faults.
#[derive(Default)]
pub(super) struct Content {
    /// The values of each key. A list has several.
    pub(super) values: BTreeMap<String, Vec<String>>,
    pub(super) problems: Vec<String>,
}

/// Reads a file. Checks its keys and the types of its values.
pub(super) fn read(path: &Path, settings: &[Setting]) -> Content {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return Content::broken(format!("cannot read {}: {error}", path.display())),
    };
    match text.parse::<Table>() {
        Ok(table) => content(path, table, settings),
        Err(error) => {
            // The message alone. The whole error repeats the line, which may contain a secret.
            let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
            Content::broken(format!("{}: line {line}: {}", path.display(), error.message()))
        }
    }
}

impl Content {
    fn broken(problem: String) -> Self {
        Self { values: BTreeMap::new(), problems: vec![problem] }
    }
}

fn content(path: &Path, table: Table, settings: &[Setting]) -> Content {
    let mut content = Content::default();
    for (key, value) in table {
        let at = |what: String| format!("{}: {what}", path.display());
        let is_list = match settings.iter().find(|setting| setting.key() == key) {
            Some(setting) => setting.is_list(),
            None if settings.iter().any(|setting| setting.is_secret() && setting.file_key() == key) => false,
            None => {
                content.problems.push(at(unknown(&key, settings)));
                continue;
            }
        };
        match texts(value, is_list) {
            Some(texts) => drop(content.values.insert(key, texts)),
            None if is_list => {
                content.problems.push(at(format!("{key} must be a text, or a list of texts in brackets")));
            }
            None => content.problems.push(at(format!("{key} must be a text, a whole number, true or false"))),
        }
    }
    content
}

fn unknown(key: &str, settings: &[Setting]) -> String {
    match similar(key, settings.iter().map(Setting::key)) {
        Some(meant) => format!("there is no setting {key}; did you mean {meant}?"),
        None => format!("there is no setting {key}; `bolts config example` lists all settings"),
    }
}

/// The texts that stand for a value on the command line. `None` if the value has another type.
fn texts(value: Value, is_list: bool) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text]),
        Value::Integer(number) => Some(vec![number.to_string()]),
        Value::Boolean(on) => Some(vec![on.to_string()]),
        Value::Array(values) if is_list => {
            let texts = values.into_iter().map(|value| texts(value, false));
            Some(texts.collect::<Option<Vec<_>>>()?.concat())
        }
        Value::Array(_) | Value::Float(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}
