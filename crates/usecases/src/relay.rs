//! What is owed after a commit, done by whichever process takes it.

use bolts_ports::{Fanout, StoreError, submit};

use crate::App;

/// How many rows are taken at once.
const ROWS: i64 = 512;

impl App {
    /// Sends the owed hints on their way; answers how many. Whether there are any, `Queries::is_owed` tells for less.
    ///
    /// # Errors
    /// The store's.
    pub async fn relay(&self, fanout: &dyn Fanout) -> Result<usize, StoreError> {
        let hints = submit(&*self.store, |tx| tx.outbox().take(ROWS)).await?;
        fanout.publish(&hints);
        Ok(hints.len())
    }
}
