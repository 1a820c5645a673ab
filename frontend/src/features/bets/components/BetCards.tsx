import type { HTMLAttributes, ReactNode } from 'react';
import type { Bet } from '../../../api/types';
import { Skeleton } from '../../../ui/Skeleton';
import { BetCard } from './BetCard';
import styles from './BetCards.module.css';
import type { Take } from './Slip';

interface BetCardsProps extends HTMLAttributes<HTMLUListElement> {
  bets: readonly Bet[];
  userId: string | null;
  /** What a bet's open half does, for whoever may take it. */
  takeOf?: (bet: Bet) => Take | undefined;
  /** What a bet's card has below its slip. */
  actionsOf?: (bet: Bet) => ReactNode;
}

/** Bets as cards, as many beside each other as there is room for. */
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

/** In their place while they are on their way, which `label` says. */
export function BetCardsLoading({ label, count }: { label: string; count: number }) {
  return (
    <div className={styles.cards} role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike, and none ever moves.
        <Skeleton key={place} size="slip" />
      ))}
    </div>
  );
}
