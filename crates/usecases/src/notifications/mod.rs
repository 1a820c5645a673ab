//! Notifications. The store has only their data. Their text is written when a user reads them.

mod preferences;
mod push;
mod receiver;
mod webhook;
mod wording;

use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::{NotificationId, Timestamp, UserId};
use bolts_ports::{
    About, Hint, Ids, Lane, NewNotification, NoticeBody, NotificationView, StoreError, Tx, submit_for,
};

use crate::App;
use crate::accounts::count;

pub(crate) use preferences::change_of_preferences;
pub use preferences::{Choices, WebhookChoice};
pub use push::{BrowserState, PushError, Subscription};
pub(crate) use webhook::remove_with_password;
pub use webhook::{WebhookError, WebhookState};
pub use wording::{Words, words};

/// Of notifications that other users can cause again and again, a user gets at most one of each bucket in this time. Otherwise
/// they could push all other notifications out of the user's list.
const QUIET: Duration = Duration::from_hours(1);

/// Whether a user may get a notification of this bucket now. If so, the next one has to wait for an hour.
pub(crate) fn may_tell(tx: &mut dyn Tx, bucket: &str, now: Timestamp) -> Result<bool, StoreError> {
    Ok(count(tx, bucket, 1, QUIET, now)?.is_ok())
}

/// Notifies a user of something that is not about a bet, and tells the user's open pages to fetch the notifications again.
pub(crate) fn tell(
    tx: &mut dyn Tx,
    user: UserId,
    body: NoticeBody,
    ids: &Arc<dyn Ids>,
    at: Timestamp,
) -> Result<(), StoreError> {
    notify(tx, user, body, ids, at)?;
    tx.outbox().enqueue(&[Hint { user, about: About::Notification }], at)
}

/// Notifies a user that money moved, and tells the user's open pages to fetch balance and notifications
/// again.
pub(crate) fn tell_of_money(
    tx: &mut dyn Tx,
    user: UserId,
    body: NoticeBody,
    ids: &Arc<dyn Ids>,
    at: Timestamp,
) -> Result<(), StoreError> {
    notify(tx, user, body, ids, at)?;
    tx.outbox().enqueue(&[About::Balance, About::Notification].map(|about| Hint { user, about }), at)
}

fn notify(
    tx: &mut dyn Tx,
    user: UserId,
    body: NoticeBody,
    ids: &Arc<dyn Ids>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let id = ids.id::<NotificationId>();
    tx.notifications().insert(&[NewNotification { id, user, body, bet: None, at }])
}

impl App {
    /// Marks a notification of this user as read. `None` if the user has no such notification.
    pub async fn read_notification(
        &self,
        user: UserId,
        id: NotificationId,
    ) -> Result<Option<NotificationView>, StoreError> {
        let now = self.now();
        submit_for(&*self.store, Lane::User(user), move |tx| tx.notifications().mark_read(user, id, now))
            .await
    }

    /// Marks all notifications of the user as read and returns the number of those that were unread.
    pub async fn read_all_notifications(&self, user: UserId) -> Result<u64, StoreError> {
        let now = self.now();
        submit_for(&*self.store, Lane::User(user), move |tx| tx.notifications().mark_all_read(user, now))
            .await
    }

    /// Deletes all notifications of the user and returns their number.
    pub async fn clear_notifications(&self, user: UserId) -> Result<u64, StoreError> {
        submit_for(&*self.store, Lane::User(user), move |tx| tx.notifications().clear(user)).await
    }
}
