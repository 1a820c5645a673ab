use bolts_ports::Result;

use super::Conn;
use super::prepared::{Place, Write};

/// Runs each statement at once. SQLite is in the same process, so one large statement would save nothing.
#[derive(Default)]
pub(super) struct Writes {}

impl Writes {
    pub(super) fn add(&mut self, conn: &mut Conn, write: Write) -> Result<()> {
        write.run(conn)
    }

    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "PostgreSQL's runs statements")]
    pub(super) fn flush(&mut self, _: &mut Conn) -> Result<()> {
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "PostgreSQL's runs statements")]
    pub(super) fn flush_alone(&mut self, _: &mut Conn) -> Result<()> {
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "SQLite counts the changes")]
    pub(super) fn changed(&mut self) {}

    #[expect(clippy::unused_self, reason = "no statement waits")]
    pub(super) fn touches(&self, _: impl Fn(&Place) -> bool) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "no statement waits")]
    pub(super) fn waiting(&self, _: impl Fn(&Place) -> bool) -> usize {
        0
    }

    #[expect(clippy::unused_self, reason = "no row is read before a job")]
    pub(super) fn has_touched(&self, _: impl Fn(&Place) -> bool) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "there is one writer at a time")]
    pub(super) fn waits(&self) -> bool {
        true
    }

    #[expect(clippy::unused_self, reason = "no statement waits")]
    pub(super) fn touched_before(&self, _: impl Fn(&Place) -> bool) -> bool {
        false
    }
}
