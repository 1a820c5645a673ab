import { Scale } from 'lucide-react';
import type { Bet, Message } from '../../api/types';
import { messageTexts as texts } from '../../texts/messages';
import { Badge } from '../../ui/Badge';
import { Time } from '../../ui/Time';
import { DeleteMessage } from './DeleteMessage';
import { parts } from './links';
import styles from './messages.module.css';
import { Pictures } from './Pictures';
import { roleOf } from './roles';

interface MessageItemProps {
  message: Message;
  bet: Bet;
  token: string | null;
  isOwn: boolean;
  isFirstUnread: boolean;
}

export function MessageItem({ message, bet, token, isOwn, isFirstUnread }: MessageItemProps) {
  const { author, text, pictures, isEvidence, createdAt, canDelete } = message;
  const name = isOwn ? texts.you : author.username || author.email;
  const role = roleOf(bet, author.id);
  return (
    <li className={styles.message} data-own={isOwn}>
      {isFirstUnread && <p className={styles.new}>{texts.newFromHere}</p>}
      <p className={styles.head}>
        <span className={styles.author}>{name}</span>
        {role && <span className={styles.role}>{role}</span>}
        <span className={styles.when}>
          <Time at={createdAt} style="short" />
        </span>
        {isEvidence && (
          <Badge icon={Scale} tone="warn">
            {texts.evidence}
          </Badge>
        )}
      </p>
      {text === null ? (
        <p className={styles.gone}>{texts.deleted}</p>
      ) : (
        <>
          <MessageText text={text} />
          <Pictures
            pictures={pictures}
            title={isOwn ? texts.picture.yours : texts.picture.of(name)}
            token={token}
          />
          {canDelete && <DeleteMessage id={message.id} token={token} />}
        </>
      )}
    </li>
  );
}

/** Plain text. Each link is followed by its host, because the text of a link may mislead. */
function MessageText({ text }: { text: string }) {
  return (
    <p className={styles.text}>
      {parts(text).map((part, index) => {
        const key = `${index}`;
        if ('text' in part) return <span key={key}>{part.text}</span>;
        return (
          <span key={key}>
            <a href={part.url} target="_blank" rel="nofollow ugc noopener">
              {part.url}
            </a>{' '}
            <span className={styles.host}>[{part.host}]</span>
          </span>
        );
      })}
    </p>
  );
}
