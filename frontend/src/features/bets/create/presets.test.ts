import { expect, it } from 'vitest';
import { type Preset, presetExpiry } from './presets';

const at = (date: string) => ({ expiryDate: date, expiryHour: '21' });

it.each<[Preset, string, ReturnType<typeof at> | null]>([
  // A Wednesday at 15:20 in New York.
  ['tonight', '2026-06-10T19:20:00Z', at('2026-06-10')],
  ['sunday', '2026-06-10T19:20:00Z', at('2026-06-14')],
  ['week', '2026-06-10T19:20:00Z', at('2026-06-17')],
  // In New York it is still the 10th, 20:59 and 21:00.
  ['tonight', '2026-06-11T00:59:00Z', at('2026-06-10')],
  ['tonight', '2026-06-11T01:00:00Z', null],
  // A Saturday and a Sunday.
  ['sunday', '2026-06-13T19:20:00Z', at('2026-06-14')],
  ['sunday', '2026-06-14T19:20:00Z', at('2026-06-21')],
  // The clocks change on 8 March and on 1 November.
  ['week', '2026-03-04T12:00:00Z', at('2026-03-11')],
  ['week', '2026-10-29T12:00:00Z', at('2026-11-05')],
  ['week', '2026-12-28T12:00:00Z', at('2027-01-04')],
])('%s at %s', (preset, now, expiry) => {
  expect(presetExpiry(preset, new Date(now))).toEqual(expiry);
});
