//! Compares the migrations of a database with the migrations that this program knows.

use std::collections::BTreeMap;

use bolts_ports::StoreError;
use diesel::connection::Connection;
use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::Conn;
use super::failure::failure;
use super::open::{FACTS, HAS_VERSIONS, MIGRATIONS};
use crate::{Inspection, OpenError};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    value: String,
}

/// Runs a query and returns the column `value` of each row.
pub(super) fn text(conn: &mut Conn, sql: &str) -> Result<Vec<String>, StoreError> {
    let lines: Vec<Line> = diesel::sql_query(sql).load(conn).map_err(failure)?;
    Ok(lines.into_iter().map(|line| line.value).collect())
}

/// The migrations of the database. Fails if this program does not know one of them.
pub(super) fn refuse_newer(conn: &mut Conn) -> Result<Vec<String>, OpenError> {
    if text(conn, HAS_VERSIONS)?.is_empty() {
        return Ok(Vec::new());
    }
    let applied = text(conn, "SELECT version AS value FROM __diesel_schema_migrations ORDER BY version")?;
    let known = known()?;
    match applied.iter().find(|version| !known.contains(version)) {
        Some(unknown) => Err(OpenError::Newer(unknown.clone())),
        None => Ok(applied),
    }
}

/// Fails if the schema is older or newer than this program's.
pub(super) fn check_current(conn: &mut Conn) -> Result<(), OpenError> {
    let applied = refuse_newer(conn)?;
    match known()?.into_iter().find(|version| !applied.contains(version)) {
        Some(missing) => Err(OpenError::Older(missing)),
        None => Ok(()),
    }
}

/// The state of the schema, the settings of the engine, and two settings of the site. Fails if the schema is newer than this
/// program's.
pub(super) fn inspection(conn: &mut Conn) -> Result<Inspection, OpenError> {
    let applied = refuse_newer(conn)?;
    let known = migrations()?.into_iter().map(|(version, _)| version).zip(names()?);
    let pending = known.filter(|(version, _)| !applied.contains(version)).map(|(_, name)| name).collect();
    let lines = text(conn, FACTS)?;
    let mut facts: BTreeMap<String, String> = lines.iter().filter_map(|line| named(line)).collect();
    if !applied.is_empty() {
        for (name, setting) in [("heartbeat", "swept_at"), ("sats", "sats_kind")] {
            let sql = format!("SELECT value FROM settings WHERE name = '{setting}'");
            facts.extend(text(conn, &sql)?.pop().map(|value| (name.to_owned(), value)));
        }
    }
    Ok(Inspection { pending, applied: applied.len(), facts })
}

/// The names of all migrations of this program, in their order.
pub(super) fn names() -> Result<Vec<String>, OpenError> {
    Ok(migrations()?.into_iter().map(|(_, name)| name).collect())
}

fn named(line: &str) -> Option<(String, String)> {
    line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
}

fn known() -> Result<Vec<String>, OpenError> {
    Ok(migrations()?.into_iter().map(|(version, _)| version).collect())
}

/// The version and the name of each migration of this program.
fn migrations() -> Result<Vec<(String, String)>, OpenError> {
    let mut migrations: Vec<Box<dyn Migration<<Conn as Connection>::Backend>>> =
        MIGRATIONS.migrations().map_err(|error| OpenError::Migration(error.to_string()))?;
    migrations.sort_by_key(|migration| migration.name().version().as_owned());
    let named = migrations.iter().map(|migration| {
        let name = migration.name();
        (name.version().to_string(), name.to_string())
    });
    Ok(named.collect())
}
