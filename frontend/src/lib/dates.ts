/** Formats times in the user's time zone with the browser's own functions, without a library. */
import { once } from './once';

const ON_DAY = { month: 'short', day: 'numeric' } as const;
const AT_HOUR = { hour: 'numeric', minute: '2-digit' } as const;

const date = once(() => new Intl.DateTimeFormat('en-US', { ...ON_DAY, year: 'numeric' }));
const shortTime = once(() => new Intl.DateTimeFormat('en-US', { ...ON_DAY, ...AT_HOUR }));
const dateTime = once(() => new Intl.DateTimeFormat('en-US', { ...ON_DAY, year: 'numeric', ...AT_HOUR }));

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

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A countdown to an instant: '6 days', '1 day 23 h', '4 h 12 min' or '12 min', and in the last two minutes '90 s'. Empty
 * at the instant and after it.
 */
export function timeLeft(instant: string, now = Date.now()): string {
  const left = Math.ceil((new Date(instant).getTime() - now) / 1000);
  if (!(left > 0)) return '';
  if (left < 2 * MINUTE) return `${left} s`;
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)];
  if (days > 1) return `${days} days`;
  const minutes = Math.floor((left % HOUR) / MINUTE);
  const parts = [days && '1 day', hours && `${hours} h`, !days && minutes && `${minutes} min`];
  return parts.filter(Boolean).join(' ');
}
