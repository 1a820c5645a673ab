import type { Bet } from '../../api/types';

export type Party = 'visitor' | 'stranger' | 'creator' | 'acceptor';

export function partyOf(bet: Pick<Bet, 'creatorId' | 'acceptorId'>, userId: string | null): Party {
  if (userId === null) return 'visitor';
  if (userId === bet.creatorId) return 'creator';
  return userId === bet.acceptorId ? 'acceptor' : 'stranger';
}

/** Whether the user has a side of the bet. */
export function isParty(bet: Pick<Bet, 'creatorId' | 'acceptorId'>, userId: string | null): boolean {
  return userId !== null && (userId === bet.creatorId || userId === bet.acceptorId);
}

/** Whether the bet has not ended. */
export function isActive({ status }: Pick<Bet, 'status'>): boolean {
  return status !== 'resolved' && status !== 'cancelled';
}

/** Whether the bet has reached its expiry time. The statuses of a bet do not include 'expired'. */
export function isExpired(bet: Pick<Bet, 'expiresAt'>, now: Date): boolean {
  return now.getTime() >= new Date(bet.expiresAt).getTime();
}

/** Whether the bet waits for a ruling. */
export function isDisputed(bet: Pick<Bet, 'status' | 'disputedAt'>): boolean {
  return bet.status === 'awaiting_resolution' && bet.disputedAt !== null;
}

/** Whether the bet waits for the ruling of this user as its arbiter. */
export function isArbitersRuling(bet: Pick<Bet, 'turn' | 'arbiter'>, userId: string | null): boolean {
  return bet.turn === 'rule' && bet.arbiter?.id === userId && bet.arbiter?.status === 'accepted';
}

/** Whether a taker must be warned that the creator alone may declare the outcome. */
export function warnsOfMethod(bet: Pick<Bet, 'status' | 'resolutionMethod'>): boolean {
  return bet.status === 'pending' && bet.resolutionMethod === 'Manual Verification';
}

/** Whether the second side of the bet is still free. `bet.actions` says whether the viewer may take that side. */
export function isOpen(bet: Pick<Bet, 'status' | 'expiresAt'>, now: Date): boolean {
  return bet.status === 'pending' && !isExpired(bet, now);
}
