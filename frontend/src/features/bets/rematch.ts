import type { Bet } from '../../api/types';
import type { BetForm } from './create/form';
import { sideOf } from './parties';
import { isEven, stakeBy } from './stakes';

/**
 * The form of a new bet with the terms of an ended one. The user keeps the own side and the own stake. Only the expiry is
 * missing.
 */
export function rematchOf(bet: Bet, userId: string): Omit<BetForm, 'expiryDate' | 'expiryHour'> {
  const stake = stakeBy(bet, userId);
  return {
    title: bet.title,
    description: bet.description ?? '',
    category: bet.category,
    optionA: bet.optionA,
    optionB: bet.optionB,
    creatorOption: sideOf(bet, userId),
    stakeAmount: String(stake),
    opponentStake: isEven(bet) ? '' : String(bet.pot - stake),
    odds: '',
    suggestedOddsA: '',
    currencyType: bet.currencyType,
    resolutionMethod: bet.resolutionMethod,
    sourceUrl: bet.sourceUrl ?? '',
    isPrivate: bet.isPrivate,
    // A deleted user gets a name that begins with 'deleted-'. No user can choose such a name.
    arbiter: bet.arbiter?.username?.replace(/^deleted-.*/, '') ?? '',
  };
}
