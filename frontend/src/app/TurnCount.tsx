import type { User } from '../api/types';
import { navTexts } from '../texts/common';
import styles from './TurnCount.module.css';

const MOST_SHOWN = 99;

/** The number of bets that wait for the user, beside the link to the portfolio. Shows nothing if no bet waits. */
export function TurnCount({ user: { turnCount }, to }: { user: User; to: string }) {
  if (turnCount === 0 || to !== '/portfolio') return null;
  return (
    <>
      <span className={styles.count} aria-hidden="true">
        {turnCount > MOST_SHOWN ? `${MOST_SHOWN}+` : turnCount}
      </span>{' '}
      <span className="visually-hidden">{navTexts.turns(turnCount)}</span>
    </>
  );
}
