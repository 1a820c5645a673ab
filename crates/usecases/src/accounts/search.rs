//! The search for users by their usernames.

use bolts_kernel::UserId;
use bolts_ports::{NamedUser, Result};

use crate::App;

/// The maximum number of users that a search returns.
const MOST_FOUND: u32 = 8;

impl App {
    /// The users whose usernames begin with this text, without the reader: at most 8, in the order of their usernames.
    /// Blocks on the database.
    pub fn find_users(&self, reader: UserId, beginning: &str) -> Result<Vec<NamedUser>> {
        let mut found = self.queries.users_named(beginning, MOST_FOUND + 1)?;
        found.retain(|user| user.id != reader);
        found.truncate(MOST_FOUND as usize);
        Ok(found)
    }
}
