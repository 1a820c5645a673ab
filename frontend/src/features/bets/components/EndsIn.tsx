import { Hourglass } from 'lucide-react';
import type { Bet } from '../../../api/types';
import { useTicking } from '../../../lib/useTicking';
import { timeTexts } from '../../../texts/common';
import { Countdown } from '../../../ui/Countdown';
import styles from './BetCard.module.css';

const DAY_MS = 24 * 3600 * 1000;

/** The time left until the expiry of an open or live bet. Shows nothing for other bets, and after the expiry. */
export function EndsIn({ bet }: { bet: Pick<Bet, 'status' | 'expiresAt'> }) {
  const end = Date.parse(bet.expiresAt);
  const isOver = useTicking((now) => now >= end);
  const isSoon = useTicking((now) => end - now < DAY_MS);
  if (isOver || (bet.status !== 'pending' && bet.status !== 'accepted')) return null;
  return (
    <span className={styles.countdown} data-soon={isSoon}>
      <Hourglass size={14} aria-hidden="true" /> <Countdown at={bet.expiresAt} words={timeTexts.endsIn} />
    </span>
  );
}
