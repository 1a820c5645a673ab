import { Bell } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { keys } from '../../api/keys';
import { useApi } from '../../api/useApi';
import { useIdle, whenIdle } from '../../lib/idle';
import { commonTexts, notificationTexts as texts } from '../../texts/common';
import { ErrorBoundary } from '../../ui/ErrorBoundary';
import { Popover } from '../../ui/Popover';
import styles from './NotificationBell.module.css';
import { unreadIn } from './unread';

const REFRESH_MS = 30_000;
const MOST_SHOWN = 99;

/** The code of the panel loads when the browser is idle, so that the page itself loads faster. */
const NotificationPanel = lazy(
  whenIdle(() => import(/* webpackChunkName: "notifications" */ './NotificationPanel')),
);

export function NotificationBell() {
  const { data, error, mutate } = useApi(useIdle() ? keys.notifications : null, {
    refreshInterval: REFRESH_MS,
  });
  const unread = unreadIn(data ?? []);
  return (
    <Popover
      label={texts.bell(unread)}
      trigger={
        <>
          <Bell size={20} aria-hidden="true" />
          {unread > 0 && (
            <span className={styles.count} data-testid="unread-count">
              {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
            </span>
          )}
        </>
      }
    >
      {(close) => (
        <ErrorBoundary fallback={<p className={styles.place}>{texts.failed}</p>}>
          <Suspense fallback={<p className={styles.place}>{commonTexts.loading}</p>}>
            <NotificationPanel
              list={data ?? undefined}
              failed={error !== undefined}
              refresh={mutate}
              onChosen={close}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </Popover>
  );
}
