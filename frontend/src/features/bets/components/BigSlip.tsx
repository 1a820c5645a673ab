import { lazy, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Bet, User } from '../../../api/types';
import { authPath } from '../../../lib/paths';
import { TestSatsNote } from '../../../ui/TestSatsNote';
import { isActive, isOpen, isParty } from '../status';
import { BET_PAGE_WORDS, type TakeWords } from '../useTake';
import styles from './BigSlip.module.css';
import { Late } from './Late';
import { Slip, type Take } from './Slip';
import { TakeDialog } from './TakeDialog';

/** Only an ended bet has an ending, and only its parties see it, so it is not part of the page's code. */
const Ending = lazy(() => import(/* webpackChunkName: "ending" */ './Ending'));

interface BigSlipProps {
  bet: Bet;
  user: User | null;
  /** The share token from the page's address, or null. */
  token?: string | null;
  words?: TakeWords;
}

/** The large bet slip of the bet page and the share page. Users can click on the open half to take the bet. */
export function BigSlip({ bet, user, token = null, words = BET_PAGE_WORDS }: BigSlipProps) {
  const userId = user?.id ?? null;
  const [taking, setTaking] = useState(false);
  const here = useLocation();
  const mayTake = bet.actions.includes('accept');
  return (
    <div className={styles.paper}>
      <TestSatsNote wanted={!user && bet.currencyType === 'sats'} />
      <Slip bet={bet} userId={userId} large take={wayToTake()} />
      {!isActive(bet) && user && isParty(bet, userId) && (
        <Late wait={<div className={styles.ending} />}>
          <Ending bet={bet} user={user} />
        </Late>
      )}
      <TakeDialog
        bet={taking && mayTake ? bet : null}
        shareToken={token ?? bet.shareToken}
        words={words}
        onClose={() => setTaking(false)}
      />
    </div>
  );

  function wayToTake(): Take | undefined {
    if (userId === null) return isOpen(bet, new Date()) ? authPath(here) : undefined;
    return mayTake ? () => setTaking(true) : undefined;
  }
}
