use bolts_ports::Result;

use super::Conn;
use super::failure::failure;
use super::prepared::{self, Write};

/// Runs each statement at once. SQLite is in the same process, so one large statement would save nothing.
#[derive(Default)]
pub(super) struct Writes {}

impl Writes {
    pub(super) fn add(&mut self, conn: &mut Conn, write: Write) -> Result<()> {
        let touched = prepared::execute(conn, &write.sql, &write.binds).map_err(failure)?;
        write.check(touched)
    }

    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "PostgreSQL's runs statements")]
    pub(super) fn flush(&mut self, _: &mut Conn) -> Result<()> {
        Ok(())
    }
}
