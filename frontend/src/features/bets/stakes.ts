import type { Bet } from '../../api/types';

/** Whether both sides of a bet stake the same. */
export function isEven(bet: Pick<Bet, 'stakeA' | 'stakeB'>): boolean {
  return bet.stakeA === bet.stakeB;
}

/** The stake of a user. For users who are not the creator: what the other side costs. */
export function stakeBy(
  bet: Pick<Bet, 'creatorId' | 'stakeAmount' | 'opponentStake'>,
  userId: string | null,
): number {
  return userId === bet.creatorId ? bet.stakeAmount : bet.opponentStake;
}
