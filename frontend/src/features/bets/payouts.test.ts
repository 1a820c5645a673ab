import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { payoutWords } from './payouts';
import { resultOf } from './results';

const bet = makeBet({
  stakeAmount: 100,
  opponentStake: 40,
  acceptorId: 'u-bob',
  acceptor: { username: 'bob', email: 'b•••@example.com' },
});

it.each<['A' | 'B' | 'void', string, string]>([
  ['A', 'u-ada', 'You get 140 Bolts. bob loses the stake of 40 Bolts.'],
  ['A', 'u-bob', 'ada gets 140 Bolts. You lose your stake of 40 Bolts.'],
  ['B', 'u-ada', 'bob gets 140 Bolts. You lose your stake of 100 Bolts.'],
  ['B', 'u-bob', 'You get 140 Bolts. ada loses the stake of 100 Bolts.'],
  ['void', 'u-ada', 'Each stake goes back. You get back 100 Bolts. bob gets back 40 Bolts.'],
  ['void', 'u-bob', 'Each stake goes back. ada gets back 100 Bolts. You get back 40 Bolts.'],
])('outcome %s means for %s: %s', (outcome, reader, words) => {
  expect(payoutWords(bet, outcome, reader)).toBe(words);
});

it('a win adds the stake of the loser, and a loss costs the own stake', () => {
  const ended = (winnerId: string) => ({ ...bet, status: 'resolved' as const, winnerId });
  const profits = ['u-ada', 'u-bob'].map((winner) =>
    ['u-ada', 'u-bob'].map((reader) => resultOf(ended(winner), reader).profit),
  );
  expect(profits).toEqual([
    [40, -40],
    [-100, 100],
  ]);
});
