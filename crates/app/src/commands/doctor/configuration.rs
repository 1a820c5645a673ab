//! The settings, and who can read them.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Finding, Settings};
use crate::config::ServeOptions;
use crate::settings;

const SUBJECT: &str = "configuration";

pub(super) fn look(from: Settings<'_>, options: &ServeOptions) -> Vec<Finding> {
    let wrong = from.problems.iter().cloned().chain(options.problems());
    let mut findings: Vec<Finding> =
        wrong.map(|line| Finding::fault(SUBJECT, line, "correct the setting")).collect();
    findings.extend(
        settings::unknown_variables()
            .into_iter()
            .map(|line| Finding::warning(SUBJECT, line, "correct the name of the variable, or remove it")),
    );
    findings.extend(from.config.and_then(open_secrets));
    let secrets = from.secret_files.iter().map(PathBuf::as_path).chain(options.lightning.macaroon_file());
    findings.extend(secrets.filter_map(open_secret));
    if !options.leaves_admins_time() {
        findings.push(Finding::warning(
            SUBJECT,
            "--arbiter-rules-within is not shorter than --dispute-lapse-after, so admins have no time to rule",
            "shorten --arbiter-rules-within",
        ));
    }
    if !options.leaves_acceptor_time() {
        findings.push(Finding::warning(
            SUBJECT,
            "--stand-after is not shorter than --lapse-after, so an acceptor has no time to propose",
            "shorten --stand-after, or lengthen --lapse-after",
        ));
    }
    if findings.is_empty() {
        let place = from.config.map_or_else(|| "no file".to_owned(), |path| path.display().to_string());
        findings.push(Finding::fine(SUBJECT, place));
    }
    findings
}

/// A warning if every user of the machine can read a configuration file with secrets.
fn open_secrets(path: &Path) -> Option<Finding> {
    let secrets = settings::secrets_in(path);
    (is_open(path) && !secrets.is_empty()).then(|| {
        let said = format!(
            "every user of the machine can read {}, which contains {}",
            path.display(),
            secrets.join(", ")
        );
        let fix = "chmod 640, with the group of the service; or keep the secret in a file of its own";
        Finding::warning(SUBJECT, said, fix)
    })
}

/// A warning if every user of the machine can read a file with one secret.
fn open_secret(path: &Path) -> Option<Finding> {
    is_open(path).then(|| {
        let said = format!("every user of the machine can read the secret in {}", path.display());
        Finding::warning(
            SUBJECT,
            said,
            "chmod 640, with the group of the service; or use LoadCredential of systemd",
        )
    })
}

fn is_open(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.permissions().mode() & 0o004 != 0)
}
