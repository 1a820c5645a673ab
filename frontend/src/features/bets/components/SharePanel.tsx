import { lazy, useState } from 'react';
import type { Bet } from '../../../api/types';
import { betPageTexts } from '../../../texts/bets';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { CopyField } from '../../../ui/CopyField';
import { toast } from '../../../ui/toast-store';
import { Late } from './Late';
import styles from './SharePanel.module.css';

const texts = betPageTexts.share;

const ShareQr = lazy(() => import(/* webpackChunkName: "share-qr" */ './ShareQr'));

interface SharePanelProps {
  bet: Bet;
  userId: string | null;
  /** Whether sharing is the most important action on the page, as for a bet that waits for a taker. */
  isFirst?: boolean;
}

/** The link to the bet: to copy, to send with the browser's own dialog, and as a QR code. */
export function SharePanel({ bet, userId, isFirst = false }: SharePanelProps) {
  const [hasQr, setHasQr] = useState(isFirst);
  const link = linkTo(bet);
  // Only the creator gives the link of a private bet away. Another user who knows the link sees no panel.
  if (link === null || (bet.isPrivate && userId !== bet.creatorId)) return null;
  return (
    <Card
      title={bet.isPrivate ? texts.title : texts.publicTitle}
      intro={bet.isPrivate ? texts.hint : isFirst && texts.publicHint}
    >
      <div className={styles.ways} data-first={isFirst}>
        <div className={styles.link}>
          <CopyField
            label={texts.label}
            value={link}
            copyLabel={texts.copy}
            copied={texts.copied}
            {...(isFirst && { tone: 'primary' })}
          />
          {'share' in navigator && <Button onClick={() => void send(bet, link)}>{texts.send}</Button>}
          {!hasQr && (
            <Button tone="quiet" onClick={() => setHasQr(true)}>
              {texts.qr}
            </Button>
          )}
        </div>
        {hasQr && (
          <div className={styles.paper}>
            <Late>
              <ShareQr link={link} />
            </Late>
          </div>
        )}
      </div>
    </Card>
  );
}

/** The address under which others reach the bet. Null for a private bet whose token the viewer does not know. */
function linkTo(bet: Bet): string | null {
  const { origin } = window.location;
  if (!bet.isPrivate) return `${origin}/bet/${bet.id}`;
  return bet.shareToken && `${origin}/share/${bet.shareToken}`;
}

/** Opens the browser's dialog for sharing. If the user closes the dialog, nothing happens. */
async function send({ title }: Bet, url: string) {
  try {
    await navigator.share({ title, url });
  } catch (error) {
    const isClosed = error instanceof DOMException && error.name === 'AbortError';
    if (!isClosed) toast(texts.sendFailed, undefined, 'destructive');
  }
}
