use bolts_kernel::{NotificationId, Timestamp, UserId};
use bolts_ports::{NewNotification, NotificationView, Notifications, Result};

use super::state::broken;
use super::tx::MemoryTx;

/// The number of notifications that the store keeps for each user.
const KEPT: usize = 200;

impl Notifications for MemoryTx {
    fn insert(&mut self, notifications: &[NewNotification]) -> Result<()> {
        for new in notifications {
            if !self.state.users.contains_key(&new.user) {
                return Err(broken(format!("no user {}", new.user)));
            }
            let own = self.state.notifications.entry(new.user).or_default();
            own.push(NotificationView {
                id: new.id,
                body: new.body.clone(),
                bet: new.bet,
                is_read: false,
                created_at: new.at,
            });
            own.sort_by_key(|notification| (notification.created_at, notification.id));
            own.drain(..own.len().saturating_sub(KEPT));
            self.state.send(new);
        }
        Ok(())
    }

    fn mark_read(
        &mut self,
        user: UserId,
        id: NotificationId,
        _at: Timestamp,
    ) -> Result<Option<NotificationView>> {
        let own = self.state.notifications.entry(user).or_default();
        Ok(own.iter_mut().find(|notification| notification.id == id).map(|notification| {
            notification.is_read = true;
            notification.clone()
        }))
    }

    fn mark_all_read(&mut self, user: UserId, _at: Timestamp) -> Result<u64> {
        let own = self.state.notifications.entry(user).or_default();
        let unread = own.iter_mut().filter(|notification| !notification.is_read);
        Ok(unread.map(|notification| notification.is_read = true).count() as u64)
    }

    fn clear(&mut self, user: UserId) -> Result<u64> {
        let removed = self.state.notifications.remove(&user).map_or(0, |own| own.len());
        Ok(removed as u64)
    }
}
