import { afterEach, expect, it, vi } from 'vitest';
import { fromNow } from './from-now';

afterEach(() => vi.useRealTimers());

it.each([
  ['2026-03-04T12:00:00Z', 'in 3 days'],
  ['2026-03-02T12:00:00Z', 'tomorrow'],
  ['2026-03-01T13:00:00Z', 'in 1 hour'],
  ['2026-03-01T10:00:00Z', '2 hours ago'],
  ['2026-03-01T11:55:00Z', '5 minutes ago'],
  ['2026-03-01T11:59:40Z', '20 seconds ago'],
  ['2026-03-01T12:00:00Z', 'now'],
  ['2028-03-02T12:00:00Z', 'in 2 years'],
])('says of %s at noon: %s', (instant, words) => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z') });
  expect(fromNow(instant)).toBe(words);
});
