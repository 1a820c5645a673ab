import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Bet } from '../../../api/types';
import { betTexts } from '../../../texts/bets';
import { Time } from '../../../ui/Time';
import { personName } from '../parties';
import { isDisputed, isExpired, warnsOfMethod } from '../status';
import styles from './BetCard.module.css';
import { EndsIn } from './EndsIn';
import { Slip, type Take } from './Slip';
import { ViewersStake } from './Stakes';
import { DisputedBadge, ManualBadge, PrivateBadge, StatusBadge } from './StatusBadge';

interface BetCardProps {
  bet: Bet;
  userId: string | null;
  /** The click action of the slip's open half. Undefined if the user may not take the bet. */
  take?: Take | undefined;
  /** An icon of the category, beside its name. */
  cue?: ReactNode;
  /** Buttons below the bet slip. */
  children?: ReactNode;
}

export function BetCard({ bet, userId, take, cue, children }: BetCardProps) {
  const manual = warnsOfMethod(bet);
  return (
    <article className={styles.card}>
      <div className={styles.top}>
        <div className={styles.badges}>
          <StatusBadge status={bet.status} />
          {isDisputed(bet) && <DisputedBadge />}
          {bet.isPrivate && <PrivateBadge />}
          <ManualBadge bet={bet} />
        </div>
        <h3 className={styles.title}>
          <Link to={`/bet/${bet.id}`}>{bet.title}</Link>
        </h3>
        <p className={styles.meta}>
          {cue}
          <span>
            {bet.category || betTexts.category} · {betTexts.by}{' '}
            {userId && userId === bet.creatorId ? betTexts.you : personName(bet.creator)}
          </span>
        </p>
      </div>
      <div className={styles.slip}>
        <Slip bet={bet} userId={userId} take={take} />
      </div>
      <p className={styles.foot}>
        <span>
          {betTexts.stake} <ViewersStake bet={bet} userId={userId} />
        </span>
        <EndsIn bet={bet} />
        <span className={styles.expiry}>
          {isExpired(bet, new Date()) ? betTexts.expired : betTexts.expires}{' '}
          <Time at={bet.expiresAt} style="newYorkShort" />
        </span>
      </p>
      {(manual || children) && (
        <div className={styles.below}>
          {manual && <p className={styles.warning}>{betTexts.manualWarning}</p>}
          {children && <div className={styles.actions}>{children}</div>}
        </div>
      )}
    </article>
  );
}
