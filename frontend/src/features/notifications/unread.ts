import type { Notification } from '../../api/types';

/** The number of unread notifications in a list. */
export const unreadIn = (list: readonly Notification[]) => list.filter(({ isRead }) => !isRead).length;
