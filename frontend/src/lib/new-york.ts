/** Dates and hours in New York time. */
import { timeTexts } from '../texts/common';
import { formatDate, formatDateTime, shown } from './dates';
import { once } from './once';

const ZONE = 'America/New_York';
const STANDARD_OFFSET = 5;
const DAYLIGHT_OFFSET = 4;
const HOURS_OF_DAY = [...Array(24).keys()];

// A formatter takes tens of milliseconds to create on a slow phone, so each formatter is created at its first use.
const clock = once(
  () =>
    new Intl.DateTimeFormat('en-CA', {
      timeZone: ZONE,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    }),
);
const dateTime = once(
  () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: ZONE,
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
);
const time = once(
  () => new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', minute: '2-digit' }),
);

interface NewYorkHour {
  date: string;
  hour: number;
}

export function toNewYork(instant: Date): NewYorkHour {
  const parts = new Map(
    clock()
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  return {
    date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
    hour: Number(parts.get('hour')),
  };
}

/**
 * The instant of a full hour on a New York day. Null for an hour that the spring change skips. For an hour that the
 * autumn change repeats, the result is the first of the two instants, because daylight time is tried first.
 */
export function fromNewYork(date: string, hour: number): Date | null {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  for (const offset of [DAYLIGHT_OFFSET, STANDARD_OFFSET]) {
    const instant = new Date(Date.UTC(year, month - 1, day, hour + offset));
    const shown = toNewYork(instant);
    if (shown.date === date && shown.hour === hour) return instant;
  }
  return null;
}

/**
 * The hours that the user can choose on a day: only existing hours, and for today only those after the current hour.
 */
export function offeredHours(date: string, now: Date): number[] {
  const current = toNewYork(now);
  if (date < current.date) return [];
  return HOURS_OF_DAY.filter(
    (hour) => (date !== current.date || hour > current.hour) && fromNewYork(date, hour) !== null,
  );
}

export function hourLabel(hour: number): string {
  return `${hour % 12 === 0 ? 12 : hour % 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;
}

/** A text such as 'Mar 8, 2026, 3:00 PM'. */
export function formatNewYork(instant: string): string {
  return shown(dateTime(), new Date(instant));
}

/**
 * The text of a time that is defined in New York time, such as an expiry. The text has the user's time and New York's
 * time, both with a label. New York's date is left out if the user's date is the same.
 */
export function formatBoth(instant: string): string {
  const { own, there, isSameTime } = bothTimes(instant);
  return isSameTime ? timeTexts.same(own) : timeTexts.both(own, there);
}

/** Like `formatBoth` for a narrow place: without the current year, and with a label only on New York's time. */
export function formatBothShort(instant: string): string {
  const { own, there, isSameTime } = bothTimes(instant);
  const year = new Date().getFullYear();
  const short = (text: string) => text.replace(`, ${year},`, ',');
  return isSameTime ? short(own) : timeTexts.short(short(own), short(there));
}

function bothTimes(instant: string) {
  const [own, newYork] = [formatDateTime(instant), formatNewYork(instant)];
  const isSameDay = formatDate(instant) === newYork.split(', ').slice(0, 2).join(', ');
  const there = isSameDay ? shown(time(), new Date(instant)) : newYork;
  return { own, there, isSameTime: own === newYork };
}

/** RFC 3339 without the fraction, as the API writes its times. */
export function toUtcText(instant: Date): string {
  return instant.toISOString().replace('.000Z', 'Z');
}
