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
  /** Returns the click action of a slip's open half, or undefined if the user may not take the bet. */
  takeOf?: (bet: Bet) => Take | undefined;
  /** Returns an icon of the bet's category. */
  cueOf?: (bet: Bet) => ReactNode;
  /** Returns the content below the slip of a bet's card. */
  actionsOf?: (bet: Bet) => ReactNode;
}

/** Shows bets as cards, in as many columns as fit on the page. */
export function BetCards({ bets, userId, takeOf, cueOf, actionsOf, ...list }: BetCardsProps) {
  return (
    <ul className={styles.cards} {...list}>
      {bets.map((bet) => (
        <li key={bet.id}>
          <BetCard bet={bet} userId={userId} take={takeOf?.(bet)} cue={cueOf?.(bet)}>
            {actionsOf?.(bet)}
          </BetCard>
        </li>
      ))}
    </ul>
  );
}

/** Shows placeholder cards while the bets load. `label` is the text for screen readers. */
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
