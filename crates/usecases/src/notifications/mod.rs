//! What users are told, worded when they read it.

mod wording;

use bolts_kernel::{NotificationId, UserId};
use bolts_ports::{NotificationView, StoreError, submit};

use crate::App;

pub use wording::{Words, words};

impl App {
    /// Marks one of the user's own notifications as read; `None` where there is no such one.
    ///
    /// # Errors
    /// The store's.
    pub async fn read_notification(
        &self,
        user: UserId,
        id: NotificationId,
    ) -> Result<Option<NotificationView>, StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| tx.notifications().mark_read(user, id, now)).await
    }

    /// Removes all of the user's notifications; answers how many.
    ///
    /// # Errors
    /// The store's.
    pub async fn clear_notifications(&self, user: UserId) -> Result<u64, StoreError> {
        submit(&*self.store, move |tx| tx.notifications().clear(user)).await
    }
}
