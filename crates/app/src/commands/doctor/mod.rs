//! `bolts doctor`: looks at everything that the server depends on, and says what to fix.

mod address;
mod clock;
mod configuration;
mod database;
mod disk;
mod provider;

use std::path::{Path, PathBuf};

use actix_web::rt::System;
use bolts_store_diesel::{DatabaseUrl, Inspection, inspect};

use crate::config::ServeOptions;
use crate::{Failure, commands};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// Nothing is wrong.
    Fine,
    /// The site works, but something is not as it should be.
    Warning,
    /// The site does not work, or money is at risk.
    Fault,
}

/// A result of a check.
struct Finding {
    severity: Severity,
    subject: &'static str,
    said: String,
    /// What the operator can do.
    fix: &'static str,
}

impl Finding {
    fn fine(subject: &'static str, said: impl Into<String>) -> Self {
        Self { severity: Severity::Fine, subject, said: said.into(), fix: "" }
    }

    fn warning(subject: &'static str, said: impl Into<String>, fix: &'static str) -> Self {
        Self { severity: Severity::Warning, subject, said: said.into(), fix }
    }

    fn fault(subject: &'static str, said: impl Into<String>, fix: &'static str) -> Self {
        Self { severity: Severity::Fault, subject, said: said.into(), fix }
    }

    fn print(&self) {
        let severity = match self.severity {
            Severity::Fine => "ok",
            Severity::Warning => "WARNING",
            Severity::Fault => "FAULT",
        };
        commands::say(&format!("{severity:<8}  {:<14}  {}", self.subject, self.said));
        if !self.fix.is_empty() {
            commands::say(&format!("{:26}  fix: {}", "", self.fix));
        }
    }
}

/// Where the settings come from.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    /// The configuration file.
    pub(crate) config: Option<&'a Path>,
    /// The files with one secret each.
    pub(crate) secret_files: &'a [PathBuf],
    /// The faults of the settings, a line each.
    pub(crate) problems: &'a [String],
}

/// Prints each finding. The exit status is 1 if there is a fault.
pub(crate) fn run(database_url: &str, options: &ServeOptions, settings: Settings<'_>) -> Result<(), Failure> {
    let mut faults = 0;
    let mut report = |findings: Vec<Finding>| {
        findings.iter().for_each(Finding::print);
        faults += findings.iter().filter(|finding| finding.severity == Severity::Fault).count();
    };
    report(configuration::look(settings, options));
    let (findings, inspection) = look_at_database(database_url, options);
    report(findings);
    report(clock::look(inspection.as_ref()));
    System::new().block_on(async {
        report(provider::look(&options.lightning).await);
        report(address::look(options).await);
    });
    match faults {
        0 => Ok(()),
        1 => Err(Failure::answer("1 fault")),
        _ => Err(Failure::answer(format!("{faults} faults"))),
    }
}

/// The findings about the database and its disk, and what the later checks need.
fn look_at_database(url: &str, options: &ServeOptions) -> (Vec<Finding>, Option<Inspection>) {
    let parsed = match DatabaseUrl::parse(url) {
        Ok(parsed) => parsed,
        Err(error) => {
            let fix = "correct --database-url";
            return (vec![Finding::fault("database", error.to_string(), fix)], None);
        }
    };
    let mut findings = match &parsed {
        DatabaseUrl::Sqlite(file) => disk::look(file),
        DatabaseUrl::Postgres(_) => Vec::new(),
    };
    match inspect(&parsed) {
        Ok(inspection) => {
            findings.extend(database::look(&parsed, &inspection));
            let misfits = options.misfits(&parsed, &inspection).into_iter();
            findings.extend(misfits.map(|line| Finding::fault("database", line, "correct the setting")));
            (findings, Some(inspection))
        }
        Err(error) => {
            let said = format!("{}: {error}", parsed.describe());
            findings.push(Finding::fault(
                "database",
                said,
                "make the database reachable, or correct --database-url",
            ));
            (findings, None)
        }
    }
}
