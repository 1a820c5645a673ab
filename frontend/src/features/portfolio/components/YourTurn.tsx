import { lazy, Suspense } from 'react';
import type { User } from '../../../api/types';
import { useTurnCount } from '../../../api/useTurnCount';
import { portfolioTexts } from '../../../texts/portfolio';
import { ErrorBoundary } from '../../../ui/ErrorBoundary';
import { Loading } from '../../../ui/Loading';
import { Skeleton } from '../../../ui/Skeleton';
import styles from './YourTurn.module.css';

const texts = portfolioTexts.turn;
const MOST_SKELETONS = 3;

/** In a chunk of its own, with the list of the arbiter. The browser loads it beside the page (`first-pages.ts`). */
const TurnCards = lazy(() => import(/* webpackChunkName: "your-turn" */ './TurnCards'));

/** The bets that wait for the user, the soonest deadline first. Shows nothing if no bet waits for the user. */
export function YourTurn({ user }: { user: User }) {
  const turnCount = useTurnCount();
  if (turnCount === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="your-turn">
      <div>
        <h2 id="your-turn">{texts.title}</h2>
        <p className={styles.lead}>{texts.lead}</p>
      </div>
      <ErrorBoundary fallback={<p>{texts.failed}</p>}>
        <Suspense fallback={<TurnsLoading count={turnCount} />}>
          <TurnCards user={user} />
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}

/** Shows placeholder cards while the cards load. */
export function TurnsLoading({ count }: { count: number }) {
  return (
    <Loading label={texts.loading} className={styles.cards}>
      {Array.from({ length: Math.min(count, MOST_SKELETONS) }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are all alike and never move.
        <Skeleton key={place} size="panel" />
      ))}
    </Loading>
  );
}
