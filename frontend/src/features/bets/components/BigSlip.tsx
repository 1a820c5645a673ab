import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Bet } from '../../../api/types';
import { authPath } from '../../../lib/paths';
import { isOpen } from '../status';
import { BET_PAGE_WORDS } from '../useTake';
import styles from './BigSlip.module.css';
import { Slip, type Take } from './Slip';
import { TakeDialog } from './TakeDialog';

interface BigSlipProps {
  bet: Bet;
  userId: string | null;
  /** The share token from the page's address, or null. */
  token?: string | null;
}

/** The large bet slip of the bet page and the share page. Users can click on the open half to take the bet. */
export function BigSlip({ bet, userId, token = null }: BigSlipProps) {
  const [taking, setTaking] = useState(false);
  const { pathname, search } = useLocation();
  const mayTake = bet.actions.includes('accept');
  return (
    <div className={styles.paper}>
      <Slip bet={bet} userId={userId} large take={wayToTake()} />
      <TakeDialog
        bet={taking && mayTake ? bet : null}
        shareToken={token ?? bet.shareToken}
        words={BET_PAGE_WORDS}
        onClose={() => setTaking(false)}
      />
    </div>
  );

  function wayToTake(): Take | undefined {
    if (userId === null) return isOpen(bet, new Date()) ? authPath(pathname + search) : undefined;
    return mayTake ? () => setTaking(true) : undefined;
  }
}
