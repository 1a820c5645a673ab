import { Bell } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { write } from '../../api/client';
import { keys } from '../../api/keys';
import type { Notification } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useApi } from '../../api/useApi';
import { formatDateTime } from '../../lib/dates';
import { useIdle } from '../../lib/idle';
import { commonTexts, notificationTexts as texts, timeTexts } from '../../texts/common';
import { Button } from '../../ui/Button';
import { Popover } from '../../ui/Popover';
import { Time } from '../../ui/Time';
import styles from './NotificationBell.module.css';

const REFRESH_MS = 30_000;
const MOST_SHOWN = 99;

export function NotificationBell() {
  const { data, error, mutate } = useApi(useIdle() ? keys.notifications : null, {
    refreshInterval: REFRESH_MS,
  });
  const list = data ?? [];
  const unread = list.filter((notification) => !notification.isRead).length;
  const clear = useAction(
    async () => {
      await write('DELETE', '/api/notifications/clear-all');
      await mutate();
    },
    { title: texts.error },
  );
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
        <section aria-label={texts.title}>
          <header className={styles.head}>
            <h2>{texts.title}</h2>
            {list.length > 0 && (
              <Button
                small
                tone="quiet"
                pending={clear.pending}
                pendingLabel={texts.clearing}
                onClick={() => void clear.run()}
              >
                {texts.clearAll}
              </Button>
            )}
          </header>
          {list.length === 0 ? (
            <p className={styles.empty}>
              <Nothing loaded={data !== undefined} failed={error !== undefined} />
            </p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
            <ul className={styles.list} tabIndex={0} aria-label={texts.title}>
              {list.map((notification) => (
                <Item key={notification.id} notification={notification} onChosen={close} />
              ))}
            </ul>
          )}
        </section>
      )}
    </Popover>
  );
}

/** 'No notifications' may only be shown once the list has been read. */
function Nothing({ loaded, failed }: { loaded: boolean; failed: boolean }) {
  if (failed) return texts.failed;
  return loaded ? texts.empty : commonTexts.loading;
}

function Item({ notification, onChosen }: { notification: Notification; onChosen: () => void }) {
  const navigate = useNavigate();
  const markRead = useAction(
    async () => {
      if (!notification.isRead) await write('POST', `/api/notifications/${notification.id}/read`);
    },
    { title: texts.error },
  );
  return (
    <li>
      <button
        type="button"
        className={styles.item}
        data-unread={!notification.isRead}
        onClick={() => {
          onChosen();
          void markRead.run();
          if (notification.betId) navigate(`/bet/${notification.betId}`);
        }}
      >
        <span className={styles.title}>
          {!notification.isRead && (
            <span className={styles.dot}>
              <span className="visually-hidden">{texts.unread}: </span>
            </span>
          )}
          {notification.title}
        </span>
        <span className={styles.message}>
          {notification.message}
          {notification.deadline && ` ${timeTexts.own(formatDateTime(notification.deadline))}`}
        </span>
        <span className={styles.time}>
          <Time at={notification.createdAt} style="short" />
        </span>
      </button>
    </li>
  );
}
