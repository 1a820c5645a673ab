import type { Bet } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { stakeTexts } from '../../../texts/stakes';
import { Money } from '../../../ui/Money';
import { isEven, stakeBy } from '../stakes';

/** The stake of a bet. If the other side stakes another amount: both stakes, the creator's first. */
export function Stakes({ bet }: { bet: Bet }) {
  return (
    <>
      <Money amount={bet.stakeAmount} currency={bet.currencyType} />
      {!isEven(bet) && ` ${stakeTexts.against} ${formatNumber(bet.opponentStake)}`}
    </>
  );
}

/** The viewer's own stake, or what the free side costs. Both stakes for all others. */
export function ViewersStake({ bet, userId }: { bet: Bet; userId: string | null }) {
  const isOfOthers = bet.acceptorId !== null && userId !== bet.creatorId && userId !== bet.acceptorId;
  if (isOfOthers) return <Stakes bet={bet} />;
  return <Money amount={stakeBy(bet, userId)} currency={bet.currencyType} />;
}
