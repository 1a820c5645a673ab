import { describe, expect, it } from 'vitest';
import { user } from '../../../test/fixtures';
import { betProblems } from './checks';
import { type BetForm, EMPTY_BET, expiryOf, hourKeptOn, submitProblem, toNewBet } from './form';

const NOW = new Date('2026-06-10T19:20:00Z'); // 15:20 in New York
const good: BetForm = {
  ...EMPTY_BET,
  title: 'Snow on Christmas',
  optionA: 'It snows',
  optionB: 'It stays dry',
  stakeAmount: '200',
  resolutionMethod: 'Mutual Agreement',
  expiryDate: '2026-06-10',
  expiryHour: '18',
};

const errorsOf = (change: Partial<BetForm>) => Object.values(betProblems({ ...good, ...change }));

describe('fields', () => {
  it.each<[Partial<BetForm>, string]>([
    [{ title: '  abc ' }, 'Title must be at least 5 characters'],
    [{ title: 'x'.repeat(201) }, 'Title must be at most 200 characters'],
    [{ optionA: '' }, 'Option A is required'],
    [{ optionB: '  ' }, 'Option B is required'],
    [{ optionB: 'It snows ' }, 'The two options must differ'],
    [{ stakeAmount: '' }, 'Stake amount is required'],
    [{ stakeAmount: '0' }, 'Stake must be a whole number of at least 1, such as 1,000'],
    [{ stakeAmount: '1.5' }, 'Stake must be a whole number of at least 1, such as 1,000'],
    [{ stakeAmount: '   ' }, 'Stake amount is required'],
    [{ stakeAmount: '1e3' }, 'Stake must be a whole number of at least 1, such as 1,000'],
    [{ stakeAmount: '1.000' }, 'Stake must be a whole number of at least 1, such as 1,000'],
    [{ stakeAmount: '1,00' }, 'Stake must be a whole number of at least 1, such as 1,000'],
    [{ stakeAmount: 'many' }, 'Stake must be a whole number of at least 1, such as 1,000'],
    [{ stakeAmount: '100000001' }, 'Stake must be at most 100,000,000'],
    [{ resolutionMethod: '' }, 'Resolution method is required'],
    [{ expiryDate: '' }, 'Expiry date is required'],
    [{ expiryHour: '' }, 'Expiry time is required'],
    [{ sourceUrl: 'javascript:alert(1)' }, 'Please enter a valid URL'],
    [{ sourceUrl: 'not a url' }, 'Please enter a valid URL'],
    [{ sourceUrl: 'https://' }, 'Please enter a valid URL'],
    [{ sourceUrl: 'https:/example.com/x' }, 'Please enter a valid URL'],
    [{ sourceUrl: 'https:example.com' }, 'Please enter a valid URL'],
  ])('%j: %s', (change, message) => {
    expect(errorsOf(change)).toEqual([message]);
  });

  it('accepts a good bet, with and without a source', () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ sourceUrl: 'https://example.com/x' })).toEqual([]);
  });

  it('counts characters, not UTF-16 halves', () => {
    expect(errorsOf({ title: '🎲'.repeat(200) })).toEqual([]);
    expect(errorsOf({ title: '🎲'.repeat(4) })).toEqual(['Title must be at least 5 characters']);
  });
});

it.each(['1,000', '1 000', ' 1000 ', '1\u00a0000'])(
  'takes the stake %j for a thousand everywhere',
  (stakeAmount) => {
    const form = { ...good, stakeAmount };
    expect(errorsOf(form)).toEqual([]);
    expect(submitProblem(form, user, NOW)).toBeNull();
    expect(submitProblem(form, { ...user, boltsBalance: 999 }, NOW)?.text).toBe(
      'You need 1,000 bolts but only have 999 bolts.',
    );
    expect(toNewBet(form, NOW, 'Mutual Agreement').stakeAmount).toBe(1000);
  },
);

describe('checks on submit, in their order', () => {
  const wrong: BetForm = {
    ...good,
    expiryHour: '',
    currencyType: 'sats',
    stakeAmount: '99',
  };
  it('asks first for date and time', () => {
    expect(submitProblem(wrong, user, NOW)?.title).toBe('Expiry Date & Time Required');
  });
  it.each<[Partial<BetForm>, string]>([
    [{ expiryDate: '', expiryHour: '' }, 'Choose both the date and the time at which the bet expires.'],
    [{ expiryDate: '' }, 'Choose the date on which the bet expires.'],
    [{ expiryHour: '' }, 'Choose the time at which the bet expires.'],
  ])('and names the missing one of %j', (missing, text) => {
    expect(submitProblem({ ...good, ...missing }, user, NOW)?.text).toBe(text);
  });
  it('then that they lie ahead', () => {
    const past = { ...wrong, expiryHour: '15' };
    expect(submitProblem(past, user, NOW)?.title).toBe('Invalid Expiry Date & Time');
  });
  it('then for the minimum of the currency', () => {
    const low = { ...wrong, expiryHour: '18' };
    expect(submitProblem(low, user, NOW)?.text).toBe('Minimum stake for Sats bets is 100 sats.');
    const none = { ...good, stakeAmount: '0' };
    expect(submitProblem(none, user, NOW)?.text).toBe('Minimum stake for Bolts bets is 1 bolt.');
  });
  it('then for the balance in that currency', () => {
    expect(submitProblem({ ...wrong, expiryHour: '18', stakeAmount: '100' }, user, NOW)).toEqual({
      title: 'Insufficient Balance',
      text: 'You need 100 sats but only have 50 sats.',
    });
    expect(submitProblem({ ...good, stakeAmount: '1001' }, user, NOW)?.text).toBe(
      'You need 1,001 bolts but only have 1,000 bolts.',
    );
  });
  it('and lets a good one pass', () => {
    expect(submitProblem(good, user, NOW)).toBeNull();
  });
});

it('clears a chosen time that today no longer has', () => {
  expect(hourKeptOn('2026-06-10', '15', NOW)).toBe('');
  expect(hourKeptOn('2026-06-10', '16', NOW)).toBe('16');
  expect(hourKeptOn('2026-06-11', '9', NOW)).toBe('9');
  expect(hourKeptOn('2026-06-11', '', NOW)).toBe('');
});

it('sends the expiry as the instant of that New York hour, and public as the opposite of private', () => {
  const expiry = expiryOf(good);
  expect(expiry?.toISOString()).toBe('2026-06-10T22:00:00.000Z');
  const sent = toNewBet(
    { ...good, title: ' Snow on Christmas ', isPrivate: true },
    expiry ?? NOW,
    'Mutual Agreement',
  );
  expect(sent).toMatchObject({
    title: 'Snow on Christmas',
    stakeAmount: 200,
    description: null,
    category: null,
    sourceUrl: null,
    isPrivate: true,
    isPublic: false,
    creatorOption: 'A',
    expiresAt: '2026-06-10T22:00:00Z',
  });
});
