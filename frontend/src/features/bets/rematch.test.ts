import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { rematchOf } from './rematch';

const bet = makeBet({
  acceptorId: 'u-bob',
  status: 'resolved',
  description: 'By the airport’s gauge.',
  sourceUrl: 'https://example.com/',
  isPrivate: true,
});

it('has the terms of the bet, and leaves the expiry open', () => {
  expect(rematchOf(bet, 'u-ada')).toEqual({
    title: 'Snow on Christmas Day',
    description: 'By the airport’s gauge.',
    category: 'Weather',
    optionA: 'It snows',
    optionB: 'It stays dry',
    creatorOption: 'A',
    stakeAmount: '200',
    opponentStake: '',
    odds: '',
    suggestedOddsA: '',
    currencyType: 'bolts',
    resolutionMethod: 'Mutual Agreement',
    sourceUrl: 'https://example.com/',
    isPrivate: true,
    arbiter: '',
  });
});

it('names the same arbiter', () => {
  const arbiter = { id: 'u-eve', username: 'eve', email: 'e•••@example.com', status: 'declined' as const };
  expect(rematchOf({ ...bet, arbiter }, 'u-ada').arbiter).toBe('eve');
});

it('names no arbiter who has deleted the account', () => {
  const name = 'deleted-0123456789ab';
  const arbiter = { id: 'u-eve', username: name, email: name, status: 'accepted' as const };
  expect(rematchOf({ ...bet, arbiter }, 'u-ada').arbiter).toBe('');
});

it('keeps the side of the user who asks for it', () => {
  expect(rematchOf(bet, 'u-bob').creatorOption).toBe('B');
});

it('keeps both stakes, each with its side', () => {
  const odd = { ...bet, stakeAmount: 100, opponentStake: 40, stakeA: 100, stakeB: 40, pot: 140 };
  const stakes = (userId: string) => {
    const { stakeAmount, opponentStake, creatorOption } = rematchOf(odd, userId);
    return [stakeAmount, opponentStake, creatorOption];
  };
  expect([stakes('u-ada'), stakes('u-bob')]).toEqual([
    ['100', '40', 'A'],
    ['40', '100', 'B'],
  ]);
});
