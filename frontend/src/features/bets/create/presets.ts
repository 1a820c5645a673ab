import { offeredHours, toNewYork } from '../../../lib/new-york';
import type { BetForm } from './form';

const DAY_MS = 86_400_000;
const EVENING = 21;
const WEEK = 7;

export type Preset = 'tonight' | 'sunday' | 'week';
export const PRESETS: readonly Preset[] = ['tonight', 'sunday', 'week'];

type Expiry = Pick<BetForm, 'expiryDate' | 'expiryHour'>;

/** The date that is `days` days after a date. Dates are counted in UTC, where every day has 24 hours. */
function later(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The number of days until the next Sunday. From a Sunday it is a week. */
function daysToSunday(date: string): number {
  return WEEK - new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** The expiry of a preset: 9 PM in New York on its day. Null if that hour has passed. */
export function presetExpiry(preset: Preset, now: Date): Expiry | null {
  const today = toNewYork(now).date;
  const days = { tonight: 0, sunday: daysToSunday(today), week: WEEK }[preset];
  const expiryDate = later(today, days);
  return offeredHours(expiryDate, now).includes(EVENING) ? { expiryDate, expiryHour: String(EVENING) } : null;
}
