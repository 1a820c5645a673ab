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
