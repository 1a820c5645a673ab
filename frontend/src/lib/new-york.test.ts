import { describe, expect, it, vi } from 'vitest';
import { formatNewYork, fromNewYork, hourLabel, offeredHours, toNewYork, toUtcText } from './new-york';
import cases from './new-york-cases.json';

describe('New York time', () => {
  it.each(cases)('$date at $hour:00 is $utc', ({ date, hour, utc }) => {
    const instant = fromNewYork(date, hour);
    expect(instant && toUtcText(instant)).toBe(utc);
  });

  it('covers both transitions of every year from 2024 to 2035', () => {
    const skipped = cases.filter((row) => row.utc === null).map((row) => row.date.slice(0, 4));
    expect(skipped).toEqual(Array.from({ length: 12 }, (_, index) => String(2024 + index)));
  });

  it('reads the New York day and hour of an instant', () => {
    expect(toNewYork(new Date('2026-03-08T06:59:59Z'))).toEqual({ date: '2026-03-08', hour: 1 });
    expect(toNewYork(new Date('2026-03-08T07:00:00Z'))).toEqual({ date: '2026-03-08', hour: 3 });
    expect(toNewYork(new Date('2026-01-01T04:30:00Z'))).toEqual({ date: '2025-12-31', hour: 23 });
  });

  it('offers of today only the hours after the current one, and of no past day any', () => {
    const now = new Date('2026-06-10T19:20:00Z'); // 15:20 in New York
    expect(offeredHours('2026-06-10', now)).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
    expect(offeredHours('2026-06-09', now)).toEqual([]);
    expect(offeredHours('2026-06-11', now)).toHaveLength(24);
  });

  it('does not offer the hour that the spring change skips', () => {
    const hours = offeredHours('2026-03-08', new Date('2026-03-01T00:00:00Z'));
    expect(hours).toHaveLength(23);
    expect(hours).not.toContain(2);
  });

  it('labels hours and instants', () => {
    expect([0, 9, 12, 21].map(hourLabel)).toEqual(['12:00 AM', '9:00 AM', '12:00 PM', '9:00 PM']);
    expect(formatNewYork('2026-03-08T19:00:00Z')).toBe('Mar 8, 2026, 3:00 PM');
  });

  it.each([
    [
      'Europe/Berlin',
      'Mar 8, 2026, 8:00 PM your time · 3:00 PM New York time',
      'Mar 8, 8:00 PM · 3:00 PM in New York',
    ],
    [
      'Asia/Tokyo',
      'Mar 9, 2026, 4:00 AM your time · Mar 8, 2026, 3:00 PM New York time',
      'Mar 9, 4:00 AM · Mar 8, 3:00 PM in New York',
    ],
    ['America/Toronto', 'Mar 8, 2026, 3:00 PM your time, which is New York time', 'Mar 8, 3:00 PM'],
  ])('stands beside the own time of %s', async (zone, words, short) => {
    vi.stubEnv('TZ', zone);
    vi.resetModules();
    vi.useFakeTimers({ now: new Date('2026-02-01T00:00:00Z') });
    const fresh = await import('./new-york');
    expect(fresh.formatBoth('2026-03-08T19:00:00Z')).toBe(words);
    expect(fresh.formatBothShort('2026-03-08T19:00:00Z')).toBe(short);
    expect(fresh.formatBothShort('2027-03-08T20:00:00Z')).toContain(', 2027, ');
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
});
