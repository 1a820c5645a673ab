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
