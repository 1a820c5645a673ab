import { useNavigate } from 'react-router-dom';
import { write } from '../../api/client';
import type { Notification } from '../../api/types';
import { useAction } from '../../api/useAction';
import { formatDateTime } from '../../lib/dates';
import { commonTexts, notificationTexts, timeTexts } from '../../texts/common';
import { panelTexts as texts } from '../../texts/notifications';
import { Button } from '../../ui/Button';
import { Time } from '../../ui/Time';
import styles from './NotificationPanel.module.css';

interface NotificationPanelProps {
  /** The notifications. Undefined until the first answer of the server. */
  list: readonly Notification[] | undefined;
  failed: boolean;
  refresh: () => Promise<unknown>;
  onChosen: () => void;
}

export default function NotificationPanel({ list, failed, refresh, onChosen }: NotificationPanelProps) {
  const clear = useAction(
    async () => {
      await write('DELETE', '/api/notifications/clear-all');
      await refresh();
    },
    { title: texts.error },
  );
  const readAll = useAction(
    async () => {
      await write('POST', '/api/notifications/read-all');
      await refresh();
    },
    { title: texts.error },
  );
  const hasUnread = list?.some(({ isRead }) => !isRead);
  return (
    <section aria-label={texts.title}>
      <header className={styles.head}>
        <h2>{texts.title}</h2>
        {hasUnread && (
          <Button small tone="quiet" pending={readAll.pending} onClick={() => void readAll.run()}>
            {texts.readAll}
          </Button>
        )}
        {list?.length ? (
          <Button
            small
            tone="quiet"
            pending={clear.pending}
            pendingLabel={texts.clearing}
            onClick={() => void clear.run()}
          >
            {texts.clearAll}
          </Button>
        ) : null}
      </header>
      {list?.length ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        <ul className={styles.list} tabIndex={0} aria-label={texts.title}>
          {list.map((notification) => (
            <Item key={notification.id} notification={notification} onChosen={onChosen} />
          ))}
        </ul>
      ) : (
        <p className={styles.empty}>
          <Nothing loaded={list !== undefined} failed={failed} />
        </p>
      )}
    </section>
  );
}

/** The text of an empty panel. 'No notifications' appears only after the server has sent an empty list. */
function Nothing({ loaded, failed }: { loaded: boolean; failed: boolean }) {
  if (failed) return notificationTexts.failed;
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
