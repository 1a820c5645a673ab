//! The choices of a user about notifications outside of the site.

use bolts_delivery::Preferences;
use bolts_kernel::UserId;
use bolts_ports::{Lane, StoreError, submit_for};

use crate::App;
use crate::accounts::require_here;

impl App {
    /// Changes the user's choices, and returns them. Two changes at once take turns, so that both have an effect.
    pub async fn change_preferences(
        &self,
        user: UserId,
        mut change: impl FnMut(&mut Preferences) + Send + 'static,
    ) -> Result<Preferences, StoreError> {
        submit_for(&*self.store, Lane::User(user), move |tx| {
            require_here(tx, user)?;
            let mut preferences = tx.contacts().preferences(user)?;
            change(&mut preferences);
            tx.contacts().set_preferences(user, &preferences)?;
            Ok(preferences)
        })
        .await
    }
}
