import type { Bet } from '../../../api/types';
import styles from './BigSlip.module.css';
import { Slip } from './Slip';

/** The slip on its own paper, as the bet page and the share page show it. */
export function BigSlip({ bet, userId }: { bet: Bet; userId: string | null }) {
  return (
    <div className={styles.paper}>
      <Slip bet={bet} userId={userId} large />
    </div>
  );
}
