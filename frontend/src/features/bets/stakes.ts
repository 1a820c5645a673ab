import type { Bet, Side } from '../../api/types';

/** The stake of one side. The odds are even, so both sides stake the same. */
export function stakeOf(bet: Pick<Bet, 'stakeAmount'>, _side: Side): number {
  return bet.stakeAmount;
}

/** The amount that the winner gets: the stakes of both sides. */
export function potOf(bet: Pick<Bet, 'stakeAmount'>): number {
  return stakeOf(bet, 'A') + stakeOf(bet, 'B');
}
