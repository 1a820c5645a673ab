use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command};

/// An option of the command line that can also be set by the environment and the configuration file.
pub(super) struct Setting(Arg);

impl Setting {
    fn of(arg: &Arg) -> Option<Self> {
        let is_setting = arg.get_env().is_some() && arg.get_long().is_some() && arg.get_id() != "config";
        is_setting.then(|| Self(arg.clone()))
    }

    /// The definition in clap.
    pub(super) const fn arg(&self) -> &Arg {
        &self.0
    }

    /// The name in the configuration file and of a systemd credential: the long flag.
    pub(super) fn key(&self) -> &str {
        self.0.get_long().unwrap_or_default()
    }

    /// The environment variable.
    pub(super) fn variable(&self) -> String {
        self.0.get_env().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether the value may be or contain a secret. Such a value can also be in a file of its own, and no message
    /// repeats it.
    pub(super) fn is_secret(&self) -> bool {
        self.0.is_hide_env_values_set()
    }

    /// The name in the configuration file of the file with the value.
    pub(super) fn file_key(&self) -> String {
        format!("{}-file", self.key())
    }

    /// The environment variable with the name of the file with the value.
    pub(super) fn file_variable(&self) -> String {
        format!("{}_FILE", self.variable())
    }

    /// Whether the setting takes a list.
    pub(super) fn is_list(&self) -> bool {
        self.0.get_value_delimiter().is_some() || matches!(self.0.get_action(), ArgAction::Append)
    }

    /// The error of clap for these values, if there is one. Relations to other options do not count here.
    pub(super) fn refusal(&self, values: &[String]) -> Option<clap::Error> {
        let alone = Arg::new(self.0.get_id().clone())
            .long(self.key().to_owned())
            .action(self.0.get_action().clone())
            .value_names(self.0.get_value_names().unwrap_or_default().to_vec())
            .default_values(values.to_owned());
        // clap gives a flag without a value its own parser.
        let alone = if self.0.get_action().takes_values() {
            alone.value_parser(self.0.get_value_parser().clone())
        } else {
            alone
        };
        Command::new("bolts").no_binary_name(true).arg(alone).try_get_matches_from([""; 0]).err()
    }
}

/// All settings of all commands, each once, in the order of their definition.
pub(super) fn all(command: &Command) -> Vec<Setting> {
    let mut found: Vec<Setting> = Vec::new();
    collect(command, &mut found);
    found
}

fn collect(command: &Command, found: &mut Vec<Setting>) {
    for setting in command.get_arguments().filter_map(Setting::of) {
        if !found.iter().any(|known| known.key() == setting.key()) {
            found.push(setting);
        }
    }
    command.get_subcommands().for_each(|command| collect(command, found));
}

/// The name that the operator probably meant.
pub(super) fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.map(|known| (strsim::jaro_winkler(name, known), known));
    let best = rated.filter(|(likeness, _)| *likeness > 0.8).max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.map(|(_, known)| known)
}

/// The flag that an error of clap names, such as `--bind`.
pub(super) fn flag_of(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) => text.split([' ', '=']).next().map(str::to_owned),
        _ => None,
    }
}

/// Whether an error of clap repeats a value that may be a secret.
pub(super) fn is_about_a_secret(error: &clap::Error, settings: &[Setting]) -> bool {
    let flag = flag_of(error);
    let flag = flag.as_deref().and_then(|flag| flag.strip_prefix("--"));
    flag.is_some_and(|flag| settings.iter().any(|setting| setting.is_secret() && setting.key() == flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> Command {
        let mail = Arg::new("url").long("url").env("SITE_URL").hide_env_values(true).requires("from");
        let level = Arg::new("level").long("level").env("SITE_LEVEL").value_parser(clap::value_parser!(u8));
        let open = Arg::new("open").long("open").env("SITE_OPEN").action(ArgAction::SetTrue);
        let hosts = Arg::new("hosts").long("hosts").env("SITE_HOSTS").value_delimiter(',').global(true);
        let send = Command::new("send").arg(mail).arg(Arg::new("from").long("from")).arg(level);
        Command::new("site").arg(hosts).arg(open).subcommand(send)
    }

    #[test]
    fn settings_are_the_options_with_a_variable_of_all_commands() {
        let found = all(&command());
        let keys: Vec<&str> = found.iter().map(Setting::key).collect();
        assert_eq!(keys, ["hosts", "open", "url", "level"]);
        let secret: Vec<bool> = found.iter().map(Setting::is_secret).collect();
        assert_eq!(secret, [false, false, true, false]);
        assert_eq!(
            (found[2].file_key(), found[2].file_variable()),
            ("url-file".into(), "SITE_URL_FILE".into())
        );
        assert!(found[0].is_list() && !found[1].is_list());
    }

    #[test]
    fn a_value_is_judged_without_the_other_options() {
        let found = all(&command());
        let refused = |at: usize, value: &str| found[at].refusal(&[value.to_owned()]).is_some();
        assert!(!refused(0, "a") && !refused(2, "smtp://mail"), "`from` is not set");
        assert!(!refused(1, "true") && refused(1, "perhaps"));
        assert!(!refused(3, "255") && refused(3, "256"));
    }

    #[test]
    fn a_name_of_another_thing_is_not_proposed() {
        let known = ["bind", "public-url", "signups-per-hour"];
        assert_eq!(similar("bidn", known.into_iter()), Some("bind"));
        assert_eq!(similar("publik-url", known.into_iter()), Some("public-url"));
        assert_eq!(similar("zzz", known.into_iter()), None);
    }
}
