import type { HTMLAttributes, ReactNode } from 'react';
import type { Bet } from '../../../api/types';
import { Loading } from '../../../ui/Loading';
import { Skeleton } from '../../../ui/Skeleton';
import { BetCard } from './BetCard';
import styles from './BetCards.module.css';
import type { Take } from './Slip';

interface BetCardsProps extends HTMLAttributes<HTMLUListElement> {
  bets: readonly Bet[];
  userId: string | null;
  /** The action of a bet's open half, for users who may take it. */
  takeOf?: (bet: Bet) => Take | undefined;
  /** The content below the slip of a card. */
  actionsOf?: (bet: Bet) => ReactNode;
}

/** Bets as cards in as many columns as fit. */
export function BetCards({ bets, userId, takeOf, actionsOf, ...list }: BetCardsProps) {
  return (
    <ul className={styles.cards} {...list}>
      {bets.map((bet) => (
        <li key={bet.id}>
          <BetCard bet={bet} userId={userId} take={takeOf?.(bet)}>
            {actionsOf?.(bet)}
          </BetCard>
        </li>
      ))}
    </ul>
  );
}

/** Skeletons of cards while the bets load. `label` says so. */
export function BetCardsLoading({ label, count }: { label: string; count: number }) {
  return (
    <Loading label={label} className={styles.cards}>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are all alike and never move.
        <Skeleton key={place} size="slip" />
      ))}
    </Loading>
  );
}
