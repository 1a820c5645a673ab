//! The relay: after a commit, sends the hints in the outbox to the users' open pages. Any process may take a row.

use bolts_ports::{Fanout, StoreError, submit};

use crate::App;

/// The maximum number of rows that one call takes.
const ROWS: i64 = 512;

impl App {
    /// Takes hints from the outbox, sends them, and returns the number of hints. `Queries::is_owed` is a cheaper
    /// way to find out whether the outbox has hints.
    pub async fn relay(&self, fanout: &dyn Fanout) -> Result<usize, StoreError> {
        let hints = submit(&*self.store, |tx| tx.outbox().take(ROWS)).await?;
        fanout.publish(&hints);
        Ok(hints.len())
    }
}
