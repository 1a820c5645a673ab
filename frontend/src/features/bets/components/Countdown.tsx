import { Clock } from 'lucide-react';
import type { Bet } from '../../../api/types';
import { timeLeft, useMinute } from '../countdown';
import styles from './BetCard.module.css';

/** The time left until the expiry of an open or live bet. Shows nothing for other bets, and after the expiry. */
export function Countdown({ bet }: { bet: Pick<Bet, 'status' | 'expiresAt'> }) {
  const now = useMinute();
  const left = bet.status === 'pending' || bet.status === 'accepted' ? timeLeft(bet.expiresAt, now) : null;
  if (!left) return null;
  return (
    <span className={styles.countdown} data-soon={left.isSoon}>
      <Clock size={14} aria-hidden="true" /> {left.words}
    </span>
  );
}
