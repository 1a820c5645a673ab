import type { Bet, Side } from '../../api/types';
import { otherSide } from './parties';

/** The stake of one side. The odds are even, so both sides stake the same. */
export function stakeOf(bet: Pick<Bet, 'stakeAmount'>, _side: Side): number {
  return bet.stakeAmount;
}

/** The stake of the user who takes the open side. */
export function takersStake(bet: Pick<Bet, 'stakeAmount' | 'creatorChoice'>): number {
  return stakeOf(bet, otherSide(bet.creatorChoice));
}

/** The pot of a bet with this stake on one side. The odds are even, so the other side stakes the same. */
export function potWith(stake: number): number {
  return 2 * stake;
}

/** The amount that the winner gets: the stakes of both sides. */
export function potOf(bet: Pick<Bet, 'stakeAmount'>): number {
  return stakeOf(bet, 'A') + stakeOf(bet, 'B');
}
