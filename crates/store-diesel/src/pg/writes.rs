use bolts_ports::Result;

use super::Conn;
use super::failure::failure;
use super::prepared::{self, Place, Write};

/// Collects statements and sends them together, because each statement costs a round trip.
#[derive(Default)]
pub(super) struct Writes {
    pending: Vec<Write>,
}

impl Writes {
    pub(super) fn add(&mut self, conn: &mut Conn, write: Write) -> Result<()> {
        // The parts of one statement do not see each other's changes.
        if write.place != Place::New && self.pending.iter().any(|other| other.place == write.place) {
            self.flush(conn)?;
        }
        self.pending.push(write);
        Ok(())
    }

    /// Runs the collected statements, in their order.
    pub(super) fn flush(&mut self, conn: &mut Conn) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        let touched = match pending.as_mut_slice() {
            [] => return Ok(()),
            [write] => vec![prepared::execute(conn, &write.sql, &write.binds).map_err(failure)?],
            all => together(conn, all)?,
        };
        pending.iter().zip(touched).try_for_each(|(write, touched)| write.check(touched))
    }
}

/// Runs all statements as parts of one. Returns the number of rows that each of them changed.
fn together(conn: &mut Conn, all: &mut [Write]) -> Result<Vec<usize>> {
    let part = |(place, write): (usize, &Write)| format!("w{place} AS ({} RETURNING 1)", write.sql);
    let count = |place: usize| format!("({place}, (SELECT count(*) FROM w{place}))");
    let parts: Vec<_> = all.iter().enumerate().map(part).collect();
    let counts: Vec<_> = (0..all.len()).map(count).collect();
    let sql = format!(
        "WITH {} SELECT touched FROM (VALUES {}) AS counts (place, touched) ORDER BY place",
        parts.join(", "),
        counts.join(", ")
    );
    let binds: Vec<_> = all.iter_mut().flat_map(|write| std::mem::take(&mut write.binds)).collect();
    let touched = prepared::numbers(conn, &sql, binds).map_err(failure)?;
    Ok(touched.into_iter().map(|rows| usize::try_from(rows).unwrap_or(usize::MAX)).collect())
}
