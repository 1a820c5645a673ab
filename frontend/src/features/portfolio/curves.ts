import type { Bet, Currency } from '../../api/types';
import { endedAt, resultOf } from '../bets';

export interface CurvePoint {
  at: string;
  betId: string;
  title: string;
  change: number;
  net: number;
}

/**
 * The net result after each settled bet, oldest first. The last value is `netOfAll`. If `bets` contains only the
 * latest bets, the curve starts at the net result of the older bets.
 */
export function curveOf(
  bets: readonly Bet[],
  userId: string,
  currency: Currency,
  netOfAll: number,
): CurvePoint[] {
  const settled = bets
    .filter((bet) => bet.status === 'resolved' && bet.currencyType === currency)
    .map((bet) => ({
      at: endedAt(bet),
      betId: bet.id,
      title: bet.title,
      change: resultOf(bet, userId).profit,
    }))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  let net = netOfAll - settled.reduce((sum, { change }) => sum + change, 0);
  return settled.map((point) => {
    net += point.change;
    return { ...point, net };
  });
}
