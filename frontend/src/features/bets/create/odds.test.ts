import { describe, expect, it } from 'vitest';
import { betProblems } from './checks';
import { EMPTY_BET } from './form';
import { oddsOf, opponentLimits, opponentStakeOf, ownOdds } from './odds';

const stakes = (stakeAmount: string, opponentStake = '', odds = '') => ({
  ...EMPTY_BET,
  stakeAmount,
  opponentStake,
  odds,
});

it.each<[string, number]>([
  ['1.4', 1.4],
  [' 1,4 ', 1.4],
  ['2', 2],
  ['101', 101],
])('takes the odds %j', (typed, odds) => {
  expect(oddsOf(typed)).toBe(odds);
});

it.each(['', '1.', '.5', '-2', '1e3', '3/1', '1.4.2', 'evens'])('takes %j for no odds', (typed) => {
  expect(oddsOf(typed)).toBeNaN();
});

it.each<[string, string, string, number]>([
  ['100', '', '', 100],
  ['100', '40', '', 40],
  ['100', '1,000', '', 1000],
  ['100', '', '1.4', 40],
  ['100', '', '101', 10_000],
  ['250', '', '1.01', 3],
  ['3', '', '1.5', 2],
  ['1', '', '1.001', 0],
])('with a stake of %s, the stake %j or the odds %j make %d', (stake, against, odds, expected) => {
  expect(opponentStakeOf(stakes(stake, against, odds))).toBe(expected);
});

it.each<[string, string, number]>([
  ['100', '', 2],
  ['100', '40', 1.4],
  ['3', '1', 1.33],
  ['8', '1', 1.13],
  ['1', '100', 101],
])('a stake of %s against %j has the odds %d', (stake, against, odds) => {
  expect(ownOdds(stakes(stake, against))).toBe(odds);
});

it('says nothing of stakes that are no numbers yet', () => {
  expect(opponentStakeOf(stakes('', '', '1.4'))).toBeNaN();
  expect(opponentStakeOf(stakes('100', 'x'))).toBeNaN();
  expect(ownOdds(stakes('', '40'))).toBeNaN();
});

it('allows the opponent 100 times the stake at most, and a hundredth at least', () => {
  expect(opponentLimits(100, { currencyType: 'bolts' })).toEqual([1, 10_000]);
  expect(opponentLimits(101, { currencyType: 'bolts' })).toEqual([2, 10_100]);
  expect(opponentLimits(100, { currencyType: 'sats' })).toEqual([100, 10_000]);
  expect(opponentLimits(100_000_000, { currencyType: 'sats' })).toEqual([1_000_000, 100_000_000]);
});

describe('problems of the two fields', () => {
  const problems = (...typed: [string, string?, string?]) => {
    const { opponentStake, odds } = betProblems(stakes(...typed));
    return [opponentStake, odds];
  };
  const ratio = (stake: string, least: string, most: string) =>
    `The larger stake may be at most 100 times the smaller one. Against ${stake}, the opponent can stake from ${least} to ${most}.`;
  it.each<[[string, string?, string?], [string | undefined, string | undefined]]>([
    [['100'], [undefined, undefined]],
    [
      ['100', '1'],
      [undefined, undefined],
    ],
    [
      ['100', '10000'],
      [undefined, undefined],
    ],
    [
      ['100', '10001'],
      [ratio('100 Bolts', '1', '10,000'), undefined],
    ],
    [
      ['100', '0'],
      [ratio('100 Bolts', '1', '10,000'), undefined],
    ],
    [
      ['250', '2'],
      [ratio('250 Bolts', '3', '25,000'), undefined],
    ],
    [
      ['100', '', '101.1'],
      [ratio('100 Bolts', '1', '10,000'), undefined],
    ],
    [
      ['100', 'many'],
      ['The opponent’s stake must be a whole number, such as 1,000', undefined],
    ],
    [
      ['100', '', '1'],
      [undefined, 'Odds must be a number above 1, such as 1.4'],
    ],
    [
      ['100', '', 'x'],
      [undefined, 'Odds must be a number above 1, such as 1.4'],
    ],
    // A wrong own stake has its own error, and nothing can be said about the other one.
    [
      ['', '40'],
      [undefined, undefined],
    ],
    [
      ['0', '40'],
      [undefined, undefined],
    ],
  ])('%j: %j', (typed, expected) => {
    expect(problems(...typed)).toEqual(expected);
  });
});
