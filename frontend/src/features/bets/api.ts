import { postMoney, write } from '../../api/client';
import type { Bet, NewBet, Outcome, Side } from '../../api/types';

const path = (id: string, rest = '') => `/api/bets/${encodeURIComponent(id)}${rest}`;

export function createBet(bet: NewBet): Promise<Bet> {
  return postMoney('/api/bets', bet);
}

export function acceptBet(betId: string, chosenOption: Side, shareToken: string | null): Promise<Bet> {
  return postMoney('/api/bets/accept', { betId, chosenOption, ...(shareToken && { shareToken }) });
}

export function acceptShared(shareToken: string, option: Side): Promise<Bet> {
  return postMoney('/api/bets/accept', { shareToken, option });
}

export function deleteBet(id: string): Promise<unknown> {
  return write('DELETE', path(id));
}

export function endEarly(id: string): Promise<Bet> {
  return write('POST', path(id, '/early-resolution'));
}

/** After a rejection, the same outcome is another proposal. The count of rejections tells it from a repeat. */
export function proposeOutcome(
  { id, rejectionCount }: Bet,
  winningOption: Outcome,
): Promise<{ message: string; bet: Bet }> {
  return postMoney(path(id, '/propose-resolution'), { winningOption }, [winningOption, rejectionCount]);
}

/** Sends the id of the proposal on screen, so that the user cannot accept a newer proposal by accident. */
export function answerOutcome(id: string, accept: boolean, proposalId: string | null): Promise<Bet> {
  return postMoney(path(id, '/respond-resolution'), { accept, ...(proposalId && { proposalId }) });
}

export function disputeBet(id: string, reason: string): Promise<Bet> {
  return write('POST', path(id, '/dispute'), { reason });
}
