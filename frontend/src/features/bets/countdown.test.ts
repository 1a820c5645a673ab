import { expect, it } from 'vitest';
import { timeLeft } from './countdown';

const NOW = Date.parse('2030-01-01T12:00:00Z');

it.each([
  ['2030-01-08T11:59:00Z', 'Ends in 6 days', false],
  ['2030-01-03T12:00:00Z', 'Ends in 2 days', false],
  ['2030-01-03T11:59:59Z', 'Ends in 1 day 23 h', false],
  ['2030-01-02T12:30:00Z', 'Ends in 1 day', false],
  ['2030-01-02T11:59:59Z', 'Ends in 23 h 59 min', true],
  ['2030-01-01T14:00:00Z', 'Ends in 2 h', true],
  ['2030-01-01T12:12:30Z', 'Ends in 12 min', true],
  ['2030-01-01T12:00:30Z', 'Ends in less than a minute', true],
])('of a bet until %s is “%s”', (until, words, isSoon) => {
  expect(timeLeft(until, NOW)).toEqual({ words, isSoon });
});

it('has ended at the very instant of the expiry', () => {
  expect(timeLeft('2030-01-01T12:00:00Z', NOW)).toBeNull();
});
