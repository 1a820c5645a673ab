//! Compares the migrations of a database with the migrations that this program knows.

use bolts_ports::StoreError;
use diesel::connection::Connection;
use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::Conn;
use super::failure::failure;
use super::open::{HAS_VERSIONS, MIGRATIONS};
use crate::OpenError;

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

fn known() -> Result<Vec<String>, OpenError> {
    let migrations: Vec<Box<dyn Migration<<Conn as Connection>::Backend>>> =
        MIGRATIONS.migrations().map_err(|error| OpenError::Migration(error.to_string()))?;
    Ok(migrations.iter().map(|migration| migration.name().version().to_string()).collect())
}
