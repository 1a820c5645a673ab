import { once } from './once';

const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }));

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
