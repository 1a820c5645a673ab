import type { Bet } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { stakeTexts } from '../../../texts/stakes';
import { Money } from '../../../ui/Money';
import { isEven } from '../stakes';

/** The stake of a bet. If the other side stakes another amount: both stakes, the creator's first. */
export function Stakes({ bet }: { bet: Bet }) {
  return (
    <>
      <Money amount={bet.stakeAmount} currency={bet.currencyType} />
      {!isEven(bet) && ` ${stakeTexts.against} ${formatNumber(bet.opponentStake)}`}
    </>
  );
}
