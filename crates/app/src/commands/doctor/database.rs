//! The schema of the database and the settings of its engine.

use bolts_store_diesel::{DatabaseUrl, Inspection};

use super::Finding;
use crate::commands::migrate::counted;

const SUBJECT: &str = "database";

pub(super) fn look(url: &DatabaseUrl, found: &Inspection) -> Vec<Finding> {
    let mut findings = vec![schema(url, found)];
    if found.facts.is_empty() {
        return findings;
    }
    findings.extend(match url {
        DatabaseUrl::Sqlite(_) => sqlite(found),
        DatabaseUrl::Postgres(_) => postgres(found),
    });
    findings
}

fn schema(url: &DatabaseUrl, found: &Inspection) -> Finding {
    let place = url.describe();
    match (found.applied, found.pending.len()) {
        (_, 0) => {
            let bytes: u64 =
                found.facts.get("bytes").and_then(|bytes| bytes.parse().ok()).unwrap_or_default();
            Finding::fine(SUBJECT, format!("{place}, current schema, {} MB", bytes / 1_000_000))
        }
        (0, _) => Finding::fine(SUBJECT, format!("{place} is empty; the server will create the schema")),
        _ => Finding::warning(
            SUBJECT,
            format!("{place} lacks {}", counted(found)),
            "back up, then start the server or run `bolts migrate`; `bolts migrate --check` lists them",
        ),
    }
}

fn sqlite(found: &Inspection) -> Vec<Finding> {
    let mode = fact(found, "journal_mode");
    if mode == "wal" {
        return Vec::new();
    }
    vec![Finding::fault(
        SUBJECT,
        format!("the journal mode is {mode}"),
        "move the file to a local disk: it needs WAL",
    )]
}

fn postgres(found: &Inspection) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in ["fsync", "full_page_writes"] {
        if fact(found, name) == "off" {
            findings.push(Finding::fault(
                SUBJECT,
                format!("{name} is off: a power failure can damage the database"),
                "set it to on in postgresql.conf, for this role and for this database",
            ));
        }
    }
    if fact(found, "superuser") == "on" {
        findings.push(Finding::warning(
            SUBJECT,
            "the role is a superuser of the server",
            "use a role that only owns this database",
        ));
    }
    if fact(found, "tls") == "false" && fact(found, "local") == "false" {
        findings.push(Finding::warning(
            SUBJECT,
            "the connection to another machine is not encrypted",
            "add ?sslmode=verify-full&sslrootcert=FILE to the URL",
        ));
    }
    let free = number(found, "max_connections") - number(found, "connections");
    let needed = number(found, "connections_needed");
    if free < needed {
        findings.push(Finding::warning(
            SUBJECT,
            format!("{free} connections are free, and one process needs up to {needed}"),
            "raise max_connections, if the server is not running yet",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::fine(SUBJECT, format!("PostgreSQL {}", fact(found, "server_version"))));
    }
    findings
}

fn fact<'a>(found: &'a Inspection, name: &str) -> &'a str {
    found.facts.get(name).map_or("", String::as_str)
}

fn number(found: &Inspection, name: &str) -> i64 {
    fact(found, name).parse().unwrap_or_default()
}
