import { useEffect } from 'react';
import { keys } from '../../../api/keys';
import type { User } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { logFailure } from '../../../lib/log';
import { atSignOut } from '../../../lib/sign-out';
import { unreadIn } from '../unread';
import { keepOn, leave } from './device';

/** Starts the service worker, keeps the notifications of this device on, and shows the unread ones on the app's icon. */
export function useThisDevice(user: User): void {
  useEffect(() => {
    keepOn(user.id).catch((error) => logFailure('Notifications could not be kept on', error));
    return atSignOut(async () => {
      showUnread(0);
      await leave();
    });
  }, [user.id]);
  useUnreadBadge();
}

/** Uses the list of the bell, and sends no request of its own. */
function useUnreadBadge(): void {
  const { data } = useApi(keys.notifications, { revalidateOnMount: false, revalidateIfStale: false });
  const unread = data ? unreadIn(data) : null;
  useEffect(() => {
    if (unread !== null) showUnread(unread);
  }, [unread]);
}

/** Shows a number on the icon of the installed app. Not all browsers can. */
function showUnread(count: number): void {
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined);
}
