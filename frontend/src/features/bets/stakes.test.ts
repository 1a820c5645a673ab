import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { isEven, stakeBy } from './stakes';

it('the creator has the own stake, and everybody else reads what the other side costs', () => {
  const bet = makeBet({ stakeAmount: 100, opponentStake: 40 });
  expect(['u-ada', 'u-bob', null].map((user) => stakeBy(bet, user))).toEqual([100, 40, 40]);
});

it('only equal stakes are even', () => {
  expect(isEven(makeBet())).toBe(true);
  expect(isEven(makeBet({ stakeAmount: 100, opponentStake: 40 }))).toBe(false);
});
