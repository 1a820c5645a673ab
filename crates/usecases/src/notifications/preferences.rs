//! The choices of a user about notifications outside of the site.

use bolts_delivery::Preferences;
use bolts_kernel::UserId;
use bolts_ports::{Lane, StoreError, submit_for};

use crate::App;

impl App {
    /// Stores the user's choices.
    pub async fn set_preferences(&self, user: UserId, chosen: Preferences) -> Result<(), StoreError> {
        submit_for(&*self.store, Lane::User(user), move |tx| tx.contacts().set_preferences(user, &chosen))
            .await
    }
}
