import { expect, it } from 'vitest';
import { potOf, stakeOf } from './stakes';

it('the pot is the stakes of both sides', () => {
  const bet = { stakeAmount: 100_000_000 };
  expect([stakeOf(bet, 'A'), stakeOf(bet, 'B'), potOf(bet)]).toEqual([100_000_000, 100_000_000, 200_000_000]);
});
