//! What users are told, worded when they read it.

mod wording;

use std::sync::Arc;

use bolts_kernel::{NotificationId, Timestamp, UserId};
use bolts_ports::{
    About, Hint, Ids, Lane, NewNotification, NoticeBody, NotificationView, StoreError, Tx, submit_for,
};
use uuid::Uuid;

use crate::App;

pub use wording::{Words, words};

/// Tells a user that money moved, and their open pages to fetch balance and notifications again.
pub(crate) fn tell_of_money(
    tx: &mut dyn Tx,
    user: UserId,
    body: NoticeBody,
    ids: &Arc<dyn Ids>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let id = NotificationId::from_uuid(Uuid::from_u128(ids.next()));
    tx.notifications().insert(&[NewNotification { id, user, body, bet: None, at }])?;
    tx.outbox().owe(&[About::Balance, About::Notification].map(|about| Hint { user, about }), at)
}

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
        submit_for(&*self.store, Lane::User(user), move |tx| tx.notifications().mark_read(user, id, now))
            .await
    }

    /// Removes all of the user's notifications; answers how many.
    ///
    /// # Errors
    /// The store's.
    pub async fn clear_notifications(&self, user: UserId) -> Result<u64, StoreError> {
        submit_for(&*self.store, Lane::User(user), move |tx| tx.notifications().clear(user)).await
    }
}
