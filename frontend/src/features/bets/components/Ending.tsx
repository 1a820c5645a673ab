import { useNavigate } from 'react-router-dom';
import type { Bet, User } from '../../../api/types';
import { replaceDraft } from '../../../lib/draft';
import { balanceOf, formatMoney, formatSigned } from '../../../lib/money';
import { cancelledTexts, settledTexts } from '../../../texts/bets';
import { endTexts as texts } from '../../../texts/turns';
import { Button } from '../../../ui/Button';
import { Unit } from '../../../ui/Unit';
import { personName } from '../parties';
import { rematchOf } from '../rematch';
import { type Result, resultOf } from '../results';
import { stakeBy } from '../stakes';
import styles from './Ending.module.css';

interface EndingProps {
  bet: Bet;
  user: User;
}

/** The end of a bet for one of its parties, on the slip: what it means for the party's money, and a rematch. */
export default function Ending({ bet, user }: EndingProps) {
  const { result, profit } = resultOf(bet, user.id);
  const currency = bet.currencyType;
  return (
    <section className={styles.ending} data-result={result} aria-label={texts.label}>
      <p className={styles.head}>{headOf(bet, user, result)}</p>
      {result !== 'void' && (
        <p className={styles.figure} data-keep-clear="">
          {formatSigned(profit)} <Unit currency={currency} amount={profit} />
        </p>
      )}
      <p className={styles.how}>{howOf(bet)}</p>
      {result === 'void' && <p>{texts.stakesBack(formatMoney(stakeBy(bet, user.id), currency))}</p>}
      <p>{texts.balance(formatMoney(balanceOf(user, currency), currency))}</p>
      {bet.acceptorId !== null && <RematchButton bet={bet} userId={user.id} result={result} />}
    </section>
  );
}

function headOf(bet: Bet, user: User, result: Result): string {
  if (result === 'won') return texts.won;
  if (result === 'void') return bet.acceptorId === null ? texts.untaken : texts.void;
  return texts.lost(personName(user.id === bet.creatorId ? bet.acceptor : bet.creator));
}

function howOf(bet: Bet): string {
  if (bet.status === 'resolved') return bet.settledBy ? settledTexts[bet.settledBy] : '';
  return bet.cancelReason ? cancelledTexts[bet.cancelReason][0] : '';
}

/** Opens the form with the terms of this bet. The user chooses only a new expiry. */
function RematchButton({ bet, userId, result }: { bet: Bet; userId: string; result: Result }) {
  const navigate = useNavigate();
  return (
    <Button
      tone={result === 'won' ? 'primary' : 'plain'}
      onClick={() => {
        replaceDraft(userId, rematchOf(bet, userId));
        navigate('/create-bet');
      }}
    >
      {texts.rematch}
    </Button>
  );
}
