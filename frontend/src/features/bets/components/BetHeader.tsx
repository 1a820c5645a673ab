import { Tag } from 'lucide-react';
import type { Bet } from '../../../api/types';
import { betTexts } from '../../../texts/bets';
import { Badge } from '../../../ui/Badge';
import { PageHeading } from '../../../ui/Heading';
import { Money } from '../../../ui/Money';
import { Time } from '../../../ui/Time';
import { personName } from '../parties';
import { isDisputed, isExpired } from '../status';
import styles from './BetHeader.module.css';
import { DisputedBadge, ManualBadge, PrivateBadge, StatusBadge } from './StatusBadge';

export function BetHeader({ bet, now }: { bet: Bet; now: Date }) {
  return (
    <header className={styles.head}>
      <div className={styles.badges}>
        <StatusBadge status={bet.status} />
        {isDisputed(bet) && <DisputedBadge />}
        {bet.isPrivate && <PrivateBadge />}
        <Badge icon={Tag}>{bet.category || betTexts.category}</Badge>
        {bet.status === 'pending' && bet.resolutionMethod === 'Manual Verification' && <ManualBadge />}
      </div>
      <PageHeading>{bet.title}</PageHeading>
      <p className={styles.meta}>
        <span>
          {betTexts.by} {personName(bet.creator)}
        </span>
        <span>
          {betTexts.posted} <Time at={bet.createdAt} style="date" />
        </span>
        <span>
          {isExpired(bet, now) ? betTexts.expired : betTexts.expires}{' '}
          <Time at={bet.expiresAt} style="newYork" />
        </span>
        <span>
          {betTexts.stake} <Money amount={bet.stakeAmount} currency={bet.currencyType} />
        </span>
      </p>
    </header>
  );
}
