import { useEffect, useRef } from 'react';
import { useSession } from '../../api/session';
import type { Bet, User } from '../../api/types';
import { usePagedApi } from '../../api/usePagedApi';
import { messageTexts as texts } from '../../texts/messages';
import { Card } from '../../ui/Card';
import { ListState } from '../../ui/ListState';
import { MoreButton } from '../../ui/MoreButton';
import { messagesKey } from './api';
import { Composer } from './Composer';
import { MessageItem } from './MessageItem';
import styles from './messages.module.css';
import { useUnread } from './seen';
import { useInView } from './useInView';

const REFRESH_MS = 30_000;

interface MessagesProps {
  bet: Bet;
  token: string | null;
}

/** The messages of a bet, oldest first, and the form for a new one. */
export default function Messages(props: MessagesProps) {
  const { user, loading } = useSession();
  // The marks of new messages depend on the user.
  return loading ? null : <MessagesOf key={user?.id} user={user} {...props} />;
}

/** Hints of the event stream refresh the messages at once. */
function MessagesOf({ bet, token, user }: MessagesProps & { user: User | null }) {
  const list = usePagedApi(messagesKey(bet.id, token));
  usePoll(list.refresh);
  const userId = user?.id ?? null;
  const messages = list.items?.toReversed() ?? [];
  const section = useRef<HTMLDivElement>(null);
  const unread = useUnread(messages, userId, bet.id, useInView(section));
  const firstUnread = messages.find(({ id }) => unread.has(id))?.id;
  return (
    <Card title={unread.size > 0 ? `${texts.title} · ${texts.unread(unread.size)}` : texts.title}>
      <div ref={section} className={styles.section}>
        <ListState
          list={list}
          failed={texts.failed}
          empty={<p className={styles.muted}>{texts.empty}</p>}
          small
        >
          {() => (
            <>
              <MoreButton list={list} label={texts.earlier} small />
              <div role="log" aria-label={texts.title}>
                <ol className={styles.list}>
                  {messages.map((message) => (
                    <MessageItem
                      key={message.id}
                      message={message}
                      bet={bet}
                      token={token}
                      isOwn={message.author.id === userId}
                      isFirstUnread={message.id === firstUnread}
                    />
                  ))}
                </ol>
              </div>
            </>
          )}
        </ListState>
        <Composer bet={bet} token={token} user={user} />
      </div>
    </Card>
  );
}

/** Reads the messages again every 30 seconds while the page is visible, in case a hint is lost. */
function usePoll(refresh: () => Promise<void>) {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden && navigator.onLine) void latest.current();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
}
