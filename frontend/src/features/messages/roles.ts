import type { Bet } from '../../api/types';
import { messageTexts as texts } from '../../texts/messages';
import { isParty } from '../bets';

/** Whether the user is the bet's arbiter and has not given the task up. */
export function isActiveArbiter({ arbiter }: Bet, userId: string): boolean {
  return arbiter?.id === userId && arbiter.status !== 'declined' && arbiter.status !== 'resigned';
}

/** Whether the user may attach pictures to messages: a party, or an arbiter who has accepted. */
export function mayAttach(bet: Bet, userId: string): boolean {
  return isParty(bet, userId) || (isActiveArbiter(bet, userId) && bet.arbiter?.status !== 'invited');
}

/** The role in which the user writes on the bet, in words. Empty for all other users. */
export function roleOf(bet: Bet, userId: string): string {
  if (userId === bet.creatorId) return texts.creator;
  if (userId === bet.acceptorId) return texts.acceptor;
  return isActiveArbiter(bet, userId) ? texts.arbiter : '';
}
