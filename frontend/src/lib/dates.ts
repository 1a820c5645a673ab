/** Formats times in the user's time zone with the browser's own functions, without a library. */
import { once } from './once';

const DAY = { month: 'short', day: 'numeric' } as const;
const HOUR = { hour: 'numeric', minute: '2-digit' } as const;

const date = once(() => new Intl.DateTimeFormat('en-US', { ...DAY, year: 'numeric' }));
const shortTime = once(() => new Intl.DateTimeFormat('en-US', { ...DAY, ...HOUR }));
const dateTime = once(() => new Intl.DateTimeFormat('en-US', { ...DAY, year: 'numeric', ...HOUR }));
const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }));

/** Formats an instant with normal spaces. Some browsers put a narrow no-break space before AM and PM. */
export function shown(format: Intl.DateTimeFormat, instant: Date): string {
  return format.format(instant).replace(/\u202f/g, ' ');
}

export function formatDate(instant: string): string {
  return shown(date(), new Date(instant));
}

/** The time of a notification: 'MMM d, h:mm a'. */
export function formatShortTime(instant: string): string {
  return shown(shortTime(), new Date(instant));
}

export function formatDateTime(instant: string): string {
  return shown(dateTime(), new Date(instant));
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];

/** A text such as 'in 3 days' or '2 hours ago'. */
export function fromNow(instant: string): string {
  const seconds = (new Date(instant).getTime() - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative().format(Math.round(seconds / size), unit);
}

const LEFT_UNITS: readonly [string, number][] = [
  ['d', 24 * 3600],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/**
 * A countdown to an instant, such as '2 d 4 h', '12 min' or '45 s'. It has at most two units, and the seconds only in the
 * last two minutes. Empty at the instant and after it.
 */
export function timeLeft(instant: string, now = Date.now()): string {
  let left = Math.ceil((new Date(instant).getTime() - now) / 1000);
  if (!(left > 0)) return '';
  if (left > 120) left = Math.floor(left / 60) * 60;
  const parts = LEFT_UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ');
}
