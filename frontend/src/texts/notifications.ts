/** Texts of the panel with the notifications, which loads after the page. */
export const panelTexts = {
  title: 'Notifications',
  empty: 'No notifications yet',
  readAll: 'Mark all read',
  clearAll: 'Clear All',
  clearing: 'Clearing...',
  unread: 'Unread',
  error: 'Error',
};
