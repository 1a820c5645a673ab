import type { Bet } from '../../api/types';
import { stakeBy } from './stakes';
import { isActive } from './status';

export type Result = 'won' | 'lost' | 'void';

interface Outcome {
  result: Result;
  /** The user's gain (positive) or loss (negative) from the bet. */
  profit: number;
}

/** The result of an ended bet for one of its parties. */
export function resultOf(bet: Bet, userId: string): Outcome {
  if (bet.status !== 'resolved') return { result: 'void', profit: 0 };
  const stake = stakeBy(bet, userId);
  return bet.winnerId === userId
    ? { result: 'won', profit: bet.pot - stake }
    : { result: 'lost', profit: -stake };
}

export function endedAt(bet: Bet): string {
  return bet.settledAt ?? bet.updatedAt;
}

/** The ended bets, sorted by the date of their end, latest first. The server sorts bets by their creation. */
export function endedLatestFirst(bets: readonly Bet[]): Bet[] {
  return bets
    .filter((bet) => !isActive(bet))
    .sort((one, other) => Date.parse(endedAt(other)) - Date.parse(endedAt(one)));
}
