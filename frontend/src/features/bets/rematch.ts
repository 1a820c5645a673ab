import type { Bet } from '../../api/types';
import type { BetForm } from './create/form';
import { otherSide } from './parties';
import { stakeOf } from './stakes';

/** The form of a new bet with the terms of an ended one. The user keeps the own side. Only the expiry is missing. */
export function rematchOf(bet: Bet, userId: string): Omit<BetForm, 'expiryDate' | 'expiryHour'> {
  const own = userId === bet.creatorId ? bet.creatorChoice : otherSide(bet.creatorChoice);
  return {
    title: bet.title,
    description: bet.description ?? '',
    category: bet.category,
    optionA: bet.optionA,
    optionB: bet.optionB,
    creatorOption: own,
    stakeAmount: String(stakeOf(bet, own)),
    currencyType: bet.currencyType,
    resolutionMethod: bet.resolutionMethod,
    sourceUrl: bet.sourceUrl ?? '',
    isPrivate: bet.isPrivate,
  };
}
