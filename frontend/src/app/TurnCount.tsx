import { useTurnCount } from '../api/useTurnCount';
import { useIdle } from '../lib/idle';
import { navTexts } from '../texts/common';
import styles from './TurnCount.module.css';

const MOST_SHOWN = 99;

/** The number of bets that wait for the user, beside the link to the portfolio. Shows nothing if no bet waits. */
export function TurnCount() {
  const turnCount = useTurnCount(useIdle());
  if (turnCount === 0) return null;
  return (
    <>
      <span className={styles.count} aria-hidden="true">
        {turnCount > MOST_SHOWN ? `${MOST_SHOWN}+` : turnCount}
      </span>{' '}
      <span className="visually-hidden">{navTexts.turns(turnCount)}</span>
    </>
  );
}
