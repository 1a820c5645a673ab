import type { Bet } from '../../../api/types';
import { nextSentence } from '../turns';
import styles from './panels.module.css';
import { Timed } from './Timed';

interface NextSentenceProps {
  bet: Bet;
  userId: string | null;
  now: Date;
}

/** One sentence: whose turn it is, until when, and what happens otherwise. Shows nothing after the end of the bet. */
export function NextSentence({ bet, userId, now }: NextSentenceProps) {
  const sentence = nextSentence(bet, userId, now);
  if (!sentence) return null;
  return (
    <p className={styles.next} data-mine={bet.turn !== null}>
      <Timed sentence={sentence} />
    </p>
  );
}
