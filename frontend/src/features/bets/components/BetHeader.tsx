import { Tag } from 'lucide-react';
import type { Bet } from '../../../api/types';
import { betTexts } from '../../../texts/bets';
import { Badge } from '../../../ui/Badge';
import { PageHeading } from '../../../ui/Heading';
import { Time } from '../../../ui/Time';
import { personName } from '../parties';
import { isDisputed } from '../status';
import styles from './BetHeader.module.css';
import { DisputedBadge, ManualBadge, PrivateBadge, StatusBadge } from './StatusBadge';

/** The head of the bet page. The expiry and the stake stand once on the page, in the quick stats. */
export function BetHeader({ bet }: { bet: Bet }) {
  return (
    <header className={styles.head}>
      <div className={styles.badges}>
        <StatusBadge status={bet.status} />
        {isDisputed(bet) && <DisputedBadge />}
        {bet.isPrivate && <PrivateBadge />}
        <Badge icon={Tag}>{bet.category || betTexts.category}</Badge>
        <ManualBadge bet={bet} />
      </div>
      <PageHeading>{bet.title}</PageHeading>
      <p className={styles.meta}>
        <span>
          {betTexts.by} {personName(bet.creator)}
        </span>
        <span>
          {betTexts.posted} <Time at={bet.createdAt} style="date" />
        </span>
      </p>
    </header>
  );
}
