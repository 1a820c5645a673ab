//! The settings, and who can read them.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::Finding;
use crate::config::ServeOptions;
use crate::settings;

const SUBJECT: &str = "configuration";

pub(super) fn look(config: Option<&Path>, options: &ServeOptions, problems: &[String]) -> Vec<Finding> {
    let wrong = problems.iter().cloned().chain(options.problems());
    let mut findings: Vec<Finding> =
        wrong.map(|line| Finding::fault(SUBJECT, line, "correct the setting")).collect();
    findings.extend(
        settings::unknown_variables()
            .into_iter()
            .map(|line| Finding::warning(SUBJECT, line, "correct the name of the variable, or remove it")),
    );
    findings.extend(config.and_then(open_secrets));
    if !options.leaves_admins_time() {
        findings.push(Finding::warning(
            SUBJECT,
            "--arbiter-rules-within is not shorter than --dispute-lapse-after, so admins have no time to rule",
            "shorten --arbiter-rules-within",
        ));
    }
    if findings.is_empty() {
        let place = config.map_or_else(|| "no file".to_owned(), |path| path.display().to_string());
        findings.push(Finding::fine(SUBJECT, place));
    }
    findings
}

/// A warning if every user of the machine can read a configuration file with secrets.
fn open_secrets(path: &Path) -> Option<Finding> {
    let mode = path.metadata().ok()?.permissions().mode();
    let secrets = settings::secrets_in(path);
    (mode & 0o004 != 0 && !secrets.is_empty()).then(|| {
        let said = format!(
            "every user of the machine can read {}, which contains {}",
            path.display(),
            secrets.join(", ")
        );
        Finding::warning(
            SUBJECT,
            said,
            "chmod 640, with the group of the service; or keep the secret in a file of its own",
        )
    })
}
