import { expect, it } from 'vitest';
import { formatDate, formatDateTime, formatShortTime } from './dates';
import { timeLeft } from './time-left';

it('words dates and times of the own clock', () => {
  const instant = new Date(2026, 2, 8, 21, 5).toISOString();
  expect(formatDate(instant)).toBe('Mar 8, 2026');
  expect(formatShortTime(instant)).toBe('Mar 8, 9:05 PM');
  expect(formatDateTime(instant)).toBe('Mar 8, 2026, 9:05 PM');
});

it.each([
  ['2026-03-09T11:59:00Z', '7 days'],
  ['2026-03-08T12:00:00Z', '7 days'],
  ['2026-03-08T11:59:00Z', '6 days 23 h'],
  ['2026-03-05T12:30:00Z', '4 days'],
  ['2026-03-03T12:00:00Z', '2 days'],
  ['2026-03-03T11:59:59Z', '1 day 23 h'],
  ['2026-03-02T12:30:00Z', '1 day'],
  ['2026-03-02T11:59:59Z', '23 h 59 min'],
  ['2026-03-01T16:00:00Z', '4 h'],
  ['2026-03-01T12:12:40Z', '12 min'],
  ['2026-03-01T12:02:00Z', '2 min'],
  ['2026-03-01T12:01:59Z', '119 s'],
  ['2026-03-01T12:00:00.200Z', '1 s'],
  ['2026-03-01T12:00:00Z', ''],
  ['2026-03-01T11:00:00Z', ''],
])('counts down to %s at noon: %j', (instant, words) => {
  expect(timeLeft(instant, Date.parse('2026-03-01T12:00:00Z'))).toBe(words);
});
